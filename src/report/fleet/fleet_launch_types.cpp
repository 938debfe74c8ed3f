#include "report/fleet/fleet_launch_types.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/requirement.hpp"
#include "fleet/offers/price_dates.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/fleet/fleet_words.hpp"

namespace bayplan::report {

using study::LaunchType;
using study::LaunchTypeCost;
using study::LaunchTypeReason;
using Layout = JsonWriter::Layout;

namespace {

constexpr double kPercent = 100;
constexpr double kFewPercent = 10;  ///< Below it, a decimal is shown.

const std::vector<LaunchTypeCost>& launch_type_costs(const FleetReport& report) {
  return report.launch_types.list;
}

/// "+31%", "-1.8%", "+0%"
std::string difference(MicroUsd cost, MicroUsd than) {
  const double percent = kPercent * (static_cast<double>(cost) / static_cast<double>(than) - 1);
  if (cost == than) return "+0%";
  return std::fabs(percent) < kFewPercent ? fmt::format("{:+.1f}%", percent) : fmt::format("{:+.0f}%", percent);
}

bool has_load(const FleetReport& report) {
  return report.payment != nullptr && report.payment->has_curve;
}

/// An hour in the mean of the load: of EC2 with its commitments; nothing where that is not known.
std::optional<MicroUsd> load_cost(const FleetReport& report, const LaunchTypeCost& cost) {
  if (!has_load(report)) return std::nullopt;
  const auto nano = cost.launch_type == LaunchType::kEc2
                        ? std::optional(report.payment->hourly)
                        : study::cost_over_load(cost, report.payment->curve, report.request.headroom_percent);
  if (!nano) return std::nullopt;
  return (*nano + kNanoUsdPerMicroUsd / 2) / kNanoUsdPerMicroUsd;
}

/// Why the planned fleet and the other launch types do not cost the same work; empty where they do.
std::string what_differs(const FleetReport& report) {
  if (report.request.keeps_cluster) return "all tasks, where EC2 is what --add-only adds";
  if (report.request.survives_zone_loss) return "without room for a lost zone, which EC2 has";
  return {};
}

std::string compared(const FleetReport& report, const LaunchTypeCost& cost) {
  if (!what_differs(report).empty()) return {};
  const auto& ec2 = launch_type_costs(report).front().hourly_cost;  // the planned fleet comes first
  if (cost.launch_type == LaunchType::kEc2 || !ec2 || *ec2 <= 0 || !cost.hourly_cost) return {};
  return difference(*cost.hourly_cost, *ec2);
}

std::string name_of_workload(const FleetReport& report, std::uint32_t workload) {
  return report.scenario.workloads[workload].name;
}

/// "web, api and 3 more": those that cannot run there.
std::string excluded_names(const FleetReport& report, const LaunchTypeCost& cost) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const auto& one : cost.not_possible) {
    auto name = name_of_workload(report, one.workload);
    if (known.insert(name).second) names.push_back(std::move(name));
  }
  const auto more = names.size() > kMost ? names.size() - kMost : 0;
  if (more > 0) {
    names.resize(kMost);
    names.push_back(fmt::format("{} more", more));
  }
  return one_of({names.begin(), names.end()}, "and");
}

/// " (BAY408)": the rules that exclude it; empty where none does.
std::string rules_words(const LaunchTypeCost& cost) {
  std::vector<std::string> codes;
  for (const auto& one : cost.not_possible) {
    for (const auto& reason : one.reasons) {
      const bool is_new = std::find(codes.begin(), codes.end(), reason.rule) == codes.end();
      if (!reason.rule.empty() && is_new) codes.push_back(reason.rule);
    }
  }
  constexpr std::size_t kMost = 2;
  if (codes.size() > kMost) codes.resize(kMost);
  return codes.empty() ? std::string() : fmt::format(" ({})", join(codes, ", "));
}

/// What a launch type costs in a sentence: "$0.494/h, $361/month (+31%)", "$0.494/h, $361/month without infer".
std::string cost_words(const FleetReport& report, const LaunchTypeCost& cost) {
  if (cost.hourly_cost) {
    const auto percent = compared(report, cost);
    return hourly_with_month(*cost.hourly_cost) + (percent.empty() ? "" : fmt::format(" ({})", percent));
  }
  if (!cost.missing_prices.empty())
    return cost.partial_cost ? "at least " + hourly_with_month(*cost.partial_cost) : "price unknown";
  if (!cost.partial_cost) return {};
  return fmt::format("{} without {}", hourly_with_month(*cost.partial_cost), excluded_names(report, cost));
}

/// Launch types that say the same, with what they say.
struct Grouped {
  std::vector<std::pair<std::vector<std::string>, std::string>> list;
  std::map<std::string, std::size_t> position_of;  ///< Keyed by text.
};

void add_to(Grouped& grouped, std::string_view title, const std::string& text) {
  const auto [known, is_new] = grouped.position_of.try_emplace(text, grouped.list.size());
  if (is_new) grouped.list.push_back({{}, text});
  auto& titles = grouped.list[known->second].first;
  if (titles.empty() || titles.back() != title) titles.emplace_back(title);
}

std::vector<std::string> lines_of(const Grouped& grouped) {
  std::vector<std::string> lines;
  for (const auto& [titles, text] : grouped.list)
    lines.push_back(fmt::format("{}: {}", one_of({titles.begin(), titles.end()}, "and"), text));
  return lines;
}

std::string reasons_words(const std::vector<LaunchTypeReason>& reasons) {
  std::vector<std::string> parts;
  for (const auto& reason : reasons)
    parts.push_back(reason.rule.empty() ? reason.text : fmt::format("{} ({})", reason.text, reason.rule));
  return join(parts, "; ");
}

std::string instances_words(const LaunchTypeCost& cost) {
  constexpr std::size_t kMost = 3;
  std::vector<std::string> parts;
  for (const auto& one : cost.instances) parts.push_back(fmt::format("{} {}", one.count, one.instance_type));
  if (parts.size() > kMost) {
    const auto more = parts.size() - kMost;
    parts.resize(kMost);
    parts.push_back(fmt::format("{} more kinds", more));
  }
  return join(parts, ", ");
}

std::string launch_type_note(const FleetReport& report, const LaunchTypeCost& cost) {
  std::vector<std::string> notes;
  if (!cost.missing_prices.empty()) {
    notes.push_back(cost.partial_cost ? "at least " + hourly_with_month(*cost.partial_cost) : "price unknown");
  } else if (!cost.hourly_cost && cost.partial_cost) {
    notes.push_back(fmt::format("{} of {} tasks: {}", cost.priced_tasks, report.launch_types.tasks,
                                hourly_with_month(*cost.partial_cost)));
  } else if (!cost.not_possible.empty()) {
    notes.emplace_back("not possible");
  }
  if (auto words = instances_words(cost); !words.empty()) notes.push_back(std::move(words));
  return join(notes, "; ");
}

/// Share of the limiting resource that is in use on the planned fleet.
struct LimitingResource {
  std::string name;
  double share = 0;
};

std::optional<LimitingResource> limiting_resource(const FleetReport& report) {
  const auto& use = report.plan.use();
  const auto name = use.binding_resource();
  const auto share = use.binding_share();
  if (name.empty() || share.registered <= 0) return std::nullopt;
  return LimitingResource{name == "MEMORY" ? "memory" : std::string(name),
                          static_cast<double>(share.reserved) / static_cast<double>(share.registered)};
}

/// Rounded up, so that the sentence that says "more than" is true.
std::int64_t percent_above(double share) {
  return static_cast<std::int64_t>(std::ceil(kPercent * share - 1e-9));
}

std::string break_even_sentence(const FleetReport& report, const LaunchTypeCost& cost) {
  const auto title = title_of(cost.launch_type);
  if (*cost.break_even <= 1) {
    return fmt::format("EC2 costs less than {} if the tasks run more than {}% of the time", title,
                       percent_above(*cost.break_even));
  }
  const auto text = fmt::format("{} is cheaper even if every task runs all the time", title);
  const auto resource = limiting_resource(report);
  if (!resource) return text;
  const double needed = resource->share * *cost.break_even;
  if (needed > 1) return text + fmt::format(", at any {} utilization of EC2", resource->name);
  return text + fmt::format("; EC2 is cheaper above {}% {} utilization (planned: {})", percent_above(needed),
                            resource->name, percent(resource->share, 1.0));
}

fleet::PriceDates dates_of(const LaunchTypeCost& cost) {
  fleet::PriceDates days;
  for (const auto& rate : cost.rates) {
    if (rate.date.empty()) continue;
    if (days.oldest.empty() || rate.date < days.oldest) days.oldest = rate.date;
    days.newest = std::max(days.newest, rate.date);
  }
  return days;
}

double usd_of_nano(NanoUsd amount) {
  return static_cast<double>(amount) / static_cast<double>(kNanoUsdPerUsd);
}

std::vector<std::string> rate_words(const std::vector<fleet::UsedRate>& rates) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const auto& item = rates[i].item;
    const auto platform = item.substr(0, item.find(' ') + 1);
    const bool is_shared = i > 0 && !platform.empty() && rates[i - 1].item.starts_with(platform);
    std::string part =
        fmt::format("{} {}", is_shared ? item.substr(platform.size()) : item, usd_of_nano(rates[i].price));
    const bool is_last_of_day = i + 1 == rates.size() || rates[i + 1].date != rates[i].date;
    const auto day = rates[i].source == fleet::kEstimatedSpotRate ? std::string("estimated") : rates[i].date;
    if (is_last_of_day && !day.empty()) part += fmt::format(" ({})", day);
    parts.push_back(std::move(part));
  }
  return parts;
}

/// "Other launch types: Fargate $0.494/h (+31 %), ... (--compare)"; empty where they were not compared.
std::string launch_types_words(const FleetReport& report) {
  std::vector<std::string> parts;
  Grouped impossible;
  for (const auto& cost : launch_type_costs(report)) {
    if (cost.launch_type == LaunchType::kEc2) continue;
    if (auto words = cost_words(report, cost); !words.empty()) {
      parts.push_back(fmt::format("{} {}", title_of(cost.launch_type), words));
    } else if (!cost.not_possible.empty()) {
      add_to(impossible, title_of(cost.launch_type), excluded_names(report, cost) + rules_words(cost));
    }
  }
  for (const auto& [titles, text] : impossible.list)
    parts.push_back(fmt::format("{} cannot run {}", one_of({titles.begin(), titles.end()}, "and"), text));
  if (parts.empty()) return {};
  const auto differs = what_differs(report).empty() && has_load(report) ? "at the peak" : what_differs(report);
  return fmt::format("Other launch types{}: {} (--compare)", differs.empty() ? "" : fmt::format(" ({})", differs),
                     join(parts, "; "));
}

/// "In the mean of the load: Fargate $0.64/h, $468/month (+48%); EC2 as planned $0.43/h, $315/month": what a load
/// costs where only tasks that run are paid for. Empty without a load.
std::string load_cost_words(const FleetReport& report) {
  std::vector<std::string> parts;
  std::optional<MicroUsd> ec2;
  for (const auto& cost : launch_type_costs(report)) {
    const auto amount = load_cost(report, cost);
    if (!amount) continue;
    if (cost.launch_type == LaunchType::kEc2) {
      ec2 = amount;
    } else {
      const auto percent = ec2 && *ec2 > 0 ? fmt::format(" ({})", difference(*amount, *ec2)) : std::string();
      parts.push_back(fmt::format("{} {}{}", title_of(cost.launch_type), hourly_with_month(*amount), percent));
    }
  }
  if (parts.empty() || !ec2) return {};
  return fmt::format("In the mean of the load: {}; EC2 as planned {}", join(parts, "; "), hourly_with_month(*ec2));
}

/// A row a launch type: what it costs, next to the planned EC2 fleet.
Table launch_types_table(const FleetReport& report) {
  auto month = month_column();
  month.need = Need::kAlways;  // the note has months of its own
  Table table({"launch type", number_column("$/h"), month, number_column("vs EC2"), "note"});
  for (const auto& cost : launch_type_costs(report)) {
    const auto& amount = cost.hourly_cost;
    table.add({std::string(title_of(cost.launch_type)), amount ? usd(*amount) : "-",
               amount ? monthly_cell(*amount) : "-", compared(report, cost), launch_type_note(report, cost)});
  }
  return table;
}

/// Sizes that tasks have on Fargate. No rows where none can run there.
Table fargate_sizes_table(const FleetReport& report) {
  Table table({"task", number_column("count"), "needs", "Fargate size", number_column("$/h each"),
               number_column("Spot $/h each")});
  std::map<std::uint32_t, std::pair<const study::FargateWorkload*, const study::FargateWorkload*>> rows;
  for (const auto& cost : launch_type_costs(report)) {
    for (const auto& one : cost.fargate)
      (cost.launch_type == LaunchType::kFargate ? rows[one.workload].first : rows[one.workload].second) = &one;
  }
  const auto price = [](const study::FargateWorkload* one) {
    return one != nullptr && one->cost.is_known()
               ? usd((one->cost.hourly + kNanoUsdPerMicroUsd / 2) / kNanoUsdPerMicroUsd)
               : std::string("-");
  };
  for (const auto& [workload, both] : rows) {
    const auto& one = both.first != nullptr ? *both.first : *both.second;
    const auto& needs = report.scenario.workloads[workload].requirement;
    auto size = fmt::format("{}, {} MiB", capacity::describe_cpu(one.task.size.cpu), one.task.size.memory);
    if (one.task.storage > 0) size += fmt::format(", {} GiB storage", one.task.storage);
    table.add({name_of_workload(report, workload), std::to_string(one.tasks),
               fmt::format("{}, {} MiB", capacity::describe_cpu(needs.cpu), needs.memory), std::move(size),
               price(both.first), price(both.second)});
  }
  return table;
}

/// "EC2 costs less than Fargate if all tasks run more than 77 % of the time"
std::vector<std::string> break_even_words(const FleetReport& report) {
  std::vector<std::string> sentences;
  for (const auto& cost : launch_type_costs(report)) {
    if (cost.break_even) sentences.push_back(break_even_sentence(report, cost));
  }
  return sentences;
}

/// "Fargate and Fargate Spot: infer: GPUs are not supported on Fargate (BAY408)"
std::vector<std::string> not_possible_words(const FleetReport& report) {
  Grouped grouped;
  for (const auto& cost : launch_type_costs(report)) {
    for (const auto& one : cost.not_possible)
      add_to(grouped, title_of(cost.launch_type),
             name_of_workload(report, one.workload) + ": " + reasons_words(one.reasons));
  }
  return lines_of(grouped);
}

/// "Fargate and Fargate Spot: web: networkMode awsvpc instead of bridge (BAY801)"
std::vector<std::string> required_change_words(const FleetReport& report) {
  Grouped grouped;
  for (const auto& cost : launch_type_costs(report)) {
    for (const auto& one : cost.changes)
      add_to(grouped, title_of(cost.launch_type),
             name_of_workload(report, one.workload) + ": " + reasons_words(one.changes));
  }
  return lines_of(grouped);
}

/// "On arm64 (Graviton): 5 c7g.large, $0.363/h packed (x86_64: $0.376/h); requires an arm64 image of web"; empty
/// where there is no such plan.
std::string arm64_words(const FleetReport& report) {
  const auto& plan = report.launch_types.arm64;
  if (!plan) return {};
  constexpr std::size_t kMost = 3;
  std::vector<std::string> names;
  for (const auto workload : plan->workloads) {
    if (names.size() < kMost) names.push_back(name_of_workload(report, workload));
  }
  if (plan->workloads.size() > kMost) names.push_back(fmt::format("{} more", plan->workloads.size() - kMost));
  std::string text =
      fmt::format("On arm64 (Graviton): {}, {} packed (x86_64: {})", fleet_words(report.market, plan->purchases),
                  hourly_with_month(plan->hourly_cost), hourly_with_month(report.plan.ideal.hourly_cost));
  if (plan->fargate_hourly) text += ", on Fargate " + hourly_with_month(*plan->fargate_hourly);
  return text + fmt::format("; requires arm64 images of {}", one_of({names.begin(), names.end()}, "and"));
}

std::vector<std::string> missing_price_words(const FleetReport& report) {
  Grouped grouped;
  for (const auto& cost : launch_type_costs(report)) {
    for (const auto& one : cost.missing_prices) add_to(grouped, title_of(cost.launch_type), "unknown: " + one);
  }
  auto lines = lines_of(grouped);
  if (!lines.empty()) lines.emplace_back("--prices FILE states them");
  return lines;
}

std::vector<std::string> billing_words(const FleetReport& report) {
  std::vector<std::string> lines;
  for (const auto& cost : launch_type_costs(report)) {
    lines.push_back(fmt::format("{}: {}", title_of(cost.launch_type), billing_of(cost.launch_type)));
  }
  return lines;
}

std::vector<std::string> launch_type_price_words(const FleetReport& report) {
  std::vector<std::string> lines;
  for (const auto& cost : launch_type_costs(report)) {
    if (cost.launch_type == LaunchType::kEc2) continue;
    const auto parts = rate_words(cost.rates);
    if (!parts.empty()) lines.push_back(fmt::format("{}: {}", title_of(cost.launch_type), join(parts, ", ")));
  }
  return lines;
}

struct LaunchTypeSection {
  std::string id;
  std::string heading;
  std::vector<std::string> lines;
};

std::vector<LaunchTypeSection> launch_type_sections(const FleetReport& report) {
  return {{"break-even", "Break-even", break_even_words(report)},
          {"not-possible", "Not possible", not_possible_words(report)},
          {"changes", "Required changes", required_change_words(report)},
          {"missing-prices", "Unknown prices", missing_price_words(report)},
          {"billing", "Billing", billing_words(report)},
          {"launch-type-prices", "Prices used (USD/hour)", launch_type_price_words(report)}};
}

}  // namespace

std::vector<Assumption> launch_type_assumptions(const FleetReport& report) {
  std::vector<Assumption> all;
  for (const auto& cost : launch_type_costs(report))
    all.insert(all.end(), cost.assumptions.begin(), cost.assumptions.end());
  if (!launch_type_costs(report).empty()) {
    all.push_back({"launch-type-costs",
                   {},
                   "costs are those of compute: root volumes of instances, load balancers, traffic and public "
                   "addresses are not included; Fargate includes 20 GB of storage for each task"});
  }
  return all;
}

void add_launch_types(ReportDocument& document, const FleetReport& report, bool are_compared) {
  if (launch_type_costs(report).empty()) return;
  const Media text = are_compared ? kTerminal : Media(Medium::kFullText);
  const auto load = load_cost_words(report);
  document.section("launch-types", "Launch types", Medium::kPage);
  document.gap();
  document.line(0, std::string("The same tasks on each launch type") + (has_load(report) ? ", at the peak" : ""), text);
  document.paragraph("The same tasks on each launch type:", Medium::kComment);
  document.paragraph(load, kCommentAndPage);
  document.table(launch_types_table(report), {}, text | kCommentAndPage);
  document.line(0, load, text);
  document.gap();
  document.table(fargate_sizes_table(report), {}, text | kCommentAndPage);
  document.gap();
  document.paragraph({.text = arm64_words(report), .hanging = 2}, text | kCommentAndPage);
  Blocks folded;
  for (const auto& section : launch_type_sections(report)) {
    if (section.lines.empty()) continue;
    const bool is_first = section.id == "break-even" || section.id == "not-possible";
    std::vector<RichText> items(section.lines.begin(), section.lines.end());
    const Media media = text | (is_first ? kCommentAndPage : Medium::kPage);
    document.gap();
    document.add(block::Heading{section.heading}, media);
    document.list(items, media);
    if (is_first) continue;
    folded.push_back(block::Paragraph{section.heading + ":"});
    folded.push_back(block::List{std::move(items)});
  }
  if (!folded.empty())
    document.add(block::Details{"Changes, billing and prices of the launch types", std::move(folded)},
                 Medium::kComment);
}

void add_launch_type_lines(ReportDocument& document, const FleetReport& report) {
  const auto load = load_cost_words(report);
  const auto words = load.empty() ? launch_types_words(report) : load + " (--compare)";
  if (words.empty()) return;
  document.line(0, words, Medium::kText);
  const auto& arm64 = report.launch_types.arm64;
  if (arm64 && arm64->hourly_cost < report.plan.ideal.hourly_cost) document.line(0, arm64_words(report), Medium::kText);
}

namespace {

void write_reasons(JsonWriter& json, std::string_view key, const std::vector<LaunchTypeReason>& reasons) {
  json.key(key).begin_array(Layout::kLine);
  for (const auto& reason : reasons) {
    json.begin_object(Layout::kLine);
    json.member_or_null("rule", reason.rule);
    json.member("text", reason.text).end_object();
  }
  json.end_array();
}

void write_prices(JsonWriter& json, const FleetReport& report, const LaunchTypeCost& cost) {
  const auto days = dates_of(cost);
  json.key("prices").begin_object().member("region", report.market.region);
  json.member_or_null("oldest", days.oldest);
  json.member_or_null("newest", days.newest);
  json.key("rates").begin_array();
  for (const auto& rate : cost.rates) {
    json.begin_object(Layout::kLine).member("item", rate.item).member("usd", usd_of_nano(rate.price));
    json.member_or_null("date", rate.date);
    json.member_or_null("source", rate.source);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_launch_type(JsonWriter& json, const FleetReport& report, const LaunchTypeCost& cost) {
  json.begin_object().member("launchType", study::name_of(cost.launch_type));
  write_usd(json, "hourlyCost", cost.hourly_cost);
  const auto month = cost.hourly_cost ? std::optional(*cost.hourly_cost * kHoursPerMonth) : std::nullopt;
  write_usd(json, "monthlyCost", month);
  if (has_load(report)) {
    const auto mean = load_cost(report, cost);
    write_usd(json, "loadHourlyCost", mean);
    write_usd(json, "loadMonthlyCost", mean ? std::optional(*mean * kHoursPerMonth) : std::nullopt);
  }
  json.member("pricedTasks", cost.priced_tasks);
  write_usd(json, "partialHourlyCost", cost.partial_cost);
  json.key("notPossible").begin_array();
  for (const auto& one : cost.not_possible) {
    json.begin_object(Layout::kLine).member("name", name_of_workload(report, one.workload));
    json.member("tasks", one.tasks);
    write_reasons(json, "reasons", one.reasons);
    json.end_object();
  }
  json.end_array().key("changes").begin_array();
  for (const auto& one : cost.changes) {
    json.begin_object(Layout::kLine).member("name", name_of_workload(report, one.workload));
    write_reasons(json, "changes", one.changes);
    json.end_object();
  }
  json.end_array();
  write_list(json, "missingPrices", cost.missing_prices);
  json.key("sizes").begin_array();
  for (const auto& one : cost.fargate) {
    json.begin_object(Layout::kLine).member("name", name_of_workload(report, one.workload));
    json.member("tasks", one.tasks).member("cpu", one.task.size.cpu).member("memory", one.task.size.memory);
    json.member("ephemeralStorage", std::max(one.task.storage, catalog::kFreeFargateStorage)).key("hourlyCost");
    one.cost.is_known() ? json.value(usd_of_nano(one.cost.hourly)) : json.null();
    json.end_object();
  }
  json.end_array().key("instances").begin_array();
  for (const auto& one : cost.instances) {
    json.begin_object(Layout::kLine).member("instanceType", one.instance_type).member("count", one.count);
    json.member("hourlyPrice", usd_number(one.hourly_price)).member("fee", usd_number(one.fee)).end_object();
  }
  json.end_array().member("breakEven", cost.break_even).member("billing", study::billing_of(cost.launch_type));
  write_prices(json, report, cost);
  json.key("assumptions").begin_array();
  for (const auto& one : cost.assumptions) {
    json.begin_object(Layout::kLine).member("id", one.id).member("subject", one.subject).member("text", one.text);
    json.end_object();
  }
  json.end_array().end_object();
}

}  // namespace

void write_launch_types_json(JsonWriter& json, const FleetReport& report) {
  json.key("launchTypes").begin_array();
  for (const auto& cost : launch_type_costs(report)) write_launch_type(json, report, cost);
  json.end_array().key("arm64");
  const auto& arm64 = report.launch_types.arm64;
  if (!arm64) {
    json.null();
    return;
  }
  json.begin_object().key("names").begin_array(Layout::kLine);
  for (const auto workload : arm64->workloads) json.value(name_of_workload(report, workload));
  json.end_array().key("fleet");
  write_purchases_json(json, report.market, arm64->purchases);
  json.member("hourlyCost", usd_number(arm64->hourly_cost)).member("optimal", arm64->proven);
  write_usd(json, "fargateHourlyCost", arm64->fargate_hourly);
  json.end_object();
}

}  // namespace bayplan::report

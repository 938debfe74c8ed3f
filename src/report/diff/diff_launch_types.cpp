#include "report/diff/diff_launch_types.hpp"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "catalog/fargate_prices.hpp"
#include "report/document/amounts.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"

namespace bayplan::report {

using study::DefinitionDiff;
using study::LaunchTypeChange;
using study::TaskOnLaunchType;
using Layout = JsonWriter::Layout;

namespace {

std::string task_cost_words(const std::optional<TaskOnLaunchType>& side) {
  if (!side) return "-";
  if (side->hourly) return (side->is_spot_estimate ? "about $" : "$") + usd(*side->hourly);
  return side->check.not_possible.empty() ? "price unknown" : "not possible";
}

bool is_possible(const std::optional<TaskOnLaunchType>& side) {
  return side && side->check.not_possible.empty();
}

/// "BAY408, BAY802"; the text of a reason that is no rule's.
std::string reason_codes(const TaskOnLaunchType& side) {
  std::vector<std::string> codes;
  for (const auto& reason : side.check.not_possible) {
    const auto& word = reason.rule.empty() ? reason.text : reason.rule;
    if (std::find(codes.begin(), codes.end(), word) == codes.end()) codes.push_back(word);
  }
  return join(codes, ", ");
}

/// "g4dn.xlarge", "1 vCPU, 2048 MiB", or why it cannot run there.
std::string task_place_words(const std::optional<TaskOnLaunchType>& side) {
  if (!side) return {};
  if (!side->check.not_possible.empty()) return side->check.not_possible.front().text;
  if (!side->missing_prices.empty()) return "unknown: " + side->missing_prices.front();
  if (!side->instance_type.empty()) return side->instance_type;
  if (!side->check.size) return {};
  return fmt::format("{}, {} MiB", capacity::describe_cpu(side->check.size->cpu), side->check.size->memory);
}

std::string month_words(const LaunchTypeChange& change) {
  if (!change.after || !change.after->hourly) return "-";
  const MicroUsd before = change.before ? change.before->hourly.value_or(0) : 0;
  if (change.before && !change.before->hourly) return "-";
  const MicroUsd more = *change.after->hourly - before;
  return (more < 0 ? "-" : "+") + monthly(more < 0 ? -more : more);
}

void write_task_cost(JsonWriter& json, std::string_view key, const std::optional<TaskOnLaunchType>& side,
                     const std::string& region) {
  json.key(key);
  if (!side) {
    json.null();
    return;
  }
  json.begin_object();
  write_usd(json, "hourlyCost", side->hourly);
  write_usd(json, "monthlyCost", side->hourly ? std::optional(*side->hourly * kHoursPerMonth) : std::nullopt);
  for (const auto& [name, reasons] :
       {std::pair("notPossible", &side->check.not_possible), std::pair("changes", &side->check.changes)}) {
    json.key(name).begin_array(Layout::kLine);
    for (const auto& reason : *reasons) {
      json.begin_object(Layout::kLine).member_or_null("rule", reason.rule).member("text", reason.text).end_object();
    }
    json.end_array();
  }
  write_list(json, "missingPrices", side->missing_prices);
  json.member_or_null("instanceType", side->instance_type).key("size");
  if (side->check.size) {
    json.begin_object(Layout::kLine).member("cpu", side->check.size->cpu).member("memory", side->check.size->memory);
    json.member("ephemeralStorage", std::max(side->check.storage, catalog::kFreeFargateStorage)).end_object();
  } else {
    json.null();
  }
  json.member("isEstimate", side->is_spot_estimate);
  json.key("prices").begin_object().member("region", region).key("rates").begin_array();
  for (const auto& rate : side->rates) {
    json.begin_object(Layout::kLine).member("item", rate.item);
    json.member("usd", static_cast<double>(rate.price) / static_cast<double>(kNanoUsdPerUsd));
    json.member_or_null("date", rate.date).member_or_null("source", rate.source).end_object();
  }
  json.end_array().end_object().end_object();
}

}  // namespace

bool changes_costs(const DefinitionDiff& diff) {
  return std::any_of(diff.launch_types.begin(), diff.launch_types.end(),
                     [](const LaunchTypeChange& change) { return change.changes(); });
}

std::string launch_type_cost_words(const DefinitionDiff& diff) {
  std::vector<std::string> parts;
  std::vector<std::pair<std::string, std::vector<std::string_view>>> impossible;  // reasons, launch types
  for (const auto& change : diff.launch_types) {
    const auto title = title_of(change.launch_type);
    if (!is_possible(change.before) && !is_possible(change.after) && change.after) {
      const auto codes = reason_codes(*change.after);
      const auto known =
          std::find_if(impossible.begin(), impossible.end(), [&](const auto& one) { return one.first == codes; });
      known == impossible.end() ? impossible.push_back({codes, {title}}) : known->second.push_back(title);
    } else if (change.before) {
      parts.push_back(
          fmt::format("{} {}", title, changed(task_cost_words(change.before), task_cost_words(change.after))));
    } else {
      parts.push_back(fmt::format("{} {}", title, task_cost_words(change.after)));
    }
  }
  for (const auto& [codes, titles] : impossible)
    parts.push_back(fmt::format("not possible on {} ({})", one_of(titles, "and"), codes));
  return join(parts, ", ");
}

std::string fargate_price_words(const study::DiffReport& report) {
  std::string oldest, newest;
  bool is_estimate = false;
  for (const auto& diff : report.definitions) {
    if (!changes_costs(diff)) continue;
    for (const auto& change : diff.launch_types) {
      const bool is_fargate =
          change.launch_type == study::LaunchType::kFargate || change.launch_type == study::LaunchType::kFargateSpot;
      for (const auto* side : {&change.before, &change.after}) {
        if (!is_fargate || !*side || !(*side)->hourly) continue;
        is_estimate = is_estimate || (*side)->is_spot_estimate;
        for (const auto& rate : (*side)->rates) {
          if (rate.date.empty()) continue;
          if (oldest.empty() || rate.date < oldest) oldest = rate.date;
          newest = std::max(newest, rate.date);
        }
      }
    }
  }
  if (newest.empty()) return {};
  return fmt::format(
      "Fargate prices: {}, {}{}", report.region, price_days(oldest, newest),
      is_estimate ? fmt::format("; Spot {}% off On-Demand, the mean of three regions", catalog::kFargateSpotDiscount)
                  : "");
}

Table launch_type_changes_table(const DefinitionDiff& diff) {
  Table table({"launch type", number_column("$/h before"), number_column("after"), number_column("per month"), "on"});
  for (const auto& change : diff.launch_types) {
    const auto after = task_cost_words(change.after);
    table.add({std::string(title_of(change.launch_type)), task_cost_words(change.before),
               change.changes() && change.before ? RichText(in_bold(after)) : RichText(after), month_words(change),
               task_place_words(change.after)});
  }
  return table;
}

void write_launch_type_changes_json(JsonWriter& json, const std::string& region, const DefinitionDiff& diff) {
  json.key("launchTypes").begin_array();
  for (const auto& change : diff.launch_types) {
    json.begin_object().member("launchType", study::name_of(change.launch_type));
    write_task_cost(json, "before", change.before, region);
    write_task_cost(json, "after", change.after, region);
    json.member("billing", study::billing_of(change.launch_type)).end_object();
  }
  json.end_array();
}

}  // namespace bayplan::report

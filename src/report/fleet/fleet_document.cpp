#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "fleet/offers/price_dates.hpp"
#include "report/document/amounts.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/prices.hpp"
#include "report/fleet/fleet_launch_types.hpp"
#include "report/fleet/fleet_managed.hpp"
#include "report/fleet/fleet_payment.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_spot.hpp"
#include "report/fleet/fleet_words.hpp"
#include "report/place/cluster_data.hpp"
#include "report/place/cluster_picture.hpp"
#include "report/place/place_tables.hpp"

namespace bayplan::report {
namespace {

/// How many workloads with the same constraint each medium names.
struct NamedWorkloads {
  Medium medium;
  std::size_t most;
};
constexpr NamedWorkloads kNamedWorkloads[] = {
    {Medium::kText, 3}, {Medium::kFullText, kEveryRow - 1}, {Medium::kComment, 20}, {Medium::kPage, 50}};

constexpr std::size_t kShownOffers = 10;  ///< Rows of what to buy.
constexpr std::size_t kShownCheaper = 4;
constexpr std::size_t kShownRates = 5;
constexpr std::size_t kShownUnfitting = 3;
constexpr std::size_t kShownRejections = 2;   ///< First screen: of each task that fits no type.
constexpr std::size_t kReasonsOfComment = 5;  ///< The same.
constexpr std::size_t kReasonsOfPage = 200;   ///< Of all tasks.

void add_constraints(ReportDocument& document, const FleetReport& report) {
  const auto& filled = report.plan.fill.recommended;
  if (!filled || !keeps_apart(report, filled->policy)) return;
  document.section("constraints", "Placement constraints to add", Medium::kPage);
  document.gap();
  document.line(0, "Placement constraints to add");
  document.paragraph("Placement constraints to add:", Medium::kComment);
  for (const auto& [medium, most] : kNamedWorkloads) {
    const auto words = constraint_words(report, filled->policy, most);
    document.list({words.begin(), words.end()}, medium);
  }
  document.gap();
}

/// What ECS placement costs, and cheaper fleets with who fills them.
void add_better_scheduler(ReportDocument& document, const FleetReport& report) {
  if (cheaper_fleets(report, 0).empty()) return;
  const auto words = placement_overhead(report)
                         ? placement_overhead_words(report)
                         : std::string("constraints or another launch order fill a cheaper fleet");
  document.section("scheduler", "A better scheduler", Medium::kPage);
  document.gap();
  document.line(0, "A better scheduler");
  document.line(2, words);
  document.paragraph(words, Medium::kPage);
  document.paragraph({.text = words, .lead = "A better scheduler:"}, Medium::kComment);
  for (const auto& [medium, most] : kNamedWorkloads) {
    const auto fleets = cheaper_fleets(report, most);
    std::vector<RichText> items;
    const auto shown = medium == Medium::kText ? std::min(kShownCheaper, fleets.size()) : fleets.size();
    for (std::size_t i = 0; i < shown; ++i) {
      if (kTerminal.contains(medium)) add_priced_line(document, report, fleets[i].hourly_cost, fleets[i].words, medium);
      items.emplace_back(hourly(report.market, fleets[i].hourly_cost) + ", " + fleets[i].words);
    }
    if (kCommentAndPage.contains(medium)) document.list(std::move(items), medium);
    document.left_out(fleets.size() - shown);
  }
}

std::vector<std::pair<std::string, std::string>> fleet_figures(const FleetReport& report) {
  const auto& plan = report.plan;
  const auto& filled = plan.fill.recommended;
  const MicroUsd cost = plan.hourly_cost();
  // The answer above the figures says the price.
  std::vector<std::pair<std::string, std::string>> all = {
      {"instances", with_separators(fleet::instances_of(plan.purchases()))}, {"tasks", with_separators(plan.tasks)}};
  if (!plan.has_no_bound()) {
    all.emplace_back("gap to the bound", plan.bound_of_answer() > 0 ? percent_more(plan.bound_of_answer(), cost) : "-");
  }
  if (filled) all.emplace_back("launch orders simulated", with_separators(filled->orders + filled->confirmed));
  const auto& use = plan.use();
  if (const auto resource = use.binding_resource(); !resource.empty())
    all.emplace_back("limiting resource", std::string(resource));
  return all;
}

/// What room the services need to deploy.
std::string deployment_room_words(const std::vector<study::RolledService>& services) {
  const auto both = std::count_if(services.begin(), services.end(), [](const auto& one) { return one.runs_both; });
  if (both == 0) return " within its healthy percentages";
  if (static_cast<std::size_t>(both) == services.size()) return ", all new tasks next to the old ones";
  return " within its healthy percentages, or with all new tasks next to the old ones";
}

/// Terminal.
void add_rollouts(ReportDocument& document, const FleetReport& report) {
  const auto& services = report.plan.review.rollouts.services;
  std::size_t rolling = 0;
  std::size_t untried = 0;
  for (const auto& one : services) {
    if (one.ok || !one.is_tried) {
      rolling += one.ok ? 1 : 0;
      untried += one.is_tried ? 0 : 1;
      continue;
    }
    std::string text = one.service_name + ": " + one.why;
    for (const auto& missing : one.needs)
      text += fmt::format("; add {} {} to deploy it", missing.count, missing.instance_type);
    document.paragraph({.text = text, .lead = "CANNOT DEPLOY ", .lead_tone = Tone::kBad}, kTerminal);
  }
  if (untried > 0)
    document.line(0, fmt::format("Deployments not simulated, to save time: {}",
                                 count_of(static_cast<std::int64_t>(untried), "service")));
  if (rolling > 0 && rolling == services.size())
    document.line(0, std::string(rolling == 1 ? "The service can deploy" : "Every service can deploy, one at a time,") +
                         deployment_room_words(services));
}

/// "Tasks unplaced if a zone is lost: us-east-1a 2 (...)"; empty where no zone was tried.
std::string zone_loss_words(const FleetReport& report) {
  if (report.plan.review.zone_losses.empty()) return {};
  std::vector<std::string> parts;
  for (const auto& loss : report.plan.review.zone_losses) {
    if (loss.without_place > 0) parts.push_back(fmt::format("{} {}", loss.availability_zone, loss.without_place));
  }
  return parts.empty()
             ? "Losing any one zone leaves no task unplaced"
             : "Tasks unplaced if a zone is lost: " + join(parts, ", ") + " (--survive-zone-loss plans for it)";
}

/// The recommended fleet as `place` shows a cluster.
void add_instances(ReportDocument& document, const FleetReport& report, const ClusterView& view) {
  document.gap();
  if (report.cluster != nullptr) {
    add_cluster(document, *report.cluster, view);
  } else {
    document.line(0, "The instances are not listed: no fleet is recommended, or it holds too many tasks");
  }
  document.gap();
}

void add_fleet(ReportDocument& document, const FleetReport& report, const ClusterView& view) {
  document.section("summary", report.spot == nullptr ? "Summary" : "Summary of the On-Demand part", Medium::kPage);
  document.add(block::Figures{fleet_figures(report)});
  document.section("fleet", report.spot == nullptr ? "Fleet" : "On-Demand fleet", Medium::kPage);
  document.table(fleet_table(report), {.text = kShownOffers});
  if (const auto resource = report.plan.use().binding_resource(); !resource.empty())
    document.line(0, fmt::format("Limiting resource: {}", resource));
  for (const auto& words : credit_words(report)) document.paragraph({.text = words, .hanging = 2});
  document.paragraph({.text = trunking_words(report), .hanging = 2});
  add_constraints(document, report);
  if (view.is_asked()) add_instances(document, report, view);
  document.paragraph({.text = zone_loss_words(report), .hanging = 2}, kTerminal | Medium::kPage);
  add_rollouts(document, report);
  const auto doubt = memory_doubt_words(report);
  document.paragraph({.text = doubt, .lead = "MEMORY UNCERTAIN ", .lead_tone = Tone::kBad}, kTerminal);
  document.paragraph({.text = doubt, .lead = "Memory uncertain:"}, kCommentAndPage);
  add_better_scheduler(document, report);
  add_costs(document, report);
}

void add_cluster_views(ReportDocument& document, const PlaceReport& cluster) {
  document.section("cluster", "Cluster map", Medium::kPage);
  document.view("cluster", "The map needs JavaScript; the tables above have the same data.");
  document.section("fragmentation", "Fragmentation", Medium::kPage);
  document.view("fragmentation", "This chart needs JavaScript.");
  document.data = [&cluster](JsonWriter& json) {
    json.begin_object();
    write_cluster_data(json, make_cluster_picture(cluster));
    json.end_object();
  };
}

/// Terminal.
std::string left_over_words(const FleetReport& report) {
  std::vector<std::string> parts;
  for (const auto& [workload, count] :
       fleet::tasks_left_over(report.plan.question, report.plan.bounded.solution.left_over))
    parts.push_back(fmt::format("{} {}", count, report.scenario.workloads[workload].name));
  return parts.empty() ? std::string() : "Not placed: " + join(parts, ", ");
}

/// What to do about tasks that no allowed type holds.
std::string_view unplaceable_advice(const FleetReport& report) {
  const auto& list = report.plan.question.unplaceable;
  if (std::all_of(list.begin(), list.end(), [](const auto& one) { return !one.contradiction.empty(); }))
    return "Change the requirements that contradict each other.";
  return "Allow other types with --types; 'bayplan fit TASKDEF' lists those that hold a task.";
}

/// Terminal: each of them, with why it fits no type below it.
void add_unplaceable_lines(ReportDocument& document, const FleetReport& report, bool are_all_shown) {
  const auto& list = report.plan.question.unplaceable;
  document.gap();
  document.line(0, "No allowed instance type fits");
  const auto shown = are_all_shown ? list.size() : std::min(kShownUnfitting, list.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& one = list[i];
    const auto& workload = report.scenario.workloads[one.workload];
    document.line(2, {in_bold(fmt::format("{} {}", one.count, workload.name)),
                      {"  " + capacity::describe(workload.requirement)}});
    document.line(4, one.contradiction);
    if (!one.contradiction.empty() && !are_all_shown) continue;
    const auto count = are_all_shown ? one.rejections.size() : std::min(kShownRejections, one.rejections.size());
    for (std::size_t rejected = 0; rejected < count; ++rejected)
      document.line(4, one.rejections[rejected].instance_type + ": " + rejection_words(one.rejections[rejected]));
    document.left_out(one.rejections.size() - count, 4);
  }
  document.left_out(list.size() - shown);
  document.line(2, unplaceable_advice(report));
}

void add_unplaceable_table(ReportDocument& document, const FleetReport& report) {
  document.section("failures", "No allowed instance type fits");
  Table table({"tasks", "names", "instance type", "reason"});
  for (const auto& one : report.plan.question.unplaceable) {
    const auto count = std::to_string(one.count);
    const auto& name = report.scenario.workloads[one.workload].name;
    if (!one.contradiction.empty()) table.add({count, name, "any", one.contradiction});
    for (const auto& rejection : one.rejections) {
      if (table.rows.size() < kReasonsOfPage)
        table.add({count, name, rejection.instance_type, rejection_words(rejection)});
    }
  }
  document.add(block::ShownTable{std::move(table)});
  document.paragraph(unplaceable_advice(report));
}

void add_unplaceable_lists(ReportDocument& document, const FleetReport& report) {
  for (const auto& one : report.plan.question.unplaceable) {
    const auto task = fmt::format("{} {}", one.count, report.scenario.workloads[one.workload].name);
    const auto contradiction = one.contradiction.empty() ? "" : ": " + one.contradiction;
    document.paragraph({in_bold(task), {" does not fit any allowed instance type" + contradiction}});
    std::vector<RichText> items;
    for (const auto& rejection : one.rejections) {
      if (items.size() < kReasonsOfComment)
        items.emplace_back(rejection.instance_type + ": " + rejection_words(rejection));
    }
    document.list(std::move(items));
  }
  document.paragraph(unplaceable_advice(report));
}

void add_rate(ReportDocument& document, const study::FamilyRate& family) {
  if (family.instances.empty()) return;
  const auto unit = family.throughput.unit.empty() ? std::string("work") : family.throughput.unit;
  const auto& name = family.throughput.family;
  const auto& best = family.instances.front();
  document.section("rate-" + name, "Throughput of " + name, Medium::kPage);
  document.paragraph("Throughput of " + name + ":", Medium::kComment);
  document.gap();
  if (best.rate_per_usd) {
    document.line(0, fmt::format("Most {} of {} per dollar: {} with {} GPU{} each on {}, {:.1f} per $/h", unit, name,
                                 count_of(best.tasks, "task"), best.gpus, best.gpus == 1 ? "" : "s", best.instance_type,
                                 *best.rate_per_usd));
  }
  document.table(rate_table(family), {.text = kShownRates});
  if (family.placed)
    document.line(
        0, fmt::format("The {} of this plan: {:.1f} {}", count_of(family.placed_tasks, "task"), *family.placed, unit));
}

/// Terminal: how standalone tasks get into the ideal fleet.
void add_start_task(ReportDocument& document, const FleetReport& report) {
  const auto tasks = tasks_to_start(report);
  const auto lines = start_task_lines(report.scenario, tasks);
  document.gap();
  if (lines.empty()) return document.line(0, "StartTask: the ideal fleet holds no standalone tasks");
  const auto note = start_task_note(tasks);
  document.line(
      0, fmt::format("The ideal fleet is {}; start its standalone tasks with{}",
                     fleet_words(report.market, report.plan.ideal.purchases), note.empty() ? "" : " (" + note + ")"));
  document.add(block::Code{.lines = join(lines, "\n"), .indent = 2}, kTerminal);
}

/// "Prices: us-east-1, 2026-07-20, Linux on demand"
std::string fleet_price_words(const FleetReport& report) {
  // Managed Instances are no purchase: their prices are among those of the market.
  const bool has_purchases = report.plan.tasks > 0 || report.managed == nullptr;
  const auto days = has_purchases ? price_dates(report.market, report.plan.purchases()) : price_dates(report.market);
  std::string text = "Prices: " + report.market.region;
  if (!days.newest.empty()) text += ", " + price_days(days.oldest, days.newest);
  return text + ", " + price_source(report) + (report.prices_file.empty() ? old_price_words(days.old, days.dated) : "");
}

/// What holds for the whole report: no first screen is too short for it.
Blocks footer_of(const FleetReport& report, bool are_compared, std::vector<Assumption> assumptions) {
  ReportDocument end("fleet");
  if (!are_compared) add_launch_type_lines(end, report);
  end.gap();
  end.add(block::SmallPrint{fleet_price_words(report)}, kTerminal);
  for (const auto& line : excluded_types_lines(report, false, " (-v)")) end.add(block::SmallPrint{line}, Medium::kText);
  for (const auto& line : excluded_types_lines(report, true)) end.add(block::SmallPrint{line}, Medium::kFullText);
  for (const auto& line : excluded_types_lines(report, false)) end.paragraph(line, kCommentAndPage);
  end.add(block::ClusterFindings{report.scenario.findings});
  if (!are_compared) end.add(block::Assumptions{assumptions}, Medium::kText);
  for (auto& one : launch_type_assumptions(report)) assumptions.push_back(std::move(one));
  end.add(block::Assumptions{std::move(assumptions)}, are_compared ? kEveryMedium : kNotFirstScreen);
  return std::move(end.blocks);
}

/// Whether somebody has to think before buying: a service of the plan cannot deploy, or a type is no longer sold.
bool has_reservations(const FleetReport& report) {
  const auto& services = report.plan.review.rollouts.services;
  const auto& purchases = report.plan.purchases();
  const auto is_retired = [&](const fleet::Purchase& one) {
    const auto* type = report.market.offers[one.offer].profile.type;
    return type != nullptr && type->is_retired();
  };
  return std::any_of(services.begin(), services.end(), [](const auto& one) { return !one.ok && one.is_tried; }) ||
         std::any_of(purchases.begin(), purchases.end(), is_retired);
}

/// The badge of the page.
Verdict verdict_of(const FleetReport& report, bool is_good) {
  if (!is_good) return {"NO", Tone::kBad};
  const Tone tone = has_reservations(report) ? Tone::kDoubtful : Tone::kGood;
  return {report.plan.optimal ? "OPTIMAL" : "FLEET", tone};
}

}  // namespace

void add_priced_line(ReportDocument& document, const FleetReport& report, MicroUsd amount, const std::string& words,
                     Media media) {
  constexpr std::size_t kWidth = 11;
  document.paragraph({.text = words,
                      .lead = fmt::format("{:>{}} ", hourly(report.market, amount), kWidth),
                      .indent = 2,
                      .lead_tone = Tone::kPlain},
                     media);
}

ReportDocument fleet_document(const FleetReport& report, const FleetView& view) {
  ReportDocument document("fleet");
  const auto& plan = report.plan;
  const auto [answer, on_demand] = fleet_answer(report);
  const auto assumptions = collect_assumptions(report);
  document.answer(report.scenario.file, answer,
                  plan.question.unplaceable.empty() && plan.left_over() == 0 && plan.contradiction.empty() &&
                      (plan.tasks == 0 || plan.fill.recommended) &&
                      (report.managed == nullptr || report.managed->unplaced.empty()),
                  kTerminal | Medium::kComment, 0, fleet_headline(report));
  if (!on_demand.empty()) document.paragraph(on_demand_words(report, on_demand), kCommentAndPage);
  document.verdict = verdict_of(report, document.is_good);
  document.prices = fleet_price_words(report);
  document.has_all_lines = view.start_task || view.cluster.is_asked();
  document.notes(notes_of(assumptions));
  add_spot(document, report);
  add_payment(document, report);
  document.line(0, on_demand);
  if (plan.tasks > 0 && plan.left_over() == 0) add_fleet(document, report, view.cluster);
  document.line(0, left_over_words(report));
  add_managed(document, report);
  if (report.cluster != nullptr) add_cluster_views(document, *report.cluster);
  if (!plan.question.unplaceable.empty()) {
    document.later(kTerminal, [&report](ReportDocument& text, const Screen& screen) {
      add_unplaceable_lines(text, report, screen.options.verbose);
    });
    document.later(Medium::kPage, [&report](ReportDocument& page) { add_unplaceable_table(page, report); });
    document.later(Medium::kComment, [&report](ReportDocument& comment) { add_unplaceable_lists(comment, report); });
  }
  if (report.launch_types.tasks > 0 || report.managed == nullptr) add_launch_types(document, report, view.compare);
  for (const auto& family : report.rates) add_rate(document, family);
  if (view.start_task) add_start_task(document, report);
  document.footer = footer_of(report, view.compare, assumptions);
  document.has_text = true;
  return document;
}

}  // namespace bayplan::report

#include <algorithm>
#include <limits>
#include <sstream>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "placement/engine/engine.hpp"
#include "placement/explain/result_summary.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/first_screen.hpp"
#include "report/document/terminal.hpp"
#include "report/fleet/filled_cluster.hpp"
#include "report/fleet/fleet_launch_types.hpp"
#include "report/fleet/fleet_payment.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_spot.hpp"
#include "report/fleet/fleet_words.hpp"
#include "report/place/place_tables.hpp"
#include "study/fleet/filled_fleet.hpp"

namespace bayplan::report {

using fleet::FilledFleet;
using study::FleetPlan;

namespace {

constexpr std::size_t kShownCheaper = 4;
constexpr std::size_t kShownNames = 3;  ///< Number of named workloads with the same constraint.
constexpr std::size_t kShownStrategies = 4;
constexpr std::size_t kShownRejections = 2;
constexpr std::size_t kShownMarginal = 6;
constexpr std::size_t kShownUnfitting = 3;
constexpr std::size_t kShownOffers = 10;  ///< Rows of what to buy.
constexpr std::size_t kShownRates = 5;
constexpr std::size_t kShownRelaxed = 4;
constexpr std::size_t kShownRelaxedSubjects = 3;
constexpr std::size_t kEverySubject = std::numeric_limits<std::size_t>::max();

/// How many of a list are shown.
std::size_t shown_of(const TextOptions& options, std::size_t all, std::size_t most) {
  return options.verbose ? all : std::min(all, most);
}

/// "and 3 more (-v)" below a list that was cut.
void write_rest(std::ostream& out, std::size_t all, std::size_t told, const Style& style) {
  if (told < all) out << "  " << style.dim(fmt::format("and {} more (-v)", all - told)) << '\n';
}

/// " (120 launch orders)": in how many the placement was simulated.
std::string confirmations(const FilledFleet& fleet) {
  return fmt::format(" ({})", count_of(fleet.orders + fleet.confirmed, "launch order"));
}

/// "  $28.076/h  binpack:memory, in any order: 26 g4dn.xlarge and 2 p2.8xlarge"
void write_priced(std::ostream& out, const FleetReport& report, MicroUsd amount, const std::string& words) {
  constexpr std::size_t kWidth = 11;
  const auto price = hourly(report.market, amount);
  const auto width = std::max(kWidth, price.size());
  out << "  " << std::string(width - price.size(), ' ') << price << "  " << wrapped(printable(words), width + 4)
      << '\n';
}

std::size_t names_of_constraint(const TextOptions& options) {
  return options.verbose ? kEverySubject - 1 : kShownNames;
}

/// Where the strategy matters.
void write_strategies(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  const auto told = compared_strategies(report);
  if (told.empty()) return;
  out << '\n' << strategies_heading(report) << '\n';
  const auto count = shown_of(options, told.size(), kShownStrategies);
  for (std::size_t i = 0; i < count; ++i)
    write_priced(out, report, told[i]->hourly_cost,
                 strategy_words(told[i]->policy) + ": " + fleet_words(report.market, told[i]->purchases) +
                     confirmations(*told[i]));
  write_rest(out, told.size(), count, options.style);
}

/// What ECS placement costs, and who fills cheaper fleets.
void write_better_scheduler(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  const auto fleets = cheaper_fleets(report, names_of_constraint(options));
  if (fleets.empty()) return;
  out << "\nA better scheduler\n";
  print_line(out, 2,
             placement_overhead(report) ? placement_overhead_words(report)
                                        : "constraints or another launch order fill a cheaper fleet");
  const auto count = shown_of(options, fleets.size(), kShownCheaper);
  for (std::size_t i = 0; i < count; ++i) write_priced(out, report, fleets[i].hourly_cost, fleets[i].words);
  write_rest(out, fleets.size(), count, options.style);
}

void write_recommended(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  auto table = fleet_table(report);
  if (table.rows.empty()) return;
  const auto left_out = options.verbose ? 0 : table.keep_rows(kShownOffers);
  print_table(out, table, options.style);
  print_left_out(out, left_out);
  const auto& use = report.plan.use();
  if (const auto resource = use.binding_resource(); !resource.empty())
    out << fmt::format("Limiting resource: {}\n", resource);
  for (const auto& words : credit_words(report)) print_line(out, 0, words);
  if (const auto words = trunking_words(report); !words.empty()) print_line(out, 0, words);
}

/// The recommended fleet as `place` would show it.
void write_instances(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  if (!options.view.wide && !options.view.chooses()) return;
  out << '\n';
  const FilledCluster filled(report);
  if (filled.report() == nullptr) {
    print_line(out, 0, "The instances are not listed: no fleet is recommended, or it holds too many tasks");
    return;
  }
  ReportDocument cluster("fleet");
  cluster.has_all_lines = true;
  add_cluster(cluster, *filled.report(), options.view);
  write_text(out, cluster, options);
  out << '\n';
}

/// The recommended fleet is filled only with these.
void write_constraints(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  const auto& filled = report.plan.fill.recommended;
  if (!filled || !keeps_apart(report, filled->policy)) return;
  out << "\nPlacement constraints to add\n";
  for (const auto& words : constraint_words(report, filled->policy, names_of_constraint(options)))
    print_line(out, 2, words);
  out << '\n';
}

/// One line for all zones.
void write_zone_losses(std::ostream& out, const FleetReport& report) {
  if (const auto words = zone_loss_words(report); !words.empty()) print_line(out, 0, words);
}

/// What room the services need to deploy.
std::string deployment_room_words(const std::vector<study::RolledService>& services) {
  const auto both = std::count_if(services.begin(), services.end(), [](const auto& one) { return one.runs_both; });
  if (both == 0) return " within its healthy percentages";
  if (static_cast<std::size_t>(both) == services.size()) return ", all new tasks next to the old ones";
  return " within its healthy percentages, or with all new tasks next to the old ones";
}

void write_rollouts(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  const auto& services = report.plan.review.rollouts.services;
  std::size_t rolling = 0;
  std::size_t untried = 0;
  for (const auto& one : services) {
    if (one.ok || !one.is_tried) {
      rolling += one.ok ? 1 : 0;
      untried += one.is_tried ? 0 : 1;
      continue;
    }
    out << options.style.bold(options.style.red("CANNOT DEPLOY")) << "  ";
    std::string text = one.service_name + ": " + one.why;
    for (const auto& missing : one.needs)
      text += fmt::format("; add {} {} to deploy it", missing.count, missing.instance_type);
    out << wrapped(printable(text), 15) << '\n';
  }
  if (untried > 0)
    print_line(out, 0,
               fmt::format("Deployments not simulated, to save time: {}",
                           count_of(static_cast<std::int64_t>(untried), "service")));
  if (rolling > 0 && rolling == services.size())
    print_line(out, 0,
               std::string(rolling == 1 ? "The service can deploy" : "Every service can deploy, one at a time,") +
                   deployment_room_words(services));
}

void write_memory_doubt(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  const auto text = memory_doubt_words(report);
  if (text.empty()) return;
  out << options.style.bold(options.style.red("MEMORY UNCERTAIN")) << "  " << wrapped(printable(text), 18) << '\n';
}

void write_marginal_prices(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  if (report.plan.has_no_bound()) return;
  const auto costs = marginal_costs(report);
  std::vector<std::string> parts;
  const auto count = shown_of(options, costs.size(), kShownMarginal);
  for (std::size_t i = 0; i < count; ++i) parts.push_back(costs[i].first + " " + costs[i].second);
  if (count < costs.size()) parts.push_back(fmt::format("and {} more (-v)", costs.size() - count));
  if (!parts.empty()) print_line(out, 0, "Marginal cost per additional task: " + join(parts, ", "));
  const auto resources = resource_price_words(report);
  if (!resources.empty()) print_line(out, 0, "Price by resource: " + join(resources, ", "));
}

void write_quotas(std::ostream& out, const FleetReport& report) {
  std::vector<std::string> parts;
  std::string unknown;
  for (const auto& used : study::vcpus_by_quota(report.market, report.plan.purchases())) {
    const std::string& quota = used.first;
    const std::int64_t vcpus = used.second;
    const auto limit = std::find_if(report.market.quotas.begin(), report.market.quotas.end(),
                                    [&](const auto& one) { return one.quota == quota; });
    const auto of = limit == report.market.quotas.end() ? "" : fmt::format(" of {}", limit->vcpus);
    if (!quota.empty()) parts.push_back(fmt::format("{} {}{}", quota, vcpus, of));
    if (quota.empty()) unknown = fmt::format("{} of types with an unknown quota", vcpus);
  }
  if (!unknown.empty()) parts.push_back(std::move(unknown));
  if (!parts.empty()) print_line(out, 0, "vCPUs counted against EC2 quotas: " + join(parts, ", "));
}

void write_alternatives(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  const auto& all = report.plan.alternatives;
  for (const auto& table : {single_type_table(report), without_type_table(report)}) {
    if (table.rows.empty()) continue;
    out << '\n';
    print_table(out, table, options.style);
  }
  if (all.impossible.empty()) return;
  if (all.list.empty()) out << '\n';
  print_line(out, 2, "Not possible alone (some task does not fit): " + join(all.impossible, ", "));
}

void write_proof(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  out << '\n';
  print_line(out, 0, proof_words(report));
  const auto relaxed = relaxation_words(report, options.verbose ? kEverySubject : kShownRelaxedSubjects);
  const auto count = shown_of(options, relaxed.size(), kShownRelaxed);
  for (std::size_t i = 0; i < count; ++i) print_line(out, 2, relaxed[i]);
  write_rest(out, relaxed.size(), count, options.style);
}

void write_left_over(std::ostream& out, const FleetReport& report) {
  std::vector<std::string> parts;
  for (const auto& [workload, count] :
       fleet::tasks_left_over(report.plan.question, report.plan.bounded.solution.left_over))
    parts.push_back(fmt::format("{} {}", count, report.scenario.workloads[workload].name));
  if (!parts.empty()) print_line(out, 0, "Not placed: " + join(parts, ", "));
}

void write_unplaceable(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  const auto& list = report.plan.question.unplaceable;
  if (list.empty()) return;
  out << "\nNo allowed instance type fits\n";
  const auto told = shown_of(options, list.size(), kShownUnfitting);
  for (std::size_t i = 0; i < told; ++i) {
    const auto& one = list[i];
    const auto& workload = report.scenario.workloads[one.workload];
    out << "  " << options.style.bold(printable(fmt::format("{} {}", one.count, workload.name))) << "  "
        << capacity::describe(workload.requirement) << '\n';
    if (!one.contradiction.empty()) print_line(out, 4, one.contradiction);
    if (!one.contradiction.empty() && !options.verbose) continue;
    const auto count = shown_of(options, one.rejections.size(), kShownRejections);
    for (std::size_t rejected = 0; rejected < count; ++rejected)
      print_line(out, 4, one.rejections[rejected].instance_type + ": " + rejection_words(one.rejections[rejected]));
    if (count < one.rejections.size())
      out << "    " << options.style.dim(fmt::format("and {} more (-v)", one.rejections.size() - count)) << '\n';
  }
  write_rest(out, list.size(), told, options.style);
  print_line(out, 2, unplaceable_advice(report));
}

void write_rates(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  for (const auto& family : report.rates) {
    if (family.instances.empty()) continue;
    const auto unit = family.throughput.unit.empty() ? std::string("work") : family.throughput.unit;
    const auto& best = family.instances.front();
    out << '\n';
    if (best.rate_per_usd) {
      print_line(out, 0,
                 fmt::format("Most {} of {} per dollar: {} with {} GPU{} each on {}, {:.1f} per $/h", unit,
                             family.throughput.family, count_of(best.tasks, "task"), best.gpus,
                             best.gpus == 1 ? "" : "s", best.instance_type, *best.rate_per_usd));
    }
    auto table = rate_table(family);
    const auto left_out = options.verbose ? 0 : table.keep_rows(kShownRates);
    print_table(out, table, options.style);
    print_left_out(out, left_out);
    if (family.placed)
      print_line(
          out, 0,
          fmt::format("The {} of this plan: {:.1f} {}", count_of(family.placed_tasks, "task"), *family.placed, unit));
  }
}

void write_start_task(std::ostream& out, const FleetReport& report) {
  const auto tasks = tasks_to_start(report);
  const auto lines = start_task_lines(report.scenario, tasks);
  if (lines.empty()) {
    out << "\nStartTask: the ideal fleet holds no standalone tasks\n";
    return;
  }
  const auto note = start_task_note(tasks);
  out << '\n';
  print_line(
      out, 0,
      fmt::format("The ideal fleet is {}; start its standalone tasks with{}",
                  fleet_words(report.market, report.plan.ideal.purchases), note.empty() ? "" : " (" + note + ")"));
  for (const auto& text : lines) out << "  " << printable(text) << '\n';
}

void write_not_planned_with(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  for (const auto& line : excluded_types_lines(report, options.verbose, " (-v)"))
    out << options.style.dim(wrapped(printable(line), 2)) << '\n';
}

void write_prices(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  out << '\n' << options.style.dim(wrapped(printable(fleet_price_words(report)), 2)) << '\n';
  write_not_planned_with(out, report, options);
}

/// What the plan was compared with, and why nothing is cheaper.
void write_analysis(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  write_marginal_prices(out, report, options);
  write_quotas(out, report);
  write_alternatives(out, report, options);
  write_proof(out, report, options);
}

void write_plan(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  write_recommended(out, report, options);
  write_constraints(out, report, options);
  write_instances(out, report, options);
  write_zone_losses(out, report);
  write_rollouts(out, report, options);
  write_memory_doubt(out, report, options);
  write_better_scheduler(out, report, options);
  if (options.verbose) write_strategies(out, report, options);
  if (options.verbose) write_analysis(out, report, options);
}

/// One line for all where they are not asked for.
void write_launch_type_lines(std::ostream& out, const FleetReport& report) {
  const auto load = load_cost_words(report);
  const auto words = load.empty() ? launch_types_words(report) : load + " (--compare)";
  if (words.empty()) return;
  print_line(out, 0, words);
  const auto& arm64 = report.launch_types.arm64;
  if (arm64 && arm64->hourly_cost < report.plan.ideal.hourly_cost) print_line(out, 0, arm64_words(report));
}

void write_body(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  const auto [answer, on_demand] = fleet_answer(report);
  // A quiet report is one sentence, for all of it.
  out << options.style.answer(wrapped(printable(options.quiet ? fleet_headline(report) : answer), 0)) << '\n';
  write_notes(out, collect_assumptions(report), options.style);
  if (options.quiet) return;
  write_spot_text(out, report, options);
  write_payment_text(out, report, options);
  if (!on_demand.empty()) print_line(out, 0, on_demand);
  if (report.plan.tasks > 0 && report.plan.left_over() == 0) write_plan(out, report, options);
  write_left_over(out, report);
  write_unplaceable(out, report, options);
  if (options.compare || options.verbose) write_launch_types_text(out, report, options.style);
  write_rates(out, report, options);
  if (options.start_task) write_start_task(out, report);
}

/// What holds for the whole report: no first screen is too short for it.
void write_footer(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  if (!options.compare && !options.verbose) write_launch_type_lines(out, report);
  write_prices(out, report, options);
  write_cluster_findings_text(out, report.scenario.findings, options.verbose, options.style);
  auto assumptions = collect_assumptions(report);
  if (options.compare || options.verbose) {
    for (auto& one : launch_type_assumptions(report)) assumptions.push_back(std::move(one));
  }
  write_assumptions_text(out, assumptions, options.verbose, options.style);
}

}  // namespace

void write_fleet_text(std::ostream& out, const FleetReport& report, const FleetTextOptions& options) {
  std::ostringstream body;
  std::ostringstream footer;
  write_body(body, report, options);
  if (!options.quiet) write_footer(footer, report, options);
  const bool is_complete = options.verbose || options.start_task || options.view.wide || options.view.chooses();
  write_first_screen(out, body.str(), footer.str(), is_complete);
}

}  // namespace bayplan::report

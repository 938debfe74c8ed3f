#include "report/place/place_report.hpp"

#include "report/document/cpu_credits.hpp"
#include "report/place/placement_assumptions.hpp"

namespace bayplan::report {

namespace {

PlaceReport make_report(const placement::Scenario& scenario, const placement::Outcome& outcome,
                        std::optional<placement::TieRuns> runs, placement::TieOrders tie_orders) {
  PlaceReport report{scenario,
                     outcome,
                     placement::summarize(scenario, outcome),
                     placement::free_gpus(scenario, outcome),
                     placement::gpu_room(scenario, outcome),
                     placement::cluster_findings(scenario, outcome),
                     {},
                     scenario.assumptions,
                     std::move(runs),
                     std::move(tie_orders)};
  const auto own = placement_assumptions(outcome.facts);
  report.assumptions.insert(report.assumptions.end(), own.begin(), own.end());
  if (auto credits = uncounted_credits(scenario, outcome.instances)) report.assumptions.push_back(std::move(*credits));
  return report;
}

}  // namespace

PlaceReport make_place_report(const placement::Scenario& scenario, const placement::Outcome& outcome,
                              std::optional<placement::TieRuns> runs) {
  auto orders = runs ? placement::TieOrders{.tried = runs->runs, .fit = runs->placed_all, .others = {}}
                     : placement::try_tie_orders(scenario, outcome);
  return make_report(scenario, outcome, std::move(runs), std::move(orders));
}

PlaceReport make_report_of_one_order(const placement::Scenario& scenario, const placement::Outcome& outcome) {
  return make_report(scenario, outcome, std::nullopt, placement::one_tie_order(outcome));
}

std::vector<FitLimit> limits_of(const PlaceReport& report) {
  const auto& workloads = report.scenario.workloads;
  std::vector<FitLimit> all(workloads.size());
  for (const auto& placement : report.outcome.placements) ++all[placement.attempt.workload].fit;
  for (const auto& limit : report.outcome.limits) all[limit.attempt.workload].why = &limit;
  std::vector<FitLimit> limits;
  for (std::uint32_t i = 0; i < workloads.size(); ++i) {
    if (workloads[i].count || workloads[i].kind == placement::WorkloadKind::kDaemon) continue;
    limits.push_back({i, all[i].fit, all[i].why});
  }
  return limits;
}

GpuMemory gpu_memory(const placement::InstanceProfile& profile, const placement::GpuDevice& device) {
  const bool as_advertised =
      profile.gpu_memory_estimated && !profile.gpu_sharing && profile.type != nullptr && profile.type->gpu.has_value();
  const MiB total = as_advertised ? profile.type->gpu->memory : device.memory;
  if (device.state == placement::GpuState::kIdle) return {total, total};
  return {total, device.remaining_memory};
}

}  // namespace bayplan::report

#include "fleet/ideal/equivalent_tasks.hpp"

#include <algorithm>

#include "placement/engine/engine.hpp"

namespace bayplan::fleet {

using placement::Scenario;
using placement::Workload;
using placement::WorkloadKind;

namespace {

bool has_tasks(const Workload& workload) {
  return workload.kind != WorkloadKind::kDaemon && workload.count != 0;
}

/// Nothing but the instance and the tasks on it decides whether one more fits.
bool is_plain(const Workload& workload) {
  return workload.capacity_providers.size() < 2 && !workload.all_or_nothing &&
         std::none_of(workload.constraints.begin(), workload.constraints.end(), [](const auto& constraint) {
           return constraint.expression != nullptr && constraint.expression->depends_on_tasks();
         });
}

std::uint32_t first_with_tasks(const Scenario& tasks) {
  const auto found = std::find_if(tasks.workloads.begin(), tasks.workloads.end(), has_tasks);
  return static_cast<std::uint32_t>(found - tasks.workloads.begin());
}

}  // namespace

bool EquivalentTasks::are_equivalent(const Scenario& tasks, const FillRequest& request) {
  return !request.keeps_cluster && !request.survives_zone_loss &&
         std::count_if(tasks.workloads.begin(), tasks.workloads.end(), has_tasks) == 1 &&
         std::all_of(tasks.workloads.begin(), tasks.workloads.end(), is_plain);
}

EquivalentTasks::EquivalentTasks(const Scenario& tasks, const Market& market, const FillRequest& request)
    : tasks_(tasks), market_(market), request_(request), workload_(first_with_tasks(tasks)) {}

std::int64_t EquivalentTasks::compute_room(const Purchase& purchase) {
  const auto [known, is_new] = room_.try_emplace({purchase.offer, purchase.availability_zone}, 0);
  if (!is_new) return known->second;
  Scenario alone = with_purchases(tasks_, market_, {{purchase.offer, purchase.availability_zone, 1}}, false);
  alone.workloads[workload_].count = std::nullopt;  // as many as fit, after daemons
  alone.calls.clear();
  const auto outcome = placement::place(alone);
  known->second = std::count_if(outcome.placements.begin(), outcome.placements.end(),
                                [&](const auto& placement) { return placement.attempt.workload == workload_; });
  placed_ += known->second + 1;
  return known->second;
}

std::int64_t EquivalentTasks::left_over(const Purchases& purchases) {
  std::int64_t left = *tasks_.workloads[workload_].count;
  for (const Purchase& one : dealt(purchases, request_.zones)) left -= compute_room(one) * one.count;
  return std::max<std::int64_t>(0, left);
}

}  // namespace bayplan::fleet

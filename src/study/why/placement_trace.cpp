#include "study/why/placement_trace.hpp"

#include <map>
#include <tuple>

#include "placement/model/constraints.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

PlacementTrace::PlacementTrace(const Scenario& scenario, const Outcome& outcome, const PlacementAttempt& attempt)
    : scenario_(scenario),
      outcome_(outcome),
      turn_(attempt),
      standing_(cluster_at_attempt(scenario, outcome, attempt)),
      filter_(scenario, standing_.groups, scenario.workloads[attempt.workload], standing_.group_of[attempt.workload]) {
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    auto rejection = filter_.reject(i, standing_.states[i], capacity_provider());
    rejection.failed.empty() ? funnel_.candidates.push_back(i) : rejections_.push_back(std::move(rejection));
  }
  fill_funnel();
}

std::vector<PlacementTrace::BrokenConstraint> PlacementTrace::broken_constraints(std::uint32_t instance) const {
  std::vector<BrokenConstraint> broken;
  const ProfileView view(profile_of(instance), &standing_.states[instance], &standing_.groups);
  const auto& constraints = workload().constraints;
  for (std::uint32_t i = 0; i < constraints.size(); ++i) {
    if (!constraints[i].expression) continue;
    auto because = constraints[i].expression->explain(view);
    if (!because.empty()) broken.push_back({i, std::move(because)});
  }
  return broken;
}

void PlacementTrace::fill_funnel() {
  // Status and constraint distinguish steps of one check.
  std::map<std::tuple<Check, InstanceStatus, std::uint32_t>, FunnelStep> steps;
  for (const auto& rejection : rejections_) {
    FunnelStep step;
    step.check = rejection.failed.first();
    if (step.check == Check::kStatus) step.status = profile_of(rejection.instance).status;
    if (step.check == Check::kMemberOf) {
      const auto broken = broken_constraints(rejection.instance);
      if (!broken.empty()) step.constraint = broken.front().constraint;
    }
    auto& known = steps.try_emplace({step.check, step.status, step.constraint.value_or(0)}, step).first->second;
    ++known.removed;
    if (known.instances.size() < kFunnelNames) known.instances.push_back(rejection.instance);
  }
  funnel_.instances = static_cast<std::int64_t>(scenario_.instances.size());
  std::int64_t left = funnel_.instances;
  for (auto& [key, step] : steps) {
    left -= step.removed;
    step.left = left;
    funnel_.steps.push_back(std::move(step));
  }
}

}  // namespace bayplan::study

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "placement/engine/checks.hpp"
#include "placement/engine/filters.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "study/simulation/cluster_at_attempt.hpp"

namespace bayplan::study {

/// One check, and the instances that it takes out: those that passed all checks before it.
struct FunnelStep {
  placement::Check check = placement::Check::kStatus;
  placement::InstanceStatus status =
      placement::InstanceStatus::kActive;  ///< Status of a kStatus step; each status has its own step.
  std::optional<std::uint32_t>
      constraint;  ///< The first constraint that fails in a kMemberOf step, as an index into the workload's.
  std::int64_t removed = 0;
  std::int64_t left = 0;
  std::vector<std::uint32_t> instances;  ///< The first of those removed, at most kFunnelNames.
};

inline constexpr std::size_t kFunnelNames = 10;

/// The steps from every instance of the cluster to the candidates, in the order of checks, if they remove any.
struct Funnel {
  std::int64_t instances = 0;
  std::vector<FunnelStep> steps;
  std::vector<std::uint32_t> candidates;  ///< Listed in file order.
};

/// One placement attempt looked at again: the cluster as the task found it, and what each instance answered.
class PlacementTrace {
 public:
  /// `outcome` of `scenario`, both of which must outlive this; `attempt` one of its attempts, of no daemon.
  PlacementTrace(const placement::Scenario& scenario, const placement::Outcome& outcome,
                 const placement::PlacementAttempt& attempt);
  PlacementTrace(const PlacementTrace&) = delete;
  PlacementTrace& operator=(const PlacementTrace&) = delete;

  const placement::Scenario& scenario() const { return scenario_; }
  const placement::Outcome& outcome() const { return outcome_; }
  const placement::PlacementAttempt& attempt() const { return turn_; }
  /// Name of the capacity provider chosen for the task; empty = none.
  std::string_view capacity_provider() const { return placement::capacity_provider_of(scenario_, turn_); }
  const placement::Workload& workload() const { return scenario_.workloads[turn_.workload]; }
  const ClusterAtAttempt& standing() const { return standing_; }
  const placement::Filter& filter() const { return filter_; }
  const placement::InstanceProfile& profile_of(std::uint32_t instance) const {
    return scenario_.profiles[scenario_.instances[instance].profile];
  }

  /// The rejection by every instance that does not take the task, in file order.
  const std::vector<placement::Rejection>& rejections() const { return rejections_; }
  const Funnel& funnel() const { return funnel_; }

  /// The task's own constraints that the instance does not satisfy: index, and why in words.
  struct BrokenConstraint {
    std::uint32_t constraint = 0;
    std::string because;  ///< "attribute stack is dev, wanted prod"
  };
  std::vector<BrokenConstraint> broken_constraints(std::uint32_t instance) const;

 private:
  void fill_funnel();

  const placement::Scenario& scenario_;
  const placement::Outcome& outcome_;
  placement::PlacementAttempt turn_;
  ClusterAtAttempt standing_;
  placement::Filter filter_;
  std::vector<placement::Rejection> rejections_;
  Funnel funnel_;
};

}  // namespace bayplan::study

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "placement/filters.hpp"
#include "placement/outcome.hpp"
#include "placement/scenario.hpp"
#include "study/funnel.hpp"
#include "study/standing.hpp"

namespace bayplan::study {

/// One task's turn looked at again: the cluster as the task found it, and what each instance answered.
class Inquiry {
 public:
  /// `outcome` of `scenario`, both of which must outlive this; `turn` one of its turns, of no daemon.
  Inquiry(const placement::Scenario& scenario, const placement::Outcome& outcome, const placement::Turn& turn);
  Inquiry(const Inquiry&) = delete;
  Inquiry& operator=(const Inquiry&) = delete;

  const placement::Scenario& scenario() const { return scenario_; }
  const placement::Outcome& outcome() const { return outcome_; }
  const placement::Turn& turn() const { return turn_; }
  const placement::Workload& workload() const { return scenario_.workloads[turn_.workload]; }
  const Standing& standing() const { return standing_; }
  const placement::Filter& filter() const { return filter_; }
  const placement::InstanceProfile& profile_of(std::uint32_t instance) const {
    return scenario_.profiles[scenario_.instances[instance].profile];
  }

  /// Of every instance that does not take the task, in file order.
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
  placement::Turn turn_;
  Standing standing_;
  placement::Filter filter_;
  std::vector<placement::Rejection> rejections_;
  Funnel funnel_;
};

}  // namespace bayplan::study

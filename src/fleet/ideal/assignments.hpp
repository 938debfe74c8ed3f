#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "packing/packing_problem.hpp"
#include "placement/model/scenario.hpp"

/// Converts a packing back to tasks on instances.
namespace bayplan::fleet {

/// A number of tasks of one workload.
struct TasksOf {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::int64_t count = 0;
  auto operator<=>(const TasksOf&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 reads the 0 that it makes
};

/// What one instance is to hold in addition to its daemons.
struct Assignment {
  std::string instance;        ///< Its id: that of the scenario, or as `with_purchases` names what the packing buys.
  std::uint32_t bin_type = 0;  ///< Index into Question::bins.
  std::vector<TasksOf> tasks;  ///< Listed in the order in which they are to be started (start_order.hpp).
};

/// One entry a bin: existing ones first, then by offer and zone.
std::vector<Assignment> assignments(const placement::Scenario& scenario, const Market& market, const Question& question,
                                    const packing::Packing& packing, bool keeps_cluster);

/// The packing with new instances dealt in turn to the zones that all their tasks may run in, those first that may run
/// in the fewest. A packing of bins that are distinguished by zone puts all of them into the first.
packing::Packing dealt_to_zones(const Question& question, const packing::Packing& packing);

/// The rest of each shape as tasks of workloads: those that `assignments` comes to last. By workload.
std::vector<TasksOf> tasks_left_over(const Question& question, const std::vector<std::int64_t>& left_over);

struct Repaired {
  packing::Packing packing;
  std::vector<std::int64_t> left_over;  ///< Tasks of the packing without a bin, as limits require: one number a shape.
};

/// The packing made true: each bin's tasks are put on an instance one after the other, and those that placement does
/// not take there, as the problem says less than it, move to other bins, new ones where they must. The same packing
/// when all fit.
Repaired repaired(const placement::Scenario& scenario, const Market& market, const Question& question,
                  const packing::Packing& packing);

}  // namespace bayplan::fleet

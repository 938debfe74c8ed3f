#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fleet/market.hpp"
#include "fleet/question.hpp"
#include "packing/packing_problem.hpp"
#include "placement/scenario.hpp"

/// From a packing back to tasks on instances.
namespace bayplan::fleet {

/// So many tasks of one workload.
struct TasksOf {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::int64_t count = 0;
  auto operator<=>(const TasksOf&) const = default;
};

/// What one instance is to hold beside its daemons.
struct Assignment {
  std::string instance;        ///< Its id: as it stands, or as `with_purchases` names what the packing buys.
  std::uint32_t bin_type = 0;  ///< Index into Question::bins.
  std::vector<TasksOf> tasks;  ///< By workload.
};

/// One entry a bin: those that stand first, then by offer and zone.
std::vector<Assignment> assignments(const placement::Scenario& scenario, const Market& market, const Question& question,
                                    const packing::Packing& packing, bool keeps_cluster);

/// The packing made true: each bin's tasks are put on an instance one after the other, and those that placement does
/// not take there, as the problem says less than it, move to other bins, new ones where they must. The same packing
/// when all fit. Nothing when the limits of offers leave tasks over.
std::optional<packing::Packing> repaired(const placement::Scenario& scenario, const Market& market,
                                         const Question& question, const packing::Packing& packing);

}  // namespace bayplan::fleet

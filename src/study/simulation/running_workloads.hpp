#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "placement/model/scenario.hpp"

namespace bayplan::study {

/// The workloads that start the tasks of a live cluster again. Where none of the scenario's workloads does, one is
/// made: of a service as far as it is described, of a standalone task from its definition alone.
class RunningWorkloads {
 public:
  /// Appends to the scenario's workloads, each with a count of 0.
  explicit RunningWorkloads(placement::Scenario& scenario);

  /// Index into Scenario::workloads. Not for tasks of daemon services, which are not started elsewhere.
  std::uint32_t workload_of(const placement::RunningTask& task);
  /// The scenario lacks the definition of its tasks: what they need is unknown.
  bool is_unknown(std::uint32_t workload) const { return workload < unknown_.size() && unknown_[workload] != 0; }

 private:
  std::uint32_t make(const placement::RunningTask& task);

  placement::Scenario& scenario_;
  std::map<std::string_view, std::uint32_t> definitions_;                     ///< Keyed by name.
  std::map<std::string, std::uint32_t, std::less<>> services_;                ///< Keyed by group.
  std::map<std::tuple<std::string, std::string>, std::uint32_t> standalone_;  ///< Keyed by group and definition.
  std::vector<char> unknown_;                                                 ///< One entry per workload.
};

}  // namespace bayplan::study

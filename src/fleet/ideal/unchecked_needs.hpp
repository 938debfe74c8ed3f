#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/ideal/empty_bins.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::fleet {

/// What a task needs of an instance and ECS does not look at: its processor and system (runtimePlatform), the kind of
/// its GPUs.
class UncheckedNeeds {
 public:
  /// `bins` must outlive it.
  explicit UncheckedNeeds(const EmptyBins& bins);

  /// "PCIe, wants NVLink", "arm64, wants x86_64"; empty when the instance has what the workload's tasks need.
  std::string unmet(std::uint32_t workload, std::uint32_t bin) const;

  /// Leaves out of `allowed`, one entry a bin, those without what the tasks need. Images that do not say for which
  /// processor they are stay on `usual` ones wherever one is allowed.
  void restrict(std::uint32_t workload, const std::set<std::string>& usual, std::vector<bool>& allowed);

  /// What keeps tasks off what was left out so far, for ECS to heed; workloads ascend.
  std::vector<std::pair<std::uint32_t, placement::Constraint>> constraints() const;

  /// Workloads kept off a processor that they do not name, ascending.
  const std::set<std::uint32_t>& unstated() const { return unstated_; }

 private:
  /// What bins were left out by.
  struct ExclusionCause {
    std::set<std::string> architectures;
    std::optional<bool> windows;  ///< Instances with this system.
    bool gpus = false;
  };

  std::string unmet_gpus(std::uint32_t workload, std::uint32_t bin) const;
  std::string unmet_architecture(std::uint32_t workload, std::uint32_t bin) const;
  bool is_wrong_system(std::uint32_t workload, std::uint32_t bin) const;
  std::string type_constraint(std::uint32_t workload) const;

  const EmptyBins& bins_;
  std::vector<std::vector<capacity::StatedNeeds>> needs_;  ///< Indexed by definition, then by container.
  std::vector<std::string> architectures_;                 ///< One entry per bin; empty = any.
  std::vector<char> windows_;                              ///< One entry per bin.
  std::map<std::uint32_t, ExclusionCause> left_out_;       ///< Keyed by workload.
  std::set<std::uint32_t> unstated_;
};

/// Processors of the scenario's instances; x86_64 when it has none.
std::set<std::string> usual_architectures(const placement::Scenario& scenario);

}  // namespace bayplan::fleet

#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "placement/scenario.hpp"

namespace bayplan::placement {

/// The tasks of one workload on one capacity provider: what fits one of them fits all, and they rank instances alike.
/// Numbered over the scenario.
class TaskClasses {
 public:
  explicit TaskClasses(const Scenario& scenario);

  std::size_t size() const { return workloads_.size(); }
  /// `provider`: position in the workload's capacity providers; 0 when it has none.
  std::uint32_t number(std::uint32_t workload, std::size_t provider) const {
    return first_[workload] + static_cast<std::uint32_t>(provider);
  }
  std::uint32_t workload_of(std::uint32_t task_class) const { return workloads_[task_class]; }
  /// Empty when the workload names no provider.
  std::string_view provider_of(std::uint32_t task_class) const { return providers_[task_class]; }

 private:
  std::vector<std::uint32_t> first_;  ///< By workload.
  std::vector<std::uint32_t> workloads_;
  std::vector<std::string_view> providers_;
};

}  // namespace bayplan::placement

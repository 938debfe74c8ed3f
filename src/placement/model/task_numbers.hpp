#pragma once
#include <cstdint>
#include <vector>

#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// The numbers that tasks get as they come: "<name>#<number>", from 1. Workloads of one name are counted together.
class TaskNumbers {
 public:
  explicit TaskNumbers(const std::vector<Workload>& workloads);

  std::int64_t next(std::uint32_t workload) { return ++given_[name_of_[workload]]; }

 private:
  std::vector<std::uint32_t> name_of_;  ///< One entry per workload.
  std::vector<std::int64_t> given_;     ///< Sorted by name.
};

}  // namespace bayplan::placement

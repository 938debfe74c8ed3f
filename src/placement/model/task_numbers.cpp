#include "placement/model/task_numbers.hpp"

#include <map>
#include <string_view>

namespace bayplan::placement {

TaskNumbers::TaskNumbers(const std::vector<Workload>& workloads) {
  std::map<std::string_view, std::uint32_t> names;
  for (const auto& workload : workloads) {
    const auto next = static_cast<std::uint32_t>(names.size());
    name_of_.push_back(names.try_emplace(workload.name, next).first->second);
  }
  given_.resize(names.size());
}

}  // namespace bayplan::placement

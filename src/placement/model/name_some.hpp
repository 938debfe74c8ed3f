#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// "p3.2xlarge#1", "p3.2xlarge#1 and 3 more"; there must be one.
inline std::string name_some(const Scenario& scenario, const std::vector<std::uint32_t>& instances) {
  const std::string& first = scenario.instances[instances.front()].id;
  return instances.size() == 1 ? first : fmt::format("{} and {} more", first, instances.size() - 1);
}

}  // namespace bayplan::placement

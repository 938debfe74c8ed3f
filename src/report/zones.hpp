#pragma once
#include <map>
#include <string>

#include "placement/scenario.hpp"

namespace bayplan::report {

/// "us-east-2a" as "2a", where no two zones of the cluster would look alike; by zone.
std::map<std::string, std::string> short_zones(const placement::Scenario& scenario);

}  // namespace bayplan::report

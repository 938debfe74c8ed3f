#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "placement/scenario.hpp"
#include "placement/summary.hpp"

/// What every format says of a cluster and its instances in the same words.
namespace bayplan::report {

/// "4 instances: $26.40/h (us-east-2), CPU 12%, MEM 4%, GPU 8 of 16 in use, 2 stranded"
std::string cluster_totals(const placement::Scenario& scenario, const placement::Summary& summary);

/// "DRAINING", "agent not connected"; empty for an instance that takes tasks.
std::string_view instance_state_words(const placement::InstanceProfile& profile);

/// Network interfaces for tasks; nothing where nobody states how many there are.
std::optional<std::int64_t> stated_interfaces(const placement::InstanceProfile& profile);

}  // namespace bayplan::report

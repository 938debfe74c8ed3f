#include "placement/engine/checks.hpp"

#include <bit>

namespace bayplan::placement {

std::string reason_text(Check check, InstanceStatus status) {
  switch (check) {
    case Check::kStatus:
      return "STATUS:" + std::string(name_of(status));
    case Check::kCapacityProvider:
      return "CAPACITY_PROVIDER";
    case Check::kAgent:
      return "AGENT";
    case Check::kAttribute:
      return "ATTRIBUTE";
    case Check::kLocation:
      return "LOCATION";
    case Check::kCpu:
      return "RESOURCE:CPU";
    case Check::kMemory:
      return "RESOURCE:MEMORY";
    case Check::kPorts:
      return "RESOURCE:PORTS";
    case Check::kGpu:
      return "RESOURCE:GPU";
    case Check::kNeuronDevice:
      return "RESOURCE:NEURON_DEVICE";
    case Check::kNetworkInterface:
      return "RESOURCE:ENI";
    case Check::kEbsAttachment:
      return "RESOURCE:EBS";
    case Check::kMemberOf:
      return "MemberOf placement constraint unsatisfied.";
    case Check::kDistinctInstance:
      return "DistinctInstance placement constraint unsatisfied.";
  }
  return {};
}

Check CheckSet::first() const {
  return static_cast<Check>(std::countr_zero(bits_));
}

std::vector<Check> CheckSet::list() const {
  std::vector<Check> checks;
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    if (has(static_cast<Check>(i))) checks.push_back(static_cast<Check>(i));
  }
  return checks;
}

}  // namespace bayplan::placement

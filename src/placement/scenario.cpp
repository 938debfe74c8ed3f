#include "placement/scenario.hpp"

namespace bayplan::placement {

std::string_view Strategy::attribute() const {
  constexpr std::string_view kPrefix = "attribute:";
  const std::string_view text = field;
  return text.starts_with(kPrefix) ? text.substr(kPrefix.size()) : std::string_view();
}

std::string_view name_of(InstanceStatus status) {
  switch (status) {
    case InstanceStatus::kActive:
      return "ACTIVE";
    case InstanceStatus::kDraining:
      return "DRAINING";
    case InstanceStatus::kRegistering:
      return "REGISTERING";
    case InstanceStatus::kDeregistering:
      return "DEREGISTERING";
    case InstanceStatus::kRegistrationFailed:
      return "REGISTRATION_FAILED";
    case InstanceStatus::kInactive:
      return "INACTIVE";
  }
  return "ACTIVE";
}

}  // namespace bayplan::placement

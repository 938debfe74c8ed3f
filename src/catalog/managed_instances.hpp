#pragma once
#include <cstdint>
#include <string>

#include "base/units.hpp"
#include "catalog/catalog.hpp"

namespace bayplan::catalog {

/// What ECS Managed Instances make of an instance type.
struct ManagedInstances {
  std::string why_not;  ///< Why the type is not available there: "it has one vCPU"; empty when it is.
  /// The guide lists the sisters of the family and not itself, or the catalog's list is older than the family: it is
  /// not planned with, and nothing says that ECS refuses it.
  bool may_be_offered = false;
  std::int64_t fee_millionths = 0;  ///< Share of the On-Demand price that is paid in addition: 120,000 is 12 %.
  std::string source;               ///< Key of Catalog::sources().
  std::string date;                 ///< ISO 8601 day.

  bool is_available() const { return why_not.empty(); }
  /// An hour, rounded to the nearest micro-USD, halves up. `on_demand`: before discounts, as the fee is a price of
  /// the type.
  MicroUsd fee(MicroUsd on_demand) const;
};

/// By data/managed-instances.csv.
ManagedInstances managed_instances(const InstanceType& type);

/// Types of the families T: left out unless the capacity provider includes burstable types
/// (ECS API, instanceRequirements.burstablePerformance, excluded by default).
bool is_burstable(const InstanceType& type);

}  // namespace bayplan::catalog

#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "model/managed_instances.hpp"

/// Which instance types a capacity provider of ECS Managed Instances may launch: its `instanceRequirements` against the
/// catalog.
namespace bayplan::capacity {

/// One requirement and how many of the types that passed those before it it leaves.
struct RequirementStep {
  std::string_view key;  ///< "vCpuCount"
  std::size_t left = 0;
};

struct MatchedTypes {
  std::vector<const catalog::InstanceType*> types;  ///< In the order of the catalog.
  std::vector<RequirementStep> steps;               ///< Listed in the order in which they are applied.
  /// Stated requirements on which the catalog has no data: types are not excluded by them.
  std::vector<std::string_view> not_judged;
  /// No type matches, and one that the catalog lacks may: a pattern or value of the requirements is of none in it.
  bool may_match_newer = false;

  /// The first step that leaves nothing; null if a type is left.
  const RequirementStep* first_empty() const;
};

/// Applies each stated requirement, and the defaults of those that are not (API_InstanceRequirementsRequest of Amazon
/// ECS: bare metal and burstable types are excluded, local storage is included). Only types that ECS Managed Instances
/// offers (catalog/managed_instances.hpp) match. The CPU manufacturer follows from the name of a type (EC2 user guide,
/// instance type naming conventions); types with accelerators are not judged by it.
MatchedTypes match_instance_types(const model::InstanceRequirements& requirements, const catalog::Catalog& catalog);

/// Ranges whose minimum exceeds their maximum.
std::vector<const model::NumberRange*> find_empty_ranges(const model::InstanceRequirements& requirements);

}  // namespace bayplan::capacity

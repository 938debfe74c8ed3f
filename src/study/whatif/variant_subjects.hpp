#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "study/whatif/planned_instances.hpp"

/// What variations name, looked up; errors have no place yet.
namespace bayplan::study {

/// Instances of an id or a glob, in file order.
Result<std::vector<std::uint32_t>> instances_named(const PlannedInstances& planned, std::string_view name);

/// All instances of the zone.
Result<std::vector<std::uint32_t>> instances_in(const PlannedInstances& planned, std::string_view zone);

/// Counts the planned instances of each type.
std::map<std::string, std::int64_t> list_types(const PlannedInstances& planned);
/// "no instance is a p3.2xlarge", with the nearest of the types that there are.
/// `scenario`: what was planned for.
Error no_such_type(const placement::Scenario& scenario, const PlannedInstances& planned,
                   std::string_view instance_type);

/// A service, by its name or as "service:NAME".
Result<std::uint32_t> service_named(const placement::Scenario& scenario, std::string_view name);

/// A service that is no daemon, or the RunTask calls of a family, by name, "service:NAME" or "family:NAME".
Result<std::vector<std::uint32_t>> scalable_named(const placement::Scenario& scenario, std::string_view name);

/// The definition of a file, or "train" (its newest revision), "train:2".
Result<std::uint32_t> definition_named(const placement::Scenario& scenario, std::string_view reference);

}  // namespace bayplan::study

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "placement/model/scenario.hpp"
#include "scenario/arguments.hpp"
#include "study/whatif/planned_instances.hpp"

/// Instances that a fix may add. A fix is simulated with what its words make of it, never with more: an instance here
/// is what `whatif --add` adds for the argument.
namespace bayplan::study {

struct Addition {
  scenario::InstancesArgument argument;  ///< `count` of them.
  placement::InstanceProfile profile;
  /// Profile of the cluster that it is like; nothing for a type of the catalog.
  std::optional<std::uint32_t> like;

  std::optional<MicroUsd> hourly_cost() const;
};

/// One more of what the cluster has: each type in each zone, and with the attributes and the capacity provider of its
/// instances there, where those are not common to all of the type. Cheapest first, each before what needs more words.
std::vector<Addition> additions_like_cluster(const placement::Scenario& scenario, const PlannedInstances& planned);

/// One of a type of the catalog; nothing where what it registers is not known.
std::optional<Addition> addition_of_type(const placement::Scenario& scenario, const PlannedInstances& planned,
                                         const catalog::Catalog& catalog, const std::string& instance_type,
                                         const std::string& zone);

/// All of them behind the others.
placement::AddInstances add_instances(const std::vector<Addition>& additions);

std::vector<scenario::InstancesArgument> arguments_of(const std::vector<Addition>& additions);

/// Nothing when a price is not known.
std::optional<MicroUsd> hourly_cost(const std::vector<Addition>& additions);

}  // namespace bayplan::study

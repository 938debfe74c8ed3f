#pragma once
#include <optional>

#include "catalog/catalog.hpp"
#include "placement/model/outcome.hpp"
#include "study/remedy.hpp"
#include "study/why/placement_trace.hpp"
#include "study/why/snapshot.hpp"

namespace bayplan::study {

/// Changes with which a task that was not placed is placed, and nothing else is left out that was placed before. Those
/// that cost nothing come in the order of how little they disturb. `snapshot`: of its attempt. `catalog` may be null:
/// no type that the cluster lacks then.
Remedies find_remedies(const PlacementTrace& trace, const Snapshot& snapshot, const catalog::Catalog* catalog);

/// The cheapest single instance, of a kind that the cluster has, with which every task is placed. Nothing when none is
/// enough, when nothing failed, or when trying would take too long.
std::optional<Remedy> one_more_instance(const placement::Scenario& scenario, const placement::Outcome& outcome);

}  // namespace bayplan::study

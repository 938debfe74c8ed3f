#pragma once
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

/// Changes with which every task is placed: another order of RunTask calls, another strategy of all of them, or
/// instances of one type, which are the fewest of each type that the cluster has, or, where no number of those helps,
/// of the cheapest types on sale that hold the tasks that failed. Nothing is tried when nothing failed, nor under a
/// policy in addition to ECS. `catalog` may be null: no type that the cluster lacks then.
Remedies find_place_remedies(const placement::Scenario& scenario, const placement::Outcome& outcome,
                             const catalog::Catalog* catalog);

}  // namespace bayplan::study

#pragma once
#include <optional>

#include "placement/model/outcome.hpp"
#include "study/remedy.hpp"

namespace bayplan::study {

/// The cheapest single instance, of a kind that the cluster has, with which every task is placed. Nothing when none is
/// enough, when nothing failed, or when trying would take too long.
std::optional<Remedy> one_more_instance(const placement::Scenario& scenario, const placement::Outcome& outcome);

}  // namespace bayplan::study

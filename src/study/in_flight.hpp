#pragma once
#include "base/files.hpp"
#include "base/limits.hpp"
#include "catalog/catalog.hpp"
#include "scenario/load_scenario.hpp"

/// What is in flight in a described cluster happens before any question about it: an answer that ignores it would be
/// true for the moment of the snapshot only.
namespace bayplan::study {

/// `load_scenario`, then `settle`.
scenario::LoadedScenario load_settled(scenario::ScenarioRequest request, const Files& files, catalog::Catalog& catalog,
                                      const Limits& limits);

/// Lets happen what is in flight: services start the tasks that they lack, a deployment under way replaces old tasks,
/// service tasks leave DRAINING instances (all within the healthy percents), and waiting tasks of RunTask are placed.
/// Tasks that found an instance run there afterwards. What found none is left in the counts of live workloads and in
/// Scenario::in_flight; a drain or deployment that cannot finish is a finding.
void settle(placement::Scenario& scenario);

/// What found no instance is a part of the question: appended to the workloads.
void ask_for_unsettled(placement::Scenario& scenario);

}  // namespace bayplan::study

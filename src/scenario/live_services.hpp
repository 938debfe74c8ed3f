#pragma once
#include <vector>

#include "scenario/described_files.hpp"
#include "scenario/live_notes.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

/// How the services of the cluster place their tasks. What cannot be read is reported, and omitted.
void add_services(Loading& loading, LiveNotes& notes, const std::vector<WithOrigin<model::DescribedService>>& services);

/// Those of them that the scenario does not write itself become workloads behind the others, with what lacks of their
/// desiredCount; their plans. `daemons`: only these, or only the others.
std::vector<ServicePlan> add_live_workloads(Loading& loading, const model::ScenarioFile& written, bool daemons);

/// Scenario::in_flight, where the request settles the cluster: of services that are neither taken nor written (those
/// that are, if they are settled, too), and of tasks that wait for an instance.
void add_in_flight(Loading& loading, const model::ScenarioFile& written);

}  // namespace bayplan::scenario

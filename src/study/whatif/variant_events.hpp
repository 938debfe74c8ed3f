#pragma once
#include <vector>

#include "placement/model/scenario.hpp"
#include "study/whatif/variant.hpp"
#include "timeline/history.hpp"

namespace bayplan::study {

/// Adds an event behind those of the same time.
void add_event(placement::Timetable& timetable, placement::TimedEvent event);

/// Index into Timetable::services.
std::uint32_t service_with(const placement::Timetable& timetable, std::uint32_t workload);

/// Adds what a variant's events are to a run over time: all of them at `at`. `settled`: the run of the scenario
/// without them, in which nothing changes from some time before `at` on.
///
/// The calls by which those whose standalone tasks are lost, or never had a place, run them again: for a time when the
/// services have found theirs. The scenario states every other call of its own from here on.
std::vector<placement::Call> add_events(placement::Scenario& scenario, const timeline::History& settled,
                                        const std::vector<placement::InstantEvent>& events, placement::Seconds at);

/// Adds the deployments of a variant to a run over time, all of them at `at`. Their workloads are the last of the
/// scenario, in the order of the variant.
void add_deployments(placement::Scenario& scenario, const Variant& variant, placement::Seconds at);

}  // namespace bayplan::study

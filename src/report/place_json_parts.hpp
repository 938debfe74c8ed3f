#pragma once
#include "base/json_writer.hpp"
#include "report/place_report.hpp"

/// Members that the JSON reports of `place`, of runs over time and of `why` have in common.
namespace bayplan::report {

/// "shortfall": only what is lacking has a member.
void write_shortfall(JsonWriter& json, const placement::Shortfall& lacking);

/// "availabilityZone": null where none is stated.
void write_zone(JsonWriter& json, const placement::InstanceProfile& profile);

/// What names a task, the same in placements and failures.
void write_task(JsonWriter& json, const placement::Scenario& scenario, const placement::Turn& turn);

/// "containers": with the GPUs of each.
void write_containers(JsonWriter& json, const placement::Scenario& scenario, const placement::Placement& placement);

/// "runningTasks": what ran before the first turn; left out where nothing did.
void write_running(JsonWriter& json, const placement::Scenario& scenario);

/// "instances": of a failure that holds its explanation.
void write_rejections(JsonWriter& json, const placement::Scenario& scenario, const placement::Failure& failure);

/// "rejected": every word of ECS, zero or not; our own words where they occur.
void write_rejected(JsonWriter& json, const placement::RejectedCounts& counts);

/// "containerInstances", "clusterFindings" and "summary" (place_json.cpp).
void write_instances(JsonWriter& json, const PlaceReport& report);
void write_summary(JsonWriter& json, const PlaceReport& report);

}  // namespace bayplan::report

#pragma once
#include <cstdint>
#include <vector>

#include "base/json_writer.hpp"
#include "capacity/requirement.hpp"
#include "placement/engine/gpu_room.hpp"
#include "placement/explain/result_summary.hpp"
#include "report/place/place_report.hpp"

/// Members that the JSON reports of `place`, of runs over time and of `why` have in common.
namespace bayplan::report {

/// "shortfall": only what is lacking has a member.
void write_shortfall(JsonWriter& json, const placement::Shortfall& lacking);

/// "availabilityZone": null where none is stated.
void write_zone(JsonWriter& json, const placement::InstanceProfile& profile);

/// What names a task, the same in placements and failures.
void write_task(JsonWriter& json, const placement::Scenario& scenario, const placement::PlacementAttempt& attempt);

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

/// Whole numbers as integers, shares of a GPU as decimals.
void write_millionths(JsonWriter& json, std::int64_t millionths);

/// The member GPU: {"count": 4}, {"all": true}, {"fraction": 0.25} or {"mpsMemory": 8000}; or NEURON_DEVICE: {"all":
/// true}; nothing for a task without either.
void write_gpu_request(JsonWriter& json, const capacity::TaskRequirement& task);

/// The member `gpu` of a summary: totals, instances by free GPUs, and what each kind of GPU task still finds.
void write_gpu_summary(JsonWriter& json, const placement::Scenario& scenario, const placement::GpuSummary& summary,
                       const std::vector<placement::FreeGpus>& free, const std::vector<placement::GpuRoom>& room);

}  // namespace bayplan::report

#pragma once
#include <cstdint>
#include <vector>

#include "base/json_writer.hpp"
#include "capacity/requirement.hpp"
#include "placement/gpu_room.hpp"
#include "placement/summary.hpp"

namespace bayplan::report {

/// Whole numbers as integers, shares of a GPU as decimals.
void write_millionths(JsonWriter& json, std::int64_t millionths);

/// The member GPU: {"count": 4}, {"all": true}, {"fraction": 0.25} or {"mpsMemory": 8000}; nothing without a GPU.
void write_gpu_request(JsonWriter& json, const capacity::TaskRequirement& task);

/// The member `gpu` of a summary: totals, instances by free GPUs, and what each kind of GPU task still finds.
void write_gpu_summary(JsonWriter& json, const placement::Scenario& scenario, const placement::GpuSummary& summary,
                       const std::vector<placement::FreeGpus>& free, const std::vector<placement::GpuRoom>& room);

}  // namespace bayplan::report

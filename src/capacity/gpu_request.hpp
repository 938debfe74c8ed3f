#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "capacity/requirement.hpp"
#include "capacity/unknown_members.hpp"

namespace bayplan::capacity {

/// What one resourceRequirements value of type GPU asks for: "2", "ALL" or "0.25"; nothing when it is none of these.
struct GpuValue {
  GpuForm form = GpuForm::kNone;
  std::int64_t count = 0;
  std::int64_t fraction_millionths = 0;
};

std::optional<GpuValue> parse_gpu_value(std::string_view text);

/// Fills the gpu_ members of `requirement` from requirements of type GPU and NeuronDevice; unknown values go to
/// `unknown`.
void add_gpus(const model::TaskDefinition& task, TaskRequirement& requirement, std::vector<UnknownMember>& unknown);

}  // namespace bayplan::capacity

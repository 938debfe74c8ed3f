#pragma once
#include "capacity/gpu_needs.hpp"
#include "rules/context.hpp"

namespace bayplan::rules {

/// What is said of the container's GPUs, by its labels or by `ctx.options.needs`.
inline capacity::StatedNeeds stated_needs(const Context& ctx, const model::ContainerDefinition& container) {
  return capacity::stated_needs(ctx.task, container, ctx.placeholders, ctx.options.needs);
}

}  // namespace bayplan::rules

#pragma once
#include "rules/context.hpp"
#include "rules/emitter.hpp"

// One declaration a rule, in code order; each is named after the bad pattern and defined in the file of its topic.
namespace bayplan::rules {

void fargate_cpu_value(const Context& ctx, Emitter& emit);
void fargate_cpu_memory_pair(const Context& ctx, Emitter& emit);

}  // namespace bayplan::rules

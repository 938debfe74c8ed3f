#pragma once
#include "rules/context.hpp"
#include "rules/emitter.hpp"

// One declaration a rule, in code order; each is named after the bad pattern and defined in the file of its topic.
namespace bayplan::rules {

void family_missing(const Context& ctx, Emitter& emit);
void family_pattern(const Context& ctx, Emitter& emit);
void containers_empty(const Context& ctx, Emitter& emit);
void too_many_containers(const Context& ctx, Emitter& emit);
void no_essential_container(const Context& ctx, Emitter& emit);
void duplicate_container_name(const Context& ctx, Emitter& emit);
void compatibilities_missing(const Context& ctx, Emitter& emit);
void compatibilities_contradict(const Context& ctx, Emitter& emit);
void task_cpu_format(const Context& ctx, Emitter& emit);
void task_memory_format(const Context& ctx, Emitter& emit);
void ec2_task_cpu_range(const Context& ctx, Emitter& emit);
void fargate_cpu_value(const Context& ctx, Emitter& emit);
void fargate_cpu_memory_pair(const Context& ctx, Emitter& emit);
void container_cpu_sum(const Context& ctx, Emitter& emit);
void container_memory_over_task(const Context& ctx, Emitter& emit);
void container_reservation_sum(const Context& ctx, Emitter& emit);
void fargate_size_missing(const Context& ctx, Emitter& emit);
void container_name_missing(const Context& ctx, Emitter& emit);
void container_name_pattern(const Context& ctx, Emitter& emit);
void image_missing(const Context& ctx, Emitter& emit);
void image_reference(const Context& ctx, Emitter& emit);
void image_digest(const Context& ctx, Emitter& emit);
void ecr_image_form(const Context& ctx, Emitter& emit);
void memory_missing(const Context& ctx, Emitter& emit);
void memory_under_minimum(const Context& ctx, Emitter& emit);
void reservation_over_memory(const Context& ctx, Emitter& emit);
void hard_limit_missing(const Context& ctx, Emitter& emit);
void cpu_negative(const Context& ctx, Emitter& emit);

}  // namespace bayplan::rules

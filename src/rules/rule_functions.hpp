#pragma once
#include "rules/context.hpp"
#include "rules/emitter.hpp"

// One declaration a rule, in code order; each is named after the bad pattern and defined in the file of its topic.
namespace bayplan::rules {

void json_syntax(const Context& ctx, Emitter& emit);
void json_trailing_comma(const Context& ctx, Emitter& emit);
void json_comment(const Context& ctx, Emitter& emit);
void duplicate_key(const Context& ctx, Emitter& emit);
void file_encoding(const Context& ctx, Emitter& emit);
void yaml_syntax(const Context& ctx, Emitter& emit);
void yaml_implicit_type(const Context& ctx, Emitter& emit);
void root_not_object(const Context& ctx, Emitter& emit);
void describe_wrapper(const Context& ctx, Emitter& emit);
void response_only_field(const Context& ctx, Emitter& emit);
void cloudformation_shape(const Context& ctx, Emitter& emit);
void key_case(const Context& ctx, Emitter& emit);
void misplaced_key(const Context& ctx, Emitter& emit);
void unknown_key(const Context& ctx, Emitter& emit);
void wrong_type(const Context& ctx, Emitter& emit);
void string_for_integer(const Context& ctx, Emitter& emit);
void number_for_string(const Context& ctx, Emitter& emit);
void fraction_for_integer(const Context& ctx, Emitter& emit);
void null_value(const Context& ctx, Emitter& emit);
void map_for_list(const Context& ctx, Emitter& emit);
void enum_value(const Context& ctx, Emitter& emit);
void missing_required(const Context& ctx, Emitter& emit);
void empty_collection(const Context& ctx, Emitter& emit);
void compose_file(const Context& ctx, Emitter& emit);
void cli_skeleton_left(const Context& ctx, Emitter& emit);
void definition_too_large(const Context& ctx, Emitter& emit);
void daemon_task_definition(const Context& ctx, Emitter& emit);
void nesting_too_deep(const Context& ctx, Emitter& emit);
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

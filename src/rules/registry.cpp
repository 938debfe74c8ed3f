#include "rules/registry.hpp"

#include "rules/rule_functions.hpp"

namespace bayplan::rules {
namespace {

constexpr Rule kRules[] = {
    {"BAY001", json_syntax},
    {"BAY004", duplicate_key},
    {"BAY006", yaml_syntax},
    {"BAY007", yaml_implicit_type},
    {"BAY009", root_not_object},
    {"BAY010", describe_wrapper},
    {"BAY011", response_only_field},
    {"BAY012", cloudformation_shape},
    {"BAY013", key_case},
    {"BAY014", misplaced_key},
    {"BAY015", unknown_key},
    {"BAY016", wrong_type},
    {"BAY017", string_for_integer},
    {"BAY018", number_for_string},
    {"BAY019", fraction_for_integer},
    {"BAY020", null_value},
    {"BAY021", map_for_list},
    {"BAY022", enum_value},
    {"BAY023", missing_required},
    {"BAY024", empty_collection},
    {"BAY025", compose_file},
    {"BAY026", cli_skeleton_left},
    {"BAY027", definition_too_large},
    {"BAY028", daemon_task_definition},
    {"BAY029", nesting_too_deep},
    {"BAY101", family_missing},
    {"BAY102", family_pattern},
    {"BAY103", containers_empty},
    {"BAY104", too_many_containers},
    {"BAY105", no_essential_container},
    {"BAY106", duplicate_container_name},
    {"BAY107", compatibilities_missing},
    {"BAY108", compatibilities_contradict},
    {"BAY109", task_cpu_format},
    {"BAY110", task_memory_format},
    {"BAY111", ec2_task_cpu_range},
    {"BAY112", fargate_cpu_value},
    {"BAY113", fargate_cpu_memory_pair},
    {"BAY114", container_cpu_sum},
    {"BAY115", container_memory_over_task},
    {"BAY116", container_reservation_sum},
    {"BAY117", fargate_size_missing},
    {"BAY201", container_name_missing},
    {"BAY202", container_name_pattern},
    {"BAY203", image_missing},
    {"BAY204", image_reference},
    {"BAY205", image_digest},
    {"BAY206", ecr_image_form},
    {"BAY207", memory_missing},
    {"BAY208", memory_under_minimum},
    {"BAY209", reservation_over_memory},
    {"BAY210", hard_limit_missing},
    {"BAY211", cpu_negative},
};

}  // namespace

std::span<const Rule> registry() {
  return kRules;
}

}  // namespace bayplan::rules

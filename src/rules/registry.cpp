#include "rules/registry.hpp"

#include "rules/rule_functions.hpp"

namespace bayplan::rules {
namespace {

constexpr Rule kRules[] = {
    // File and shape
    {"BAY001", json_syntax},
    {"BAY002", json_trailing_comma},
    {"BAY003", json_comment},
    {"BAY004", duplicate_key},
    {"BAY005", file_encoding},
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
    // Task
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
    // Container
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
    // Network and ports
    // GPU and accelerators
    {"BAY401", gpu_value_type},
    {"BAY402", gpu_value_format},
    {"BAY403", gpu_value_fraction},
    {"BAY404", gpu_type_case},
    {"BAY405", gpu_extra_key},
    {"BAY406", gpu_alias_key},
    {"BAY407", gpu_duplicate_entry},
    {"BAY408", gpu_on_fargate},
    {"BAY409", gpu_on_windows},
    {"BAY410", gpu_external_flag},
    {"BAY411", gpu_all_not_alone},
    {"BAY412", gpu_sum_over_largest},
    {"BAY413", gpu_sharing_or_value},
    {"BAY414", gpu_sharing_mixed},
    {"BAY415", gpu_sharing_scope},
    {"BAY416", gpu_sharing_shape},
    {"BAY417", gpu_sharing_too_large},
    {"BAY418", neuron_value},
    {"BAY419", neuron_one_container},
    {"BAY420", neuron_scope},
    {"BAY421", neuron_and_gpu},
    {"BAY450", gpu_cpu_low},
    {"BAY451", gpu_memory_low},
    {"BAY452", gpu_image_plain},
    {"BAY453", gpu_env_override},
    {"BAY454", gpu_env_without_request},
    {"BAY455", gpu_old_instance},
    {"BAY456", gpu_non_gpu_instance},
    {"BAY457", gpu_devices_by_hand},
    {"BAY458", gpu_shm_small},
    {"BAY459", gpu_no_log_or_health},
    {"BAY460", need_malformed},
    {"BAY461", gpu_memory_need_over_type},
    {"BAY462", multi_gpu_on_pcie},
    {"BAY463", compute_capability_need},
    {"BAY464", fits_none_of_types},
    {"BAY465", cuda_image_against_gpu},
    {"BAY466", driver_capabilities},
    {"BAY467", launch_type_is_instance_type},
    {"BAY468", task_role_is_execution_role},
    // Storage
    // Logs and secrets
    // Start-up, health and kernel
    // Compatibility
    // Security and practice
    // Service and run-task input
};

}  // namespace

std::span<const Rule> registry() {
  return kRules;
}

}  // namespace bayplan::rules

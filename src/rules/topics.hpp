#pragma once
#include <span>

#include "rules/registry.hpp"

// Each file of rules ends with the table of its rules. The registry collects these tables.
namespace bayplan::rules {

// file
std::span<const Rule> file_rules();
std::span<const Rule> key_rules();
std::span<const Rule> placeholder_rules();
std::span<const Rule> root_rules();
std::span<const Rule> shape_rules();

// task
std::span<const Rule> capability_rules();
std::span<const Rule> constraint_contradictions_rules();
std::span<const Rule> constraint_rules();
std::span<const Rule> execution_role_rules();
std::span<const Rule> fargate_sizes_rules();
std::span<const Rule> fit_rules();
std::span<const Rule> launch_type_rules();
std::span<const Rule> practice_rules();
std::span<const Rule> task_compatibilities_rules();
std::span<const Rule> task_containers_rules();
std::span<const Rule> task_family_rules();
std::span<const Rule> task_platform_rules();
std::span<const Rule> task_roles_rules();
std::span<const Rule> task_scratch_rules();
std::span<const Rule> task_sizes_rules();
std::span<const Rule> task_tags_rules();
std::span<const Rule> unsupported_settings_rules();

// container
std::span<const Rule> container_basics_rules();
std::span<const Rule> container_command_rules();
std::span<const Rule> container_cpu_rules();
std::span<const Rule> container_environment_rules();
std::span<const Rule> container_image_rules();
std::span<const Rule> container_memory_rules();
std::span<const Rule> container_process_rules();
std::span<const Rule> container_sums_rules();
std::span<const Rule> depends_rules();
std::span<const Rule> environment_files_rules();
std::span<const Rule> health_rules();
std::span<const Rule> link_rules();
std::span<const Rule> linux_parameter_rules();
std::span<const Rule> restart_rules();
std::span<const Rule> system_control_rules();
std::span<const Rule> ulimit_rules();

// network
std::span<const Rule> container_network_rules();
std::span<const Rule> host_port_rules();
std::span<const Rule> network_rules();
std::span<const Rule> port_mapping_rules();
std::span<const Rule> port_name_rules();
std::span<const Rule> port_overlap_rules();
std::span<const Rule> port_range_rules();
std::span<const Rule> proxy_rules();

// gpu
std::span<const Rule> cuda_rules();
std::span<const Rule> gpu_environment_rules();
std::span<const Rule> gpu_key_rules();
std::span<const Rule> gpu_need_rules();
std::span<const Rule> gpu_practice_rules();
std::span<const Rule> gpu_sharing_rules();
std::span<const Rule> gpu_target_rules();
std::span<const Rule> gpu_type_rules();
std::span<const Rule> gpu_value_rules();
std::span<const Rule> neuron_rules();

// storage
std::span<const Rule> efs_rules();
std::span<const Rule> host_path_rules();
std::span<const Rule> mount_rules();
std::span<const Rule> tmpfs_rules();
std::span<const Rule> volume_rules();
std::span<const Rule> volume_target_rules();

// logging
std::span<const Rule> awslogs_rules();
std::span<const Rule> firelens_rules();
std::span<const Rule> log_rules();

// security
std::span<const Rule> container_credentials_rules();
std::span<const Rule> plaintext_secret_rules();
std::span<const Rule> privilege_rules();
std::span<const Rule> secret_rules();
std::span<const Rule> security_option_rules();

// service
std::span<const Rule> cluster_rules();
std::span<const Rule> deployment_rules();
std::span<const Rule> launch_choice_rules();
std::span<const Rule> managed_instances_rules();
std::span<const Rule> service_connect_rules();
std::span<const Rule> service_definition_rules();
std::span<const Rule> service_load_balancer_rules();
std::span<const Rule> service_placement_rules();
std::span<const Rule> service_platform_rules();
std::span<const Rule> service_provider_rules();
std::span<const Rule> service_request_rules();
std::span<const Rule> service_scheduling_rules();
std::span<const Rule> service_volume_rules();

}  // namespace bayplan::rules

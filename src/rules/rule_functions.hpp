#pragma once
#include "rules/context.hpp"
#include "rules/emitter.hpp"

// One declaration a rule, in code order; each is named after the bad pattern and defined in the file of its topic.
namespace bayplan::rules {

// File and shape
void json_syntax(const Context& ctx, Emitter& emit);
void json_trailing_comma(const Context& ctx, Emitter& emit);
void json_comment(const Context& ctx, Emitter& emit);
void duplicate_key(const Context& ctx, Emitter& emit);
void file_encoding(const Context& ctx, Emitter& emit);
void yaml_syntax(const Context& ctx, Emitter& emit);
void yaml_implicit_type(const Context& ctx, Emitter& emit);
void unresolved_placeholder(const Context& ctx, Emitter& emit);
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
void unrendered_template(const Context& ctx, Emitter& emit);

// Task
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
void role_arn_form(const Context& ctx, Emitter& emit);
void role_space_or_suffix(const Context& ctx, Emitter& emit);
void tags_too_many(const Context& ctx, Emitter& emit);
void tag_form(const Context& ctx, Emitter& emit);
void tag_aws_prefix(const Context& ctx, Emitter& emit);
void tag_duplicate_key(const Context& ctx, Emitter& emit);
void constraint_type(const Context& ctx, Emitter& emit);
void constraint_count(const Context& ctx, Emitter& emit);
void constraint_expression(const Context& ctx, Emitter& emit);
void constraint_unsatisfiable(const Context& ctx, Emitter& emit);
void windows_arm64(const Context& ctx, Emitter& emit);
void runtime_platform_missing(const Context& ctx, Emitter& emit);
void os_family_retired(const Context& ctx, Emitter& emit);
void inference_accelerators_retired(const Context& ctx, Emitter& emit);
void ephemeral_storage_range(const Context& ctx, Emitter& emit);
void ephemeral_storage_not_fargate(const Context& ctx, Emitter& emit);
void fault_injection_scope(const Context& ctx, Emitter& emit);
void pid_task_needs_linux(const Context& ctx, Emitter& emit);
void fault_injection_unavailable(const Context& ctx, Emitter& emit);

// Container
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
void cpu_tiny(const Context& ctx, Emitter& emit);
void windows_cpu_zero(const Context& ctx, Emitter& emit);
void env_name_blank(const Context& ctx, Emitter& emit);
void env_duplicate(const Context& ctx, Emitter& emit);
void secret_env_clash(const Context& ctx, Emitter& emit);
void env_name_style(const Context& ctx, Emitter& emit);
void env_files_too_many(const Context& ctx, Emitter& emit);
void env_files_arn(const Context& ctx, Emitter& emit);
void env_files_extension(const Context& ctx, Emitter& emit);
void env_files_role(const Context& ctx, Emitter& emit);
void command_one_string(const Context& ctx, Emitter& emit);
void command_shell_syntax(const Context& ctx, Emitter& emit);
void user_format(const Context& ctx, Emitter& emit);
void working_directory_relative(const Context& ctx, Emitter& emit);
void credentials_parameter(const Context& ctx, Emitter& emit);
void credential_specs(const Context& ctx, Emitter& emit);
void interactive_tty(const Context& ctx, Emitter& emit);
void label_reserved(const Context& ctx, Emitter& emit);

// Network and ports
void awsvpc_host_port(const Context& ctx, Emitter& emit);
void host_mode_host_port(const Context& ctx, Emitter& emit);
void none_with_ports(const Context& ctx, Emitter& emit);
void container_port_invalid(const Context& ctx, Emitter& emit);
void host_port_invalid(const Context& ctx, Emitter& emit);
void host_port_duplicate(const Context& ctx, Emitter& emit);
void awsvpc_container_port_duplicate(const Context& ctx, Emitter& emit);
void port_two_protocols(const Context& ctx, Emitter& emit);
void host_port_reserved(const Context& ctx, Emitter& emit);
void host_port_ephemeral(const Context& ctx, Emitter& emit);
void host_port_static(const Context& ctx, Emitter& emit);
void host_ports_too_many(const Context& ctx, Emitter& emit);
void port_range_format(const Context& ctx, Emitter& emit);
void port_range_reversed(const Context& ctx, Emitter& emit);
void port_range_with_single(const Context& ctx, Emitter& emit);
void port_range_mode(const Context& ctx, Emitter& emit);
void port_range_count(const Context& ctx, Emitter& emit);
void port_name_form(const Context& ctx, Emitter& emit);
void port_name_duplicate(const Context& ctx, Emitter& emit);
void app_protocol_no_name(const Context& ctx, Emitter& emit);
void links_mode(const Context& ctx, Emitter& emit);
void links_target(const Context& ctx, Emitter& emit);
void awsvpc_hostname(const Context& ctx, Emitter& emit);
void awsvpc_extra_hosts(const Context& ctx, Emitter& emit);
void awsvpc_dns(const Context& ctx, Emitter& emit);
void awsvpc_disable_networking(const Context& ctx, Emitter& emit);
void host_extra_hosts(const Context& ctx, Emitter& emit);
void extra_hosts_form(const Context& ctx, Emitter& emit);
void windows_port_3150(const Context& ctx, Emitter& emit);
void network_mode_default(const Context& ctx, Emitter& emit);
void network_mode_missing(const Context& ctx, Emitter& emit);
void firelens_port_24224(const Context& ctx, Emitter& emit);

// GPU and accelerators
void gpu_value_type(const Context& ctx, Emitter& emit);
void gpu_value_format(const Context& ctx, Emitter& emit);
void gpu_value_fraction(const Context& ctx, Emitter& emit);
void gpu_type_case(const Context& ctx, Emitter& emit);
void gpu_extra_key(const Context& ctx, Emitter& emit);
void gpu_alias_key(const Context& ctx, Emitter& emit);
void gpu_duplicate_entry(const Context& ctx, Emitter& emit);
void gpu_on_fargate(const Context& ctx, Emitter& emit);
void gpu_on_windows(const Context& ctx, Emitter& emit);
void gpu_external_flag(const Context& ctx, Emitter& emit);
void gpu_all_not_alone(const Context& ctx, Emitter& emit);
void gpu_sum_over_largest(const Context& ctx, Emitter& emit);
void gpu_sharing_or_value(const Context& ctx, Emitter& emit);
void gpu_sharing_mixed(const Context& ctx, Emitter& emit);
void gpu_sharing_scope(const Context& ctx, Emitter& emit);
void gpu_sharing_shape(const Context& ctx, Emitter& emit);
void gpu_sharing_too_large(const Context& ctx, Emitter& emit);
void neuron_value(const Context& ctx, Emitter& emit);
void neuron_one_container(const Context& ctx, Emitter& emit);
void neuron_scope(const Context& ctx, Emitter& emit);
void neuron_and_gpu(const Context& ctx, Emitter& emit);
void gpu_cpu_low(const Context& ctx, Emitter& emit);
void gpu_memory_low(const Context& ctx, Emitter& emit);
void gpu_image_plain(const Context& ctx, Emitter& emit);
void gpu_env_override(const Context& ctx, Emitter& emit);
void gpu_env_without_request(const Context& ctx, Emitter& emit);
void gpu_old_instance(const Context& ctx, Emitter& emit);
void gpu_non_gpu_instance(const Context& ctx, Emitter& emit);
void gpu_devices_by_hand(const Context& ctx, Emitter& emit);
void gpu_shm_small(const Context& ctx, Emitter& emit);
void gpu_no_log_or_health(const Context& ctx, Emitter& emit);
void need_malformed(const Context& ctx, Emitter& emit);
void gpu_memory_need_over_type(const Context& ctx, Emitter& emit);
void multi_gpu_on_pcie(const Context& ctx, Emitter& emit);
void compute_capability_need(const Context& ctx, Emitter& emit);
void fits_none_of_types(const Context& ctx, Emitter& emit);
void cuda_image_against_gpu(const Context& ctx, Emitter& emit);
void driver_capabilities(const Context& ctx, Emitter& emit);
void launch_type_is_instance_type(const Context& ctx, Emitter& emit);
void task_role_is_execution_role(const Context& ctx, Emitter& emit);

// Storage
void mount_unknown_volume(const Context& ctx, Emitter& emit);
void volume_name(const Context& ctx, Emitter& emit);
void volume_name_duplicate(const Context& ctx, Emitter& emit);
void volume_kind_many(const Context& ctx, Emitter& emit);
void volume_unmounted(const Context& ctx, Emitter& emit);
void mount_path(const Context& ctx, Emitter& emit);
void mount_path_duplicate(const Context& ctx, Emitter& emit);
void efs_id_form(const Context& ctx, Emitter& emit);
void efs_iam_no_encryption(const Context& ctx, Emitter& emit);
void efs_ap_root(const Context& ctx, Emitter& emit);
void efs_ap_no_encryption(const Context& ctx, Emitter& emit);
void efs_port_no_encryption(const Context& ctx, Emitter& emit);
void efs_no_encryption(const Context& ctx, Emitter& emit);
void efs_iam_no_role(const Context& ctx, Emitter& emit);
void efs_on_external(const Context& ctx, Emitter& emit);
void fsx_windows_only(const Context& ctx, Emitter& emit);
void s3files_form(const Context& ctx, Emitter& emit);
void docker_volume_scope(const Context& ctx, Emitter& emit);
void docker_volume_fargate(const Context& ctx, Emitter& emit);
void host_path_fargate(const Context& ctx, Emitter& emit);
void launch_volume_many(const Context& ctx, Emitter& emit);
void volumes_from_unknown(const Context& ctx, Emitter& emit);
void host_path_form(const Context& ctx, Emitter& emit);
void host_path_sensitive(const Context& ctx, Emitter& emit);
void tmpfs_form(const Context& ctx, Emitter& emit);

// Logs and secrets
void awslogs_required(const Context& ctx, Emitter& emit);
void awslogs_stream_prefix(const Context& ctx, Emitter& emit);
void awslogs_unknown_option(const Context& ctx, Emitter& emit);
void awslogs_both_multiline(const Context& ctx, Emitter& emit);
void awslogs_no_role(const Context& ctx, Emitter& emit);
void log_driver_fargate(const Context& ctx, Emitter& emit);
void log_mode(const Context& ctx, Emitter& emit);
void log_buffer_unused(const Context& ctx, Emitter& emit);
void log_mode_default_changed(const Context& ctx, Emitter& emit);
void splunk_required(const Context& ctx, Emitter& emit);
void log_group_name(const Context& ctx, Emitter& emit);
void log_option_type(const Context& ctx, Emitter& emit);
void log_missing(const Context& ctx, Emitter& emit);
void firelens_router_missing(const Context& ctx, Emitter& emit);
void firelens_router_unused(const Context& ctx, Emitter& emit);
void firelens_router_many(const Context& ctx, Emitter& emit);
void firelens_options(const Context& ctx, Emitter& emit);
void firelens_s3_fargate(const Context& ctx, Emitter& emit);
void firelens_reserved_path(const Context& ctx, Emitter& emit);
void firelens_router_loop(const Context& ctx, Emitter& emit);
void secrets_no_role(const Context& ctx, Emitter& emit);
void secret_value_from(const Context& ctx, Emitter& emit);
void secret_arn_fields(const Context& ctx, Emitter& emit);
void secret_arn_suffix(const Context& ctx, Emitter& emit);
void secret_cross_region(const Context& ctx, Emitter& emit);
void secret_name_blank(const Context& ctx, Emitter& emit);

// Start-up, health and kernel
void depends_unknown(const Context& ctx, Emitter& emit);
void depends_self(const Context& ctx, Emitter& emit);
void depends_cycle(const Context& ctx, Emitter& emit);
void depends_healthy_no_check(const Context& ctx, Emitter& emit);
void depends_complete_essential(const Context& ctx, Emitter& emit);
void depends_duplicate(const Context& ctx, Emitter& emit);
void health_command(const Context& ctx, Emitter& emit);
void health_interval(const Context& ctx, Emitter& emit);
void health_timeout(const Context& ctx, Emitter& emit);
void health_retries(const Context& ctx, Emitter& emit);
void health_start_period(const Context& ctx, Emitter& emit);
void health_timeout_over_interval(const Context& ctx, Emitter& emit);
void restart_period(const Context& ctx, Emitter& emit);
void restart_exit_codes(const Context& ctx, Emitter& emit);
void start_timeout(const Context& ctx, Emitter& emit);
void stop_timeout(const Context& ctx, Emitter& emit);
void ulimit_name(const Context& ctx, Emitter& emit);
void ulimit_soft_over_hard(const Context& ctx, Emitter& emit);
void ulimit_duplicate(const Context& ctx, Emitter& emit);
void ulimit_fargate(const Context& ctx, Emitter& emit);
void capability_name(const Context& ctx, Emitter& emit);
void capability_add_fargate(const Context& ctx, Emitter& emit);
void swappiness_range(const Context& ctx, Emitter& emit);
void swappiness_alone(const Context& ctx, Emitter& emit);
void swap_fargate(const Context& ctx, Emitter& emit);
void devices_fargate(const Context& ctx, Emitter& emit);
void shm_fargate(const Context& ctx, Emitter& emit);
void shm_size(const Context& ctx, Emitter& emit);
void sysctl_namespace(const Context& ctx, Emitter& emit);
void sysctl_net_host(const Context& ctx, Emitter& emit);
void sysctl_ipc_host(const Context& ctx, Emitter& emit);
void sysctl_net_many(const Context& ctx, Emitter& emit);
void sysctl_value(const Context& ctx, Emitter& emit);
void security_option(const Context& ctx, Emitter& emit);
void proxy_container(const Context& ctx, Emitter& emit);
void proxy_network_mode(const Context& ctx, Emitter& emit);
void proxy_properties(const Context& ctx, Emitter& emit);
void proxy_retired(const Context& ctx, Emitter& emit);

// Compatibility
void fargate_network_mode(const Context& ctx, Emitter& emit);
void fargate_privileged(const Context& ctx, Emitter& emit);
void fargate_pid_mode(const Context& ctx, Emitter& emit);
void fargate_ipc_mode(const Context& ctx, Emitter& emit);
void fargate_constraints(const Context& ctx, Emitter& emit);
void fargate_security_options(const Context& ctx, Emitter& emit);
void fargate_ecr_role(const Context& ctx, Emitter& emit);
void fargate_windows_cpu(const Context& ctx, Emitter& emit);
void fargate_windows_parameters(const Context& ctx, Emitter& emit);
void windows_parameters(const Context& ctx, Emitter& emit);
void windows_task_size(const Context& ctx, Emitter& emit);
void windows_network_mode(const Context& ctx, Emitter& emit);
void windows_role_flag(const Context& ctx, Emitter& emit);
void external_network_mode(const Context& ctx, Emitter& emit);
void external_unsupported(const Context& ctx, Emitter& emit);
void external_selinux(const Context& ctx, Emitter& emit);
void managed_unsupported(const Context& ctx, Emitter& emit);
void managed_network_mode(const Context& ctx, Emitter& emit);
void managed_linux_only(const Context& ctx, Emitter& emit);
void managed_constraint_attributes(const Context& ctx, Emitter& emit);

// Security and practice
void privileged(const Context& ctx, Emitter& emit);
void root_user(const Context& ctx, Emitter& emit);
void writable_root(const Context& ctx, Emitter& emit);
void plaintext_secret(const Context& ctx, Emitter& emit);
void host_pid(const Context& ctx, Emitter& emit);
void host_ipc(const Context& ctx, Emitter& emit);
void image_latest(const Context& ctx, Emitter& emit);
void version_consistency_off(const Context& ctx, Emitter& emit);
void same_roles(const Context& ctx, Emitter& emit);
void capability_dangerous(const Context& ctx, Emitter& emit);
void no_health_check(const Context& ctx, Emitter& emit);
void no_task_role(const Context& ctx, Emitter& emit);
void secret_in_command(const Context& ctx, Emitter& emit);
void all_containers_essential(const Context& ctx, Emitter& emit);
void no_cpu_anywhere(const Context& ctx, Emitter& emit);

// Service and run-task input


// Capacity providers
void managed_instances_requirements(const Context& ctx, Emitter& emit);

}  // namespace bayplan::rules

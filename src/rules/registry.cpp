#include "rules/registry.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <utility>
#include <vector>

#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using Topic = std::span<const Rule> (*)();

constexpr Topic kTopics[] = {
    // file
    file_rules,
    key_rules,
    placeholder_rules,
    root_rules,
    shape_rules,
    // task
    capability_rules,
    constraint_contradictions_rules,
    constraint_rules,
    execution_role_rules,
    fargate_sizes_rules,
    fit_rules,
    launch_type_rules,
    practice_rules,
    task_compatibilities_rules,
    task_containers_rules,
    task_family_rules,
    task_platform_rules,
    task_roles_rules,
    task_scratch_rules,
    task_sizes_rules,
    task_tags_rules,
    unsupported_settings_rules,
    // container
    container_basics_rules,
    container_command_rules,
    container_cpu_rules,
    container_environment_rules,
    container_image_rules,
    container_memory_rules,
    container_process_rules,
    container_sums_rules,
    depends_rules,
    environment_files_rules,
    health_rules,
    link_rules,
    linux_parameter_rules,
    restart_rules,
    system_control_rules,
    ulimit_rules,
    // network
    container_network_rules,
    host_port_rules,
    network_rules,
    port_mapping_rules,
    port_name_rules,
    port_overlap_rules,
    port_range_rules,
    proxy_rules,
    // gpu
    cuda_rules,
    gpu_environment_rules,
    gpu_key_rules,
    gpu_need_rules,
    gpu_practice_rules,
    gpu_sharing_rules,
    gpu_target_rules,
    gpu_type_rules,
    gpu_value_rules,
    neuron_rules,
    // storage
    efs_rules,
    host_path_rules,
    mount_rules,
    tmpfs_rules,
    volume_rules,
    volume_target_rules,
    // logging
    awslogs_rules,
    firelens_rules,
    log_rules,
    // security
    container_credentials_rules,
    plaintext_secret_rules,
    privilege_rules,
    secret_rules,
    security_option_rules,
    // service
    cluster_rules,
    deployment_rules,
    launch_choice_rules,
    managed_instances_rules,
    service_connect_rules,
    service_definition_rules,
    service_load_balancer_rules,
    service_placement_rules,
    service_platform_rules,
    service_provider_rules,
    service_request_rules,
    service_scheduling_rules,
    service_volume_rules,
};

/// BAY1101 follows BAY915, although its text does not.
bool is_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

std::vector<Rule> collect() {
  std::vector<Rule> rules;
  for (const auto topic : kTopics) {
    const auto table = topic();
    rules.insert(rules.end(), table.begin(), table.end());
  }
  std::sort(rules.begin(), rules.end(), [](const Rule& a, const Rule& b) { return is_before(a.code, b.code); });
  return rules;
}

std::map<std::string_view, std::vector<std::string_view>> close_causes() {
  std::map<std::string_view, std::vector<std::string_view>> closed;
  for (const auto& rule : registry()) {
    std::vector<std::string_view> causes;
    std::vector<std::string_view> open{rule.code};
    while (!open.empty()) {
      const std::string_view code = open.back();
      open.pop_back();
      for (const std::string_view cause : rule_of(code).traits.follows_from) {
        const bool is_new = !cause.empty() && std::find(causes.begin(), causes.end(), cause) == causes.end();
        if (!is_new) continue;
        causes.push_back(cause);
        open.push_back(cause);
      }
    }
    if (!causes.empty()) closed.emplace(rule.code, std::move(causes));
  }
  return closed;
}

}  // namespace

std::span<const Rule> registry() {
  static const std::vector<Rule> rules = collect();
  return rules;
}

const Rule& rule_of(std::string_view code) {
  static constexpr Rule kHouseRule("", Scope::kShape, static_cast<Rule::Check>(nullptr));
  if (is_house_code(code)) return kHouseRule;  // its detection is data, and nothing is particular about it
  const auto rules = registry();
  const auto found = std::lower_bound(rules.begin(), rules.end(), code, [](const Rule& rule, std::string_view wanted) {
    return is_before(rule.code, wanted);
  });
  assert(found != rules.end() && found->code == code);
  return *found;
}

const std::vector<std::string_view>& causes_of(std::string_view code) {
  static const auto causes = close_causes();
  static const std::vector<std::string_view> none;
  const auto found = causes.find(code);
  return found == causes.end() ? none : found->second;
}

}  // namespace bayplan::rules

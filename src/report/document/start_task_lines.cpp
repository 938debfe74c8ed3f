#include "report/document/start_task_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "base/shell_word.hpp"
#include "capacity/requirement.hpp"
#include "model/ecs_arn.hpp"

namespace bayplan::report {

namespace {

constexpr std::size_t kMostInstances = 10;  ///< Limit of one StartTask call (API_StartTask, containerInstances).

/// Names a file for each thing that the call needs in addition to the definition, because no report knows what is in
/// it.
std::string request_files(const placement::TaskDefinition& definition, const placement::Workload& workload) {
  std::string text;
  if (workload.requirement.network_interfaces > 0) text += " --network-configuration file://network.json";
  if (capacity::describe(workload.requirement) != capacity::describe(definition.requirement))
    text += " --overrides file://overrides.json";
  if (workload.requirement.ebs_volumes > 0) text += " --volume-configurations file://volumes.json";
  return text;
}

std::string start_task_line(const placement::Scenario& scenario, std::uint32_t workload,
                            const std::vector<std::string>& instances) {
  const auto& own = scenario.workloads[workload];
  const auto& definition = scenario.task_definitions[own.task_definition];
  std::string text = "aws ecs start-task";
  if (!scenario.cluster_name.empty()) text += " --cluster " + shell_word(scenario.cluster_name);
  text += " --task-definition " + shell_word(definition.is_registered ? definition.name : definition.family);
  if (own.group != "family:" + definition.family) text += " --group " + shell_word(own.group);
  text += request_files(definition, own);
  text += " --container-instances";
  for (const auto& instance : instances) text += " " + shell_word(instance);
  return text;
}

}  // namespace

std::string container_instance_id(const placement::Scenario& scenario, std::uint32_t instance) {
  const auto& described = scenario.instances[instance];
  const auto arn = model::parse_ecs_arn(scenario.profiles[described.profile].arn, "container-instance");
  return arn ? std::string(arn->id) : described.id;
}

std::vector<std::string> start_task_lines(const placement::Scenario& scenario, const std::vector<TasksToStart>& tasks) {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::string>> instances;  // by workload, nth task there
  for (const auto& [workload, instance, count] : tasks) {
    for (std::int64_t nth = 0; nth < count; ++nth) instances[{workload, nth}].push_back(instance);
  }
  std::vector<std::string> lines;
  for (const auto& [key, named] : instances) {
    for (std::size_t begin = 0; begin < named.size(); begin += kMostInstances) {
      const auto end = std::min(named.size(), begin + kMostInstances);
      lines.push_back(start_task_line(
          scenario, key.first,
          {named.begin() + static_cast<std::ptrdiff_t>(begin), named.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
  }
  return lines;
}

std::string start_task_note(const std::vector<TasksToStart>& tasks) {
  const auto is_other_id = [](const TasksToStart& one) {
    return one.instance.starts_with("i-") || one.instance.find('#') != std::string::npos;
  };
  const auto other = std::find_if(tasks.begin(), tasks.end(), is_other_id);
  if (other == tasks.end()) return {};
  return fmt::format("replace {} {} by container instance IDs (aws ecs list-container-instances)",
                     other->instance.starts_with("i-") ? "EC2 instance IDs such as" : "names such as", other->instance);
}

}  // namespace bayplan::report

#include "report/fleet/fleet_words.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/shell_word.hpp"

namespace bayplan::report {

using placement::WorkloadKind;

namespace {

constexpr std::size_t kMostInstances = 10;  ///< Limit of one StartTask call (API_StartTask, containerInstances).

std::string line(const FleetReport& report, std::uint32_t workload, const std::vector<std::string>& instances) {
  const auto& scenario = report.scenario;
  const auto& own = scenario.workloads[workload];
  const auto& definition = scenario.task_definitions[own.task_definition];
  std::string text = "aws ecs start-task";
  if (!scenario.cluster_name.empty()) text += " --cluster " + shell_word(scenario.cluster_name);
  text += " --task-definition " + shell_word(definition.is_registered ? definition.name : definition.family);
  if (own.group != "family:" + definition.family) text += " --group " + shell_word(own.group);
  text += " --container-instances";
  for (const auto& instance : instances) text += " " + shell_word(instance);
  return text;
}

}  // namespace

std::vector<std::string> start_task_lines(const FleetReport& report) {
  std::map<std::pair<std::uint32_t, std::int64_t>, std::vector<std::string>> instances;  // by workload, nth task there
  for (const auto& bin : report.assignments) {
    for (const auto& [workload, count] : bin.tasks) {
      if (report.scenario.workloads[workload].kind != WorkloadKind::kTasks) continue;
      for (std::int64_t nth = 0; nth < count; ++nth) instances[{workload, nth}].push_back(bin.instance);
    }
  }
  std::vector<std::string> lines;
  for (const auto& [key, named] : instances) {
    for (std::size_t begin = 0; begin < named.size(); begin += kMostInstances) {
      const auto end = std::min(named.size(), begin + kMostInstances);
      lines.push_back(
          line(report, key.first,
               {named.begin() + static_cast<std::ptrdiff_t>(begin), named.begin() + static_cast<std::ptrdiff_t>(end)}));
    }
  }
  return lines;
}

}  // namespace bayplan::report

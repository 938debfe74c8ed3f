#include "report/timeline_names.hpp"

#include <fmt/format.h>

#include "base/strings.hpp"
#include "report/numbered_names.hpp"

namespace bayplan::report {

using namespace timeline;  // NOLINT: the report is about nothing else
using placement::Scenario;

std::string task_names(const Scenario& scenario, const History& history, const std::vector<std::uint32_t>& tasks) {
  NumberedNames names;
  for (const auto index : tasks) {
    const Task& task = history.tasks[index];
    if (task.running == kNoIndex) {
      names.add(scenario.workloads[task.workload].name, task.number);
    } else {
      names.add_unnumbered(scenario.running[task.running].id);
    }
  }
  return names.text();
}

std::string instance_names(const History& history, const std::vector<std::uint32_t>& instances) {
  NumberedNames names;
  for (const auto index : instances) {
    const std::string_view id = history.instances[index].id;
    const auto mark = id.rfind('#');
    const auto number = mark == std::string_view::npos ? std::nullopt : to_integer(id.substr(mark + 1));
    if (number) {
      names.add(id.substr(0, mark), *number);
    } else {
      names.add_unnumbered(id);
    }
  }
  return names.text();
}

std::string deployment_name(const Scenario& scenario, const Deployment& deployment) {
  const auto& workload = scenario.workloads[deployment.workload];
  return fmt::format("{} ({})", workload.name, scenario.task_definitions[workload.task_definition].name);
}

}  // namespace bayplan::report

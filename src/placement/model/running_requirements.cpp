#include "placement/model/running_requirements.hpp"

#include <map>
#include <string_view>

namespace bayplan::placement {

std::vector<capacity::TaskRequirement> requirements_of_running(const Scenario& scenario) {
  std::map<std::string_view, const capacity::TaskRequirement*> known;
  for (const auto& definition : scenario.task_definitions) known.emplace(definition.name, &definition.requirement);
  std::vector<capacity::TaskRequirement> requirements;
  requirements.reserve(scenario.running.size());
  for (const auto& task : scenario.running) {
    const auto found = known.find(task.task_definition);
    requirements.push_back(found == known.end() ? capacity::TaskRequirement() : *found->second);
  }
  return requirements;
}

}  // namespace bayplan::placement

#include "placement/explain/gpu_needs_met.hpp"

#include <map>
#include <tuple>

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::placement {
namespace {

/// What the container got.
struct Given {
  const InstanceProfile* profile = nullptr;
  std::int64_t devices = 0;
};

class NeedCheck {
 public:
  explicit NeedCheck(const Scenario& scenario) : scenario_(scenario) {
    for (const auto& definition : scenario.task_definitions) {
      auto& own = needs_.emplace_back();
      for (const auto& container : definition.definition.container_definitions) {
        own.push_back(capacity::stated_needs(definition.definition, container, placeholders_, scenario.needs));
      }
    }
  }

  void look_at(const Placement& placement) {
    const auto& workload = scenario_.workloads[placement.attempt.workload];
    const std::uint32_t profile = scenario_.instances[placement.instance].profile;
    for (const auto& container : placement.gpus) {
      const auto& of_definition = needs_[workload.task_definition];
      if (container.container >= of_definition.size()) continue;
      const auto& needs = of_definition[container.container];
      if (!needs.any()) continue;
      const auto& type = scenario_.profiles[profile].instance_type;
      auto& count = counts_[{workload.task_definition, container.container, type}];
      count.given = {&scenario_.profiles[profile], static_cast<std::int64_t>(container.devices.size())};
      ++count.tasks;
    }
  }

  std::vector<ClusterFinding> findings() const {
    std::vector<ClusterFinding> findings;
    for (const auto& [key, count] : counts_) {
      const auto& [definition, container, type] = key;
      const auto& task = scenario_.task_definitions[definition];
      const auto& profile = *count.given.profile;
      for (const auto& one :
           unmet_needs(needs_[definition][container], count.given.devices, profile.type, profile.gpu_memory)) {
        findings.push_back({"gpu-need-not-met", task.family + "/" + task.container_names[container],
                            fmt::format("needs {}; {} on {}, which has {}: ECS does not check this", one.wanted,
                                        count_of(count.tasks, "task"), type, one.given)});
      }
    }
    return findings;
  }

 private:
  struct Count {
    Given given;
    std::int64_t tasks = 0;
  };

  const Scenario& scenario_;
  const model::Placeholders placeholders_;
  std::vector<std::vector<capacity::StatedNeeds>> needs_;  ///< Indexed by definition, then by container.
  std::map<std::tuple<std::uint32_t, std::size_t, std::string>, Count> counts_;
};

}  // namespace

std::vector<ClusterFinding> unmet_gpu_needs(const Scenario& scenario, const Outcome& outcome) {
  NeedCheck check(scenario);
  for (const auto& placement : outcome.placements) {
    if (!placement.gpus.empty()) check.look_at(placement);
  }
  return check.findings();
}

}  // namespace bayplan::placement

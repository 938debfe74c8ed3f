#include "placement/gpu_needs_met.hpp"

#include <map>
#include <tuple>

#include "base/fill.hpp"
#include "base/strings.hpp"

namespace bayplan::placement {
namespace {

using capacity::GpuNeeds;
using capacity::Interconnect;

/// What the container got: a type, and whether it got several of its GPUs.
struct Given {
  const InstanceProfile* profile = nullptr;
  std::size_t devices = 0;
};

/// "NVLink", and what is there instead.
struct Unmet {
  std::string wanted;
  std::string has;
};

std::vector<Unmet> unmet(const GpuNeeds& needs, const Given& given) {
  std::vector<Unmet> list;
  const auto* type = given.profile->type;
  const bool is_known = type != nullptr && type->gpu.has_value();
  const MiB memory = is_known && type->gpu->memory > 0 ? type->gpu->memory : given.profile->gpu_memory;
  if (needs.gpu_memory && memory > 0 && memory < *needs.gpu_memory)
    list.push_back({fill("{} MiB on each GPU", {*needs.gpu_memory}), fill("has {} MiB", {memory})});
  if (!is_known) return list;
  const auto capability = capacity::parse_tenths(type->gpu->compute_capability);
  if (needs.min_compute_capability && capability && *capability < *needs.min_compute_capability) {
    list.push_back({fill("compute capability {}", {capacity::text_of_tenths(*needs.min_compute_capability)}),
                    fill("has {}", {capacity::text_of_tenths(*capability)})});
  }
  const std::string& link = type->gpu->interconnect;
  if (needs.interconnect != Interconnect::kNvlink || given.devices < 2 || link.empty()) return list;
  if (link.find("NVLink") == std::string::npos) {
    list.push_back({"NVLink", fill("has {}", {link})});
  } else if (link.find("hybrid") != std::string::npos && static_cast<std::int64_t>(given.devices) < type->gpu->count) {
    list.push_back({"NVLink", "has pairs of GPUs without it"});
  }
  return list;
}

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
    const auto& workload = scenario_.workloads[placement.turn.workload];
    const std::uint32_t profile = scenario_.instances[placement.instance].profile;
    for (const auto& container : placement.gpus) {
      const auto& of_definition = needs_[workload.task_definition];
      if (container.container >= of_definition.size()) continue;
      const auto& needs = of_definition[container.container];
      if (!needs.gpu_memory && !needs.min_compute_capability && !needs.interconnect) continue;
      const auto& type = scenario_.profiles[profile].instance_type;
      auto& count = counts_[{workload.task_definition, container.container, type}];
      count.given = {&scenario_.profiles[profile], container.devices.size()};
      ++count.tasks;
    }
  }

  std::vector<ClusterFinding> findings() const {
    std::vector<ClusterFinding> findings;
    for (const auto& [key, count] : counts_) {
      const auto& [definition, container, type] = key;
      const auto& task = scenario_.task_definitions[definition];
      for (const auto& one : unmet(needs_[definition][container], count.given)) {
        findings.push_back({"gpu-need-not-met", task.family + "/" + task.container_names[container],
                            fill("needs {}; {} on {}, which {}: ECS does not look at this",
                                 {one.wanted, count_of(count.tasks, "task"), type, one.has})});
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
  std::vector<std::vector<capacity::StatedNeeds>> needs_;  ///< By definition, then container.
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

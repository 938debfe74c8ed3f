#include "fleet/ideal/unchecked_needs.hpp"

#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/profiles.hpp"

namespace bayplan::fleet {

using placement::Constraint;
using placement::InstanceProfile;
using placement::Scenario;

namespace {

std::vector<std::vector<capacity::StatedNeeds>> list_needs(const Scenario& scenario) {
  const model::Placeholders none;
  std::vector<std::vector<capacity::StatedNeeds>> needs;
  for (const auto& task : scenario.task_definitions) {
    auto& own = needs.emplace_back();
    for (const auto& container : task.definition.container_definitions)
      own.push_back(capacity::stated_needs(task.definition, container, none, scenario.needs));
  }
  return needs;
}

std::int64_t count_container_devices(const capacity::ContainerGpu& container, const InstanceProfile& profile) {
  if (container.form == capacity::GpuForm::kAll) return profile.gpu_count;
  return container.form == capacity::GpuForm::kCount ? container.count : 1;
}

Constraint member_of(const std::string& source) {
  auto parsed = query::parse(source);
  return {placement::ConstraintType::kMemberOf, source,
          std::make_shared<const query::Expression>(std::move(parsed.expression).value())};
}

}  // namespace

std::set<std::string> usual_architectures(const Scenario& scenario) {
  std::set<std::string> found;
  for (const auto& instance : scenario.instances) {
    std::string own = architecture_of(scenario.profiles[instance.profile]);
    if (!own.empty()) found.insert(std::move(own));
  }
  if (found.empty()) found.insert("x86_64");
  return found;
}

UncheckedNeeds::UncheckedNeeds(const EmptyBins& bins) : bins_(bins), needs_(list_needs(bins.scenario)) {
  for (const InstanceProfile& profile : bins.scenario.profiles) {
    architectures_.push_back(architecture_of(profile));
    windows_.push_back(placement::is_windows(profile) ? 1 : 0);
  }
}

bool UncheckedNeeds::is_wrong_system(std::uint32_t workload, std::uint32_t bin) const {
  return bins_.scenario.workloads[workload].requirement.windows != (windows_[bin] != 0);
}

std::string UncheckedNeeds::unmet_architecture(std::uint32_t workload, std::uint32_t bin) const {
  const auto& wanted = bins_.scenario.workloads[workload].requirement.architecture;
  if (!wanted || architectures_[bin].empty() || architectures_[bin] == *wanted) return {};
  return fmt::format("{}, requires {}", architectures_[bin], *wanted);
}

std::string UncheckedNeeds::unmet_gpus(std::uint32_t workload, std::uint32_t bin) const {
  const auto& task = bins_.scenario.workloads[workload];
  const InstanceProfile& profile = bins_.scenario.profiles[bin];
  const auto none = std::vector<capacity::StatedNeeds>();
  const auto& needs = task.task_definition < needs_.size() ? needs_[task.task_definition] : none;
  for (const auto& container : task.requirement.gpu_containers) {
    if (container.container >= needs.size() || !needs[container.container].any()) continue;
    const auto unmet = unmet_needs(needs[container.container], count_container_devices(container, profile),
                                   profile.type, profile.gpu_memory);
    if (!unmet.empty()) return fmt::format("{}, requires {}", unmet.front().given, unmet.front().wanted);
  }
  const auto unmet = profile.type == nullptr ? std::nullopt : unmet_neuron_devices(task.requirement, *profile.type);
  return unmet ? fmt::format("{}, requires {}", unmet->given, unmet->wanted) : std::string();
}

std::string UncheckedNeeds::unmet(std::uint32_t workload, std::uint32_t bin) const {
  if (is_wrong_system(workload, bin)) return windows_[bin] != 0 ? "Windows, requires Linux" : "Linux, requires Windows";
  std::string unmet = unmet_architecture(workload, bin);
  return unmet.empty() ? unmet_gpus(workload, bin) : unmet;
}

void UncheckedNeeds::restrict(std::uint32_t workload, const std::set<std::string>& usual, std::vector<bool>& allowed) {
  ExclusionCause by;
  bool any_usual = false;
  for (std::uint32_t bin = 0; bin < allowed.size(); ++bin) {
    if (!allowed[bin]) continue;
    const bool wrong_system = is_wrong_system(workload, bin);
    const bool wrong_architecture = !unmet_architecture(workload, bin).empty();
    const bool wrong_gpus = !unmet_gpus(workload, bin).empty();
    if (wrong_system) by.windows = windows_[bin] != 0;
    if (wrong_architecture) by.architectures.insert(architectures_[bin]);
    if (wrong_gpus) by.gpus = true;
    allowed[bin] = !wrong_system && !wrong_architecture && !wrong_gpus;
    any_usual = any_usual || (allowed[bin] && (architectures_[bin].empty() || usual.contains(architectures_[bin])));
  }
  if (!bins_.scenario.workloads[workload].requirement.architecture && any_usual) {
    for (std::uint32_t bin = 0; bin < allowed.size(); ++bin) {
      if (!allowed[bin] || architectures_[bin].empty() || usual.contains(architectures_[bin])) continue;
      allowed[bin] = false;
      by.architectures.insert(architectures_[bin]);
      unstated_.insert(workload);
    }
  }
  const bool is_placeable = std::find(allowed.begin(), allowed.end(), true) != allowed.end();
  if (is_placeable && (by.windows || by.gpus || !by.architectures.empty())) left_out_[workload] = std::move(by);
}

// Of two lists that say the same the shorter one: an expression may have 2,000 characters. ECS counts GPUs, so that
// only types with GPUs are in question; Neuron devices that a task maps keep it from no type.
std::string UncheckedNeeds::type_constraint(std::uint32_t workload) const {
  std::set<std::string, decltype(&natural_less)> good(natural_less);
  std::set<std::string, decltype(&natural_less)> bad(natural_less);
  for (std::uint32_t bin = 0; bin < bins_.origins.size(); ++bin) {
    const InstanceProfile& profile = bins_.scenario.profiles[bin];
    const bool has_devices = profile.gpu_count > 0 || (profile.type != nullptr && profile.type->neuron.devices > 0);
    if (has_devices) (unmet_gpus(workload, bin).empty() ? good : bad).insert(profile.instance_type);
  }
  const auto list = [](const auto& types) { return join({types.begin(), types.end()}, ", "); };
  const std::string wanted = list(good);
  const std::string unwanted = list(bad);
  const bool is_neuron = bins_.scenario.workloads[workload].requirement.mapped_neuron_devices > 0;
  return is_neuron || wanted.size() <= unwanted.size()
             ? fmt::format("attribute:ecs.instance-type in [{}]", wanted)
             : fmt::format("attribute:ecs.instance-type not_in [{}]", unwanted);
}

// `!=` is false where an instance lacks the attribute.
std::vector<std::pair<std::uint32_t, Constraint>> UncheckedNeeds::constraints() const {
  std::vector<std::pair<std::uint32_t, Constraint>> constraints;
  for (const auto& [workload, by] : left_out_) {
    if (by.windows) {
      constraints.emplace_back(workload, member_of(*by.windows ? "not(attribute:ecs.os-type == windows)"
                                                               : "attribute:ecs.os-type == windows"));
    }
    for (const auto& architecture : by.architectures)
      constraints.emplace_back(workload,
                               member_of(fmt::format("not(attribute:ecs.cpu-architecture == {})", architecture)));
    if (by.gpus) constraints.emplace_back(workload, member_of(type_constraint(workload)));
  }
  return constraints;
}

}  // namespace bayplan::fleet

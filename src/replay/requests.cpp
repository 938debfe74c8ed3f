#include "replay/requests.hpp"

#include <set>
#include <utility>

namespace bayplan::replay {

std::uint32_t Requests::add_terms(PlacementTerms terms) {
  terms_.push_back(std::move(terms));
  return static_cast<std::uint32_t>(terms_.size() - 1);
}

void Requests::state(std::vector<Strategy> strategies) {
  PlacementTerms terms;
  terms.strategies = std::move(strategies);
  stated_terms_ = add_terms(std::move(terms));
}

void Requests::describe(const RunningService& service) {
  service_terms_[service.name] = add_terms(replay::terms_of_service(service));
}

void Requests::apply(const RecordedService& recorded) {
  const auto name = history_.names.text(recorded.name);
  const auto known = service_terms_.find(name);
  const PlacementTerms* before =
      known == service_terms_.end() || !recorded.is_update ? nullptr : &terms_[known->second];
  if (before == nullptr && recorded.is_update) return;  // what the update leaves as it is, is unknown
  auto terms = terms_of_request(history_.names.text(recorded.request), WorkloadKind::kService, before);
  service_terms_[std::string(name)] = add_terms(std::move(terms));
}

std::uint32_t Requests::terms_of_call(std::uint32_t call) {
  const NameId request = history_.calls[call].request;
  const auto [known, is_new] = call_terms_.try_emplace(request, 0);
  if (is_new) known->second = add_terms(terms_of_request(history_.names.text(request), WorkloadKind::kTasks));
  return known->second;
}

std::optional<std::uint32_t> Requests::terms_of(const RecordedTask& task) {
  const auto group = history_.names.text(task.group);
  if (group.starts_with("service:")) {
    const auto known = service_terms_.find(group.substr(group.find(':') + 1));
    if (known != service_terms_.end()) return known->second;
  } else if (task.call != kNoIndex) {
    return terms_of_call(task.call);
  }
  return stated_terms_;
}

std::optional<std::uint32_t> Requests::terms_of_service(std::string_view name) const {
  const auto known = service_terms_.find(name);
  return known == service_terms_.end() ? std::nullopt : std::optional(known->second);
}

std::uint32_t Requests::unknown_terms() {
  if (!unknown_terms_) unknown_terms_ = add_terms({});
  return *unknown_terms_;
}

std::uint32_t Requests::held_of(const RecordedTask& task) {
  const auto [known, is_new] =
      held_numbers_.try_emplace(std::tuple(task.definition, task.size.cpu, task.size.memory, task.group),
                                static_cast<std::uint32_t>(held_.size()));
  if (!is_new) return known->second;
  HeldResources held;
  if (const auto definition = cluster_.definition_named(history_.names.text(task.definition)))
    held.requirement = cluster_.scenario().task_definitions[*definition].requirement;
  if (task.size.cpu >= 0) held.requirement.cpu = task.size.cpu;
  if (task.size.memory > 0) held.requirement.memory = task.size.memory;
  held.group = cluster_.groups().number(history_.names.text(task.group));
  held_.push_back(std::move(held));
  return known->second;
}

std::uint32_t Requests::class_of(const RecordedTask& task, std::uint32_t definition, std::uint32_t terms) {
  const std::uint32_t held = held_of(task);
  std::string group(history_.names.text(task.group));
  const auto [known, is_new] = class_numbers_.try_emplace(std::tuple(held, terms, group), 0);
  if (!is_new) return known->second;
  const auto& described = cluster_.scenario().task_definitions[definition];
  const auto& own = terms_[terms];
  Workload workload;
  workload.kind = own.kind;
  workload.name = group.starts_with("service:") ? group.substr(group.find(':') + 1) : described.family;
  workload.task_definition = definition;
  workload.group = std::move(group);
  workload.requirement = held_[held].requirement;
  workload.strategies = own.strategies;
  workload.constraints = described.constraints;
  workload.constraints.insert(workload.constraints.end(), own.constraints.begin(), own.constraints.end());
  if (workload.requirement.network_interfaces > 0)
    workload.availability_zones = own.availability_zones ? own.availability_zones : zones_of(own.subnets);
  known->second = cluster_.add_class(std::move(workload));
  return known->second;
}

/// Zones of the subnets as far as instances are in them; nothing if one is unknown.
std::optional<std::vector<std::string>> Requests::zones_of(const std::vector<std::string>& subnets) const {
  std::set<std::string> zones;
  for (const auto& subnet : subnets) {
    bool is_known = false;
    for (std::uint32_t i = 0; i < cluster_.size() && !is_known; ++i) {
      const auto& profile = cluster_.profile(i);
      is_known = profile.subnet_id == subnet && !profile.availability_zone.empty();
      if (is_known) zones.insert(profile.availability_zone);
    }
    if (!is_known) return std::nullopt;
  }
  if (zones.empty()) return std::nullopt;
  return std::vector<std::string>(zones.begin(), zones.end());
}

std::optional<std::uint32_t> Requests::class_of_failure(std::uint32_t terms, const std::string& definition_name,
                                                        const std::string& group) {
  if (!terms_[terms].unreadable.empty()) return std::nullopt;
  const auto definition = cluster_.definition_named(definition_name);
  if (!definition) return std::nullopt;
  RecordedTask task;  // of the size that the definition states
  task.definition = history_.names.id(definition_name);
  task.group = history_.names.id(group);
  return class_of(task, *definition, terms);
}

}  // namespace bayplan::replay

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/fit.hpp"

namespace bayplan::capacity {

using catalog::MemoryBasis;

namespace {

template <class Predicate>
bool any_task(const FitReport& report, Predicate predicate) {
  return std::any_of(report.tasks.begin(), report.tasks.end(),
                     [&](const TaskFit& task) { return predicate(task.requirement); });
}

/// "g4dn.xlarge", or "527 types".
std::string subject_of(const std::vector<std::string>& types) {
  return types.size() == 1 ? types.front() : count_of(static_cast<std::int64_t>(types.size()), "type");
}

void add_unknown_values(const FitReport& report, std::vector<Assumption>& list) {
  for (const auto& task : report.tasks) {
    for (const auto& member : task.requirement.unknown) {
      list.push_back({"value-unknown", task.family.empty() ? member : task.family + " " + member,
                      "this placeholder counts as nothing"});
    }
  }
}

void add_launch_types(const FitReport& report, std::vector<Assumption>& list) {
  for (const auto& task : report.tasks) {
    if (auto one = launch_type_assumption(task.requirement, task.family.empty() ? task.file : task.family))
      list.push_back(std::move(*one));
  }
}

void add_neuron(const FitReport& report, std::vector<Assumption>& list) {
  for (const auto& task : report.tasks) {
    if (auto one = neuron_assumption(task.requirement, task.family.empty() ? task.file : task.family))
      list.push_back(std::move(*one));
  }
}

void add_gpu(const FitReport& report, std::vector<Assumption>& list) {
  if (!any_task(report, [](const auto& task) { return task.gpu_form == GpuForm::kMps; })) return;
  list.push_back({"gpu-sharing-enabled", "", "instances offer NVIDIA MPS (ecs.capability.gpu-sharing-mps)"});
  list.push_back({"gpu-memory-estimated", "", "tasks can use 93% of a GPU's advertised memory"});
}

void add_network(const FitReport& report, std::vector<Assumption>& list) {
  if (!any_task(report, [](const auto& task) { return task.network_interfaces > 0; })) return;
  if (!report.trunking) {
    list.push_back({"trunking-off", "", "awsvpcTrunking is off (--trunking on allows more awsvpc tasks)"});
  }
  std::vector<std::string> unknown;
  for (const auto& row : report.tasks.front().rows) {
    if (!row.offer.network_interfaces) unknown.push_back(row.type->name);
  }
  if (!unknown.empty()) {
    list.push_back({"network-interfaces-unknown", subject_of(unknown), "network interfaces do not limit the copies"});
  }
}

void add_attachments(const FitReport& report, std::vector<Assumption>& list) {
  if (!any_task(report, [](const auto& task) { return task.ebs_volumes > 0; })) return;
  std::vector<std::string> unknown;
  for (const auto& row : report.tasks.front().rows) {
    if (!row.offer.ebs_attachments) unknown.push_back(row.type->name);
  }
  list.push_back(
      {"ebs-attachments", "",
       "each EBS volume uses an attachment of the instance; ECS does not document that placement checks this"});
  if (!unknown.empty())
    list.push_back({"ebs-attachments-unknown", subject_of(unknown), "EBS attachments do not limit the copies"});
}

/// An image runs on one architecture only; a definition that does not say which is counted on both.
void add_architecture(const FitReport& report, std::vector<Assumption>& list) {
  if (!any_task(report, [](const auto& task) { return !task.architecture && !task.windows; })) return;
  std::set<std::string> offered;
  for (const auto& row : report.tasks.front().rows) {
    offered.insert(row.offer.architectures.begin(), row.offer.architectures.end());
  }
  if (offered.size() > 1) {
    list.push_back({"architecture-not-stated", "", "no cpuArchitecture given: arm64 and x86_64 both count"});
  }
}

void add_capabilities(const FitReport& report, std::vector<Assumption>& list) {
  if (any_task(report, [](const auto& task) { return !task.required_attributes.empty(); })) {
    list.push_back({"current-agent", "", "instances run a current agent that offers every attribute required"});
  }
}

}  // namespace

std::vector<Assumption> memory_assumptions(const std::vector<const catalog::InstanceType*>& types) {
  std::vector<std::string> all;
  std::vector<std::pair<std::string, std::string_view>> parts;  // of which types, what
  const auto add = [&](MemoryBasis basis, std::string_view text) {
    std::vector<std::string> names;
    for (const auto* type : types) {
      if (type->memory_basis == basis) names.push_back(type->name);
    }
    if (names.empty()) return;
    parts.emplace_back(subject_of(names), text);
    all.insert(all.end(), names.begin(), names.end());
  };
  add(MemoryBasis::kMeasured, "memory measured on one instance, within 1% (5% below 2 GiB)");
  add(MemoryBasis::kSibling, "memory measured on a type with the same memory, processor and generation, within 1%");
  add(MemoryBasis::kModel, "memory estimated by a model of the type's class, within 2% (5% below 2 GiB)");
  add(MemoryBasis::kUnknown, "registered memory unknown: unsure at best");
  if (parts.empty()) return {};
  std::vector<std::string> texts;
  for (const auto& [subject, text] : parts)
    texts.push_back(parts.size() == 1 ? std::string(text) : fmt::format("{}: {}", subject, text));
  return {{"memory-estimated", subject_of(all), join(texts, "; ")}};
}

std::vector<Assumption> collect_assumptions(const FitReport& report) {
  std::vector<Assumption> list;
  add_launch_types(report, list);
  add_unknown_values(report, list);
  add_architecture(report, list);
  if (!report.tasks.empty()) {
    std::vector<const catalog::InstanceType*> types;
    for (const auto& row : report.tasks.front().rows) types.push_back(row.type);
    const auto memory = memory_assumptions(types);
    list.insert(list.end(), memory.begin(), memory.end());
  }
  add_neuron(report, list);
  add_gpu(report, list);
  add_network(report, list);
  add_attachments(report, list);
  add_capabilities(report, list);
  return list;
}

}  // namespace bayplan::capacity

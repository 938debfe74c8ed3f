// Whether the instance types that the task is meant for can hold it at all.
#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/fit.hpp"
#include "rules/task/pinned_types.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using capacity::FitRow;
using capacity::Resource;
using capacity::Shortfall;
using model::Compatibility;

/// The row that lacks the fewest things, and of these the largest machine: nearest to holding the task.
const FitRow& nearest_row(const std::vector<FitRow>& rows) {
  return *std::min_element(rows.begin(), rows.end(), [](const FitRow& a, const FitRow& b) {
    if (a.reasons.size() != b.reasons.size()) return a.reasons.size() < b.reasons.size();
    return a.offer.memory > b.offer.memory;
  });
}

std::string gpus_wanted(const capacity::TaskRequirement& task) {
  switch (task.gpu_form) {
    case capacity::GpuForm::kFraction:
      return "this fraction of a GPU";
    case capacity::GpuForm::kAll:
      return "GPUs";
    default:
      return count_of(task.gpu_count, "GPU");
  }
}

std::string lack_text(const capacity::InstanceOffer& free, const Shortfall& shortfall,
                      const capacity::TaskRequirement& task) {
  switch (shortfall.resource) {
    case Resource::kCpu:
      return fmt::format("{} of {} CPU units", free.cpu, task.cpu);
    case Resource::kMemory:
      return fmt::format("{} of {} MiB", free.memory, task.memory);
    case Resource::kPorts:
      return "a required host port in use by the system";
    case Resource::kEni:
      return "no network interface left";
    case Resource::kEbs:
      return "no EBS attachment left";
    case Resource::kGpu:
      if (shortfall.is_gpu_memory) return fmt::format("{} MiB too little GPU memory", shortfall.amount);
      return fmt::format("{} of {} required", count_of(free.gpu.count, "GPU"), gpus_wanted(task));
    case Resource::kNeuron:
      return "no Neuron device that ECS assigns";
  }
  return {};
}

/// What the config says that the instances keep from every task; empty when they keep nothing.
std::string kept_text(const capacity::FitOptions& instances) {
  std::vector<std::string> parts;
  if (instances.reserved_memory > 0) parts.push_back(fmt::format("{} MiB reserved", instances.reserved_memory));
  const auto daemons = static_cast<std::int64_t>(instances.daemons.size());
  if (daemons > 0) parts.push_back(count_of(daemons, "daemon"));
  return parts.empty() ? "" : " after " + join(parts, " and ");
}

std::string lacks(const FitRow& row, const capacity::TaskRequirement& task, const capacity::FitOptions& instances) {
  auto free = row.offer;
  for (const auto& daemon : instances.daemons) capacity::take(free, daemon);
  std::vector<std::string> parts;
  for (const auto& shortfall : row.shortfalls) parts.push_back(lack_text(free, shortfall, task));
  const std::string kept = parts.empty() ? "" : kept_text(instances);
  for (const auto& attribute : row.missing_attributes) parts.push_back("no " + attribute);
  return join(parts, ", ") + kept;
}

/// Another rule speaks: no GPU at all on pinned types (BAY456), more GPUs than any type has (BAY412).
bool is_told_elsewhere(const Context& ctx, const ChosenTypes& chosen, const capacity::TaskRequirement& task) {
  if (!task.wants_gpu()) return false;
  if (chosen.constraint && chosen.with_gpu().empty()) return true;
  const auto& types = ctx.catalog.get().types();
  return std::none_of(types.begin(), types.end(),
                      [&](const auto& type) { return type.has_nvidia_gpu() && type.gpu->count >= task.gpu_count; });
}

/// The cheapest type of the catalog that holds the task; empty when there is none.
std::string cheapest_type(const Context& ctx, const capacity::TaskRequirement& task) {
  std::vector<const catalog::InstanceType*> all = ctx.catalog.get().matching({});
  const auto report = capacity::fit({{"", task}}, all, ctx.options.instances);
  const FitRow* row = report.tasks.front().cheapest();
  return row == nullptr ? "" : row->type->name;
}

void fits_none_of_types(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kEc2) && !ctx.targets(Compatibility::kManagedInstances)) return;
  if (!ctx.sees_task() || ctx.task.container_definitions.empty()) return;
  const auto chosen = chosen_types(ctx, emit);
  if (!chosen) return;
  const auto requirement = capacity::requirement_of(ctx.task);
  if (!requirement.unknown.empty() || is_told_elsewhere(ctx, *chosen, requirement)) return;
  const auto report = capacity::fit({{"", requirement}}, chosen->types, ctx.options.instances);
  const auto& result = report.tasks.front();
  if (result.holding() > 0) return;

  const FitRow& nearest = nearest_row(result.rows);
  auto finding = chosen->constraint ? emit.at(chosen->constraint) : emit.at(ctx.root.opening(), ctx.root);
  const bool is_one = result.rows.size() == 1;
  finding.says("task ({}) does not fit on {}{} ({}): {} has {}", capacity::describe(requirement),
               is_one ? "" : "any of ", chosen->names(), chosen->chosen_by(), is_one ? "it" : nearest.type->name,
               lacks(nearest, requirement, ctx.options.instances));
  const std::string cheapest = cheapest_type(ctx, requirement);
  if (cheapest.empty()) {
    finding.help("request less, or split the task; no known instance type fits it");
  } else {
    finding.help("request less, or use a larger type; the cheapest that fits is {}", cheapest);
  }
}

}  // namespace

std::span<const Rule> fit_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY464", kTaskDefinition, fits_none_of_types},
  };
  return kRules;
}

}  // namespace bayplan::rules

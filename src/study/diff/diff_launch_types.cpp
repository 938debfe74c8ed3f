#include "study/diff/diff_launch_types.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "catalog/managed_instances.hpp"
#include "study/diff/diff.hpp"

namespace bayplan::study {

using capacity::FitRow;
using catalog::InstanceType;

namespace {

/// Makes the row the price of the task if it is cheaper than the one so far.
void take_cheaper(const FitRow& row, bool is_managed, TaskOnLaunchType& result) {
  MicroUsd price = row.price->hourly;
  std::vector<fleet::UsedRate> rates{{row.type->name, price * kNanoUsdPerMicroUsd, row.price->date, row.price->source}};
  if (is_managed) {
    const auto managed = catalog::managed_instances(*row.type);
    const auto fee = managed.fee(price);
    rates.push_back({row.type->name + " fee", fee * kNanoUsdPerMicroUsd, managed.date, managed.source});
    price += fee;
  }
  const auto each = (price + *row.copies / 2) / *row.copies;
  if (result.hourly && *result.hourly <= each) return;
  result.hourly = each;
  result.instance_type = row.type->name;
  result.rates = std::move(rates);
}

/// The type on which a copy is cheapest when it is full of copies.
void price_on_instances(capacity::FitTask task, std::vector<const InstanceType*> types, capacity::FitOptions options,
                        bool is_managed, TaskOnLaunchType& result) {
  if (is_managed) {
    options.trunking = true;
    if (result.check.becomes_awsvpc) {
      task.requirement.network_interfaces = 1;
      task.requirement.tcp_ports.clear();
      task.requirement.udp_ports.clear();
    }
    std::erase_if(types, [](const InstanceType* type) { return !catalog::managed_instances(*type).is_available(); });
    const auto burstable = [](const InstanceType* type) { return catalog::is_burstable(*type); };
    if (!std::all_of(types.begin(), types.end(), burstable)) std::erase_if(types, burstable);
  }
  // Fargate runs what states no architecture on x86_64 (API_RuntimePlatform): so that all rows are of one.
  const auto runs_x86 = [](const InstanceType* type) {
    const auto& all = type->architectures;
    return std::find(all.begin(), all.end(), "x86_64") != all.end();
  };
  if (!task.requirement.architecture && std::any_of(types.begin(), types.end(), runs_x86))
    task.requirement.architecture = "x86_64";
  const auto report = capacity::fit({task}, types, options);
  bool is_held = false;
  for (const FitRow& row : report.tasks.front().rows) {
    if (row.fits != capacity::Fits::kYes || row.type->is_retired() || !row.unmet_needs.empty()) continue;
    is_held = true;
    if (row.price && row.copies && *row.copies > 0) take_cheaper(row, is_managed, result);
  }
  if (!is_held) {
    result.check.not_possible.push_back(
        {{}, is_managed ? "it fits no type of Managed Instances" : "it fits no instance type"});
  } else if (!result.hourly) {
    result.missing_prices.push_back("prices of the instance types in " + options.region);
  }
}

TaskOnLaunchType price_on(LaunchType type, const SideDefinition& definition, const capacity::FitTask& task,
                          const std::vector<const InstanceType*>& types, const capacity::FitOptions& fit,
                          const lint::Tools& tools) {
  const auto& need = task.requirement;
  TaskOnLaunchType result;
  if (!need.unknown.empty()) {
    result.check.not_possible.push_back({{}, need.unknown.front() + " is a placeholder"});
    return result;
  }
  result.check = check_on(type, definition.task, need, tools);
  if (!result.check.not_possible.empty()) return result;
  if (type == LaunchType::kEc2 || type == LaunchType::kManagedInstances) {
    price_on_instances(task, types, fit, type == LaunchType::kManagedInstances, result);
    return result;
  }
  const auto cost =
      fleet::fargate_cost({*result.check.size, result.check.storage, need.architecture, need.windows},
                          catalog::fargate_prices(fit.region), fit.region, type == LaunchType::kFargateSpot);
  result.missing_prices = cost.missing;
  result.rates = cost.rates;
  result.is_spot_estimate = cost.is_spot_estimate;
  if (cost.is_known()) result.hourly = (cost.hourly + kNanoUsdPerMicroUsd / 2) / kNanoUsdPerMicroUsd;
  return result;
}

}  // namespace

bool LaunchTypeChange::changes() const {
  if (!before || !after) return true;
  return before->hourly != after->hourly || before->check.not_possible != after->check.not_possible;
}

std::vector<LaunchTypeChange> price_on_launch_types(const SideDefinition* before, const SideDefinition* after,
                                                    const std::vector<const InstanceType*>& types,
                                                    const capacity::FitOptions& fit, const lint::Tools& tools) {
  std::optional<capacity::FitTask> old_task, new_task;
  if (before != nullptr) old_task = fit_task(*before);
  if (after != nullptr) new_task = fit_task(*after);
  std::vector<LaunchTypeChange> changes;
  for (const auto type : kLaunchTypes) {
    LaunchTypeChange change{.launch_type = type};
    if (old_task) change.before = price_on(type, *before, *old_task, types, fit, tools);
    if (new_task) change.after = price_on(type, *after, *new_task, types, fit, tools);
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace bayplan::study

#include "fleet/ideal/unplaceable.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "fleet/ideal/empty_bins.hpp"
#include "fleet/ideal/task_groups.hpp"
#include "fleet/ideal/unchecked_needs.hpp"
#include "placement/engine/filters.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/model/capacity_providers.hpp"
#include "placement/model/constraints.hpp"

namespace bayplan::fleet {

namespace {

using namespace placement;  // NOLINT: conditions are what placement checks
using capacity::GpuForm;
using capacity::TaskRequirement;

constexpr std::string_view kWants = "requires ";

struct Condition {
  std::string name;
  bool is_constraint = false;
  std::vector<bool> holds;  ///< One entry per bin.
  std::string reason;       ///< Why no bin meets it; empty where that is not known.
};

/// What the expression waits for in vain: "no task of group service:web can start". Empty if it holds on none of the
/// instances whatever tasks are there.
std::string missing_tasks(const query::Expression& expression, const EmptyBins& bins) {
  const auto& profiles = bins.scenario.profiles;
  if (std::none_of(profiles.begin(), profiles.end(), [&](const InstanceProfile& profile) {
        return expression.may_hold(ProfileView(profile, nullptr, nullptr));
      }))
    return {};
  const auto truths = query::predicates_with(expression, bins.tasks);
  std::vector<std::string_view> groups;
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const auto& predicate = expression.predicates()[i];
    if (predicate.subject != query::Subject::kTaskGroup || truths[i] != query::Truth::kFalse) continue;
    for (const auto& literal : predicate.values) groups.push_back(literal.text);
  }
  if (groups.empty()) return "no task can start that makes it hold";
  return fmt::format("no task of group {} can start", one_of(groups));
}

std::string name_of_gpus(const TaskRequirement& task) {
  if (task.gpu_form == GpuForm::kCount) return count_of(task.gpu_count, "GPU");
  if (task.gpu_form == GpuForm::kMps) return fmt::format("{} MiB of a shared GPU", task.mps_memory);
  return task.gpu_form == GpuForm::kAll ? "ALL GPUs" : "a fraction of a GPU";
}

class Conditions {
 public:
  Conditions(const EmptyBins& bins, const UncheckedNeeds& needs, const TaskGroup& task_group)
      : bins_(bins), needs_(needs), lot_(task_group), task_(bins.scenario.workloads[task_group.workload]) {
    add_constraints();
    add_places();
    add_resources();
  }

  /// The smallest set of at most three with a constraint in it that nothing meets; first in order among equals.
  std::vector<std::size_t> smallest_set() const {
    const auto size = list_.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (fails({i})) return {i};
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i + 1; j < size; ++j) {
        if (fails({i, j})) return {i, j};
      }
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = i + 1; j < size; ++j) {
        for (std::size_t k = j + 1; k < size; ++k) {
          if (fails({i, j, k})) return {i, j, k};
        }
      }
    }
    return {};
  }

  const Condition& operator[](std::size_t index) const { return list_[index]; }

 private:
  template <class Rule>
  void add(std::string name, bool is_constraint, Rule rule) {
    Condition condition{std::move(name), is_constraint, {}, {}};
    for (std::uint32_t bin = 0; bin < bins_.origins.size(); ++bin) condition.holds.push_back(rule(bin));
    list_.push_back(std::move(condition));
  }

  const InstanceProfile& profile(std::uint32_t bin) const { return bins_.scenario.profiles[bin]; }

  void add_constraints() {
    for (const Constraint& constraint : task_.constraints) {
      if (!constraint.expression) continue;
      const auto met = bins_that_may_meet(bins_, *constraint.expression);
      add(fmt::format("memberOf \"{}\"", constraint.source), true, [&](std::uint32_t bin) { return met[bin]; });
      if (std::find(met.begin(), met.end(), true) == met.end())
        list_.back().reason = missing_tasks(*constraint.expression, bins_);
    }
    for (const std::string& attribute : task_.requirement.required_attributes) {
      add(fmt::format("the attribute {}", attribute), true,
          [&](std::uint32_t bin) { return has_required_attribute(profile(bin), attribute); });
    }
    add(name_of_needs(), true, [&](std::uint32_t bin) { return needs_.unmet(lot_.workload, bin).empty(); });
  }

  std::string name_of_needs() const {
    const TaskRequirement& task = task_.requirement;
    if (task.windows) return "runtimePlatform Windows";
    if (task.architecture) return fmt::format("runtimePlatform {}", *task.architecture);
    for (std::uint32_t bin = 0; bin < bins_.origins.size(); ++bin) {
      const std::string unmet = needs_.unmet(lot_.workload, bin);
      const auto wanted = unmet.find(kWants);
      if (wanted != std::string::npos) return fmt::format("the need of {}", unmet.substr(wanted + kWants.size()));
    }
    return "a Linux instance";
  }

  void add_places() {
    if (const auto& zones = task_.availability_zones) {
      add(fmt::format("subnets in {}", join(*zones, ", ")), true, [&](std::uint32_t bin) {
        const std::string& zone = profile(bin).availability_zone;
        return zone.empty() || std::find(zones->begin(), zones->end(), zone) != zones->end();
      });
    }
    if (lot_.capacity_provider) {
      const auto name = placement::provider_name(task_, lot_.capacity_provider);
      add(fmt::format("capacity provider {}", name), true,
          [&](std::uint32_t bin) { return profile(bin).capacity_provider_name == name; });
    }
  }

  void add_resources() {
    const TaskRequirement& task = task_.requirement;
    const auto add_check = [&](std::string name, Check check) {
      add(std::move(name), false,
          [&](std::uint32_t bin) { return !failing_resources(bins_.states[bin], task).has(check); });
    };
    if (task.wants_gpu()) add_check(name_of_gpus(task), Check::kGpu);
    if (task.wants_neuron()) add_check("Neuron devices that ECS assigns", Check::kNeuronDevice);
    add_check(capacity::describe_cpu(task.cpu), Check::kCpu);
    add_check(fmt::format("{} MiB of memory", task.memory), Check::kMemory);
    if (task.network_interfaces > 0) add_check("a network interface", Check::kNetworkInterface);
    if (task.ebs_volumes > 0) add_check("an EBS attachment", Check::kEbsAttachment);
    std::vector<std::string> ports;
    for (const auto port : task.tcp_ports) ports.push_back(std::to_string(port) + "/tcp");
    for (const auto port : task.udp_ports) ports.push_back(std::to_string(port) + "/udp");
    if (!ports.empty()) add_check("the host ports " + join(ports, ", "), Check::kPorts);
  }

  bool fails(const std::vector<std::size_t>& set) const {
    const auto is_constraint = [&](std::size_t index) { return list_[index].is_constraint; };
    // Alone, a size that nothing has comes first: it is no contradiction.
    if (set.size() > 1 && std::none_of(set.begin(), set.end(), is_constraint)) return false;
    for (std::uint32_t bin = 0; bin < bins_.origins.size(); ++bin) {
      if (std::all_of(set.begin(), set.end(), [&](std::size_t index) { return list_[index].holds[bin]; })) return false;
    }
    return true;
  }

  const EmptyBins& bins_;
  const UncheckedNeeds& needs_;
  const TaskGroup& lot_;
  const Workload& task_;
  std::vector<Condition> list_;
};

/// The fewest conditions of a task, three at most, that no bin meets together, where at least one of them is a
/// constraint: `memberOf "attribute:stack == prod" and 4 GPU hold together on nothing that is on offer`. Empty when
/// there is none, or when the task is too large by itself.
std::string contradiction_of(const EmptyBins& bins, const UncheckedNeeds& needs, const TaskGroup& task_group) {
  if (bins.origins.empty()) return {};
  const Conditions conditions(bins, needs, task_group);
  const auto set = conditions.smallest_set();
  std::vector<std::string_view> names;
  for (const std::size_t index : set) names.push_back(conditions[index].name);
  if (names.empty() || (names.size() == 1 && !conditions[set.front()].is_constraint)) return {};
  if (names.size() == 1) {
    const std::string& reason = conditions[set.front()].reason;
    return fmt::format("no available instance type meets {}{}{}", names.front(), reason.empty() ? "" : ": ", reason);
  }
  return fmt::format("no available instance type meets {} together", one_of(names, "and"));
}

/// Nothing but a need that ECS does not look at is the nearest of all.
bool is_nearer(const TypeRejection& a, const TypeRejection& b, const capacity::TaskRequirement& task) {
  const auto as_rejection = [](const TypeRejection& one) { return placement::Rejection{0, one.failed, one.shortfall}; };
  if (a.failed.empty() || b.failed.empty()) return a.failed.empty() && !b.failed.empty();
  return placement::is_nearer(placement::nearness(as_rejection(a), task), placement::nearness(as_rejection(b), task));
}

}  // namespace

Unplaceable unplaceable_group(const EmptyBins& bins, const UncheckedNeeds& needs, const TaskGroup& task_group) {
  const placement::Workload& workload = bins.scenario.workloads[task_group.workload];
  const auto& task = workload.requirement;
  const std::uint32_t group = bins.groups.find(workload.group).value();  // numbered when its bins were looked for
  const placement::Filter filter(bins.scenario, bins.groups, workload, group);
  Unplaceable result{task_group.workload, task_group.count, contradiction_of(bins, needs, task_group), {}};
  std::vector<bool> meets_all(bins.origins.size(), true);
  for (const Constraint& constraint : workload.constraints) {
    if (!constraint.expression) continue;
    const auto met = bins_that_may_meet(bins, *constraint.expression);
    for (std::uint32_t bin = 0; bin < met.size(); ++bin) meets_all[bin] = meets_all[bin] && met[bin];
  }
  std::map<std::string, std::size_t> known;
  for (std::uint32_t bin = 0; bin < bins.origins.size(); ++bin) {
    auto rejection =
        filter.reject(bin, bins.states[bin], placement::provider_name(workload, task_group.capacity_provider));
    if (!meets_all[bin]) rejection.failed.add(Check::kMemberOf);
    TypeRejection own{bins.scenario.profiles[bin].instance_type, rejection.failed, std::move(rejection.shortfall),
                      needs.unmet(task_group.workload, bin)};
    const auto [entry, is_new] = known.emplace(own.instance_type, result.rejections.size());
    if (is_new) {
      result.rejections.push_back(std::move(own));
    } else if (is_nearer(own, result.rejections[entry->second], task)) {
      result.rejections[entry->second] = std::move(own);
    }
  }
  std::stable_sort(result.rejections.begin(), result.rejections.end(),
                   [&](const TypeRejection& a, const TypeRejection& b) { return is_nearer(a, b, task); });
  return result;
}

}  // namespace bayplan::fleet

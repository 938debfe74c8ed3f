#include "study/fleet/fleet_deployable.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "placement/engine/engine.hpp"
#include "placement/explain/ecs_words.hpp"
#include "study/simulation/cluster_simulation.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

/// One instance more of a type, in each place where the fleet has some.
struct TypeToAdd {
  std::string instance_type;
  std::vector<std::uint32_t> profiles;
  std::optional<MicroUsd> price;
};

std::vector<TypeToAdd> list_additions(const Scenario& scenario) {
  std::map<std::string, std::set<std::uint32_t>> by_type;
  for (const auto& instance : scenario.instances)
    by_type[scenario.profiles[instance.profile].instance_type].insert(instance.profile);
  std::vector<TypeToAdd> additions;
  for (const auto& [type, profiles] : by_type) {
    TypeToAdd one{type, {}, scenario.profiles[*profiles.begin()].hourly_price};
    std::set<std::string_view> zones;
    for (const std::uint32_t profile : profiles) {
      if (zones.insert(scenario.profiles[profile].availability_zone).second) one.profiles.push_back(profile);
    }
    additions.push_back(std::move(one));
  }
  std::stable_sort(additions.begin(), additions.end(), [](const TypeToAdd& a, const TypeToAdd& b) {
    return std::pair(!a.price, a.price.value_or(0)) < std::pair(!b.price, b.price.value_or(0));
  });
  return additions;
}

/// Why the service does not roll in the cluster as it is, with the deployment begun.
std::string why_not_rolled(const ClusterSimulation& cluster, const Scenario& scenario, std::uint32_t workload) {
  const auto& own = scenario.workloads[workload];
  const auto figures = cluster.figures(cluster.name_of(workload));
  const auto desired = figures.desired;
  // What ECS says of the first task that is not placed.
  std::string reason;
  for (std::uint32_t index = 0; index < cluster.tasks().size() && reason.empty(); ++index) {
    const auto& task = cluster.tasks()[index];
    if (task.workload != workload || task.instance != kNoInstance || task.is_removed) continue;
    if (const auto* failure = cluster.find_failure(index))
      reason = " (" + failure_reason(cluster.scenario(), *failure) + ")";
  }
  const auto* settings = settings_of(scenario.timetable, workload);
  if (settings != nullptr && settings->runs_both()) {
    return fmt::format("{} runs {} new tasks next to {} old ones, and has room for {}{}", settings->name(), desired,
                       desired, figures.placed, reason);
  }
  if (!cluster.lacks_more_room(workload)) {
    return fmt::format("it can neither start nor stop any of {} tasks (minimumHealthyPercent {}, maximumPercent {})",
                       desired, own.minimum_healthy_percent, own.maximum_percent);
  }
  const timeline::ServiceTerms terms{desired, own.minimum_healthy_percent, own.maximum_percent};
  const auto running = terms.lower() == desired ? fmt::format("all {} tasks", desired)
                                                : fmt::format("{} of {} tasks", terms.lower(), desired);
  return fmt::format("{} must keep running (minimumHealthyPercent {}), and there is no room for another{}", running,
                     own.minimum_healthy_percent, reason);
}

/// The event that adds instances, dealt to the zones of the fleet in turn; `first`: where it begins.
AddInstances added_instances(const Scenario& scenario, const TypeToAdd& addition, std::int64_t count,
                             std::size_t first) {
  AddInstances more;
  for (const std::uint32_t profile : addition.profiles) more.profiles.push_back(scenario.profiles[profile]);
  for (std::int64_t i = 0; i < count; ++i) {
    const auto profile = (first + static_cast<std::size_t>(i)) % addition.profiles.size();
    more.instances.push_back({"more#" + std::to_string(i + 1), static_cast<std::uint32_t>(profile)});
  }
  return more;
}

}  // namespace

bool has_services(const Scenario& scenario) {
  return std::any_of(scenario.workloads.begin(), scenario.workloads.end(),
                     [](const Workload& workload) { return workload.kind == WorkloadKind::kService; });
}

bool Rollouts::all_roll() const {
  return std::all_of(services.begin(), services.end(), [](const RolledService& own) { return own.ok; });
}

Rollouts not_rolled(const Scenario& scenario) {
  Rollouts rollouts;
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kService)
      rollouts.services.push_back({.service_name = workload.name, .is_tried = false});
  }
  rollouts.exhausted = !rollouts.services.empty();
  return rollouts;
}

Rollouts roll_each(const Scenario& scenario, const RolloutRequest& request) {
  ClusterSimulation cluster(scenario, place(scenario));
  const std::vector<TypeToAdd> additions = list_additions(scenario);
  Rollouts rollouts;
  std::int64_t effort = 0;  // tasks deployed, all attempts together
  // Deploys the service after the events, and leaves the cluster as it then is.
  const auto attempt = [&](const std::vector<InstantEvent>& events, std::uint32_t workload, bool explains) {
    cluster.apply(events, explains, workload);
    const auto& now = cluster.figures(cluster.name_of(workload));
    effort += now.desired;
    const auto* settings = settings_of(scenario.timetable, workload);
    const bool runs_both = settings != nullptr && settings->runs_both();
    return (now.held == 0 || runs_both) && now.placed == now.desired;
  };
  const auto rolls_with = [&](const TypeToAdd& addition, std::int64_t count, std::uint32_t workload) {
    for (std::size_t first = 0; first < addition.profiles.size(); ++first) {
      const bool rolls = attempt({added_instances(scenario, addition, count, first)}, workload, false);
      cluster.rollback();
      if (rolls) return true;
    }
    return false;
  };
  // The instances with which the service rolls: the fewest of each type; of these what costs least.
  const auto find_needs = [&](std::uint32_t workload, RolledService& own) {
    std::optional<MicroUsd> best;
    for (const auto& addition : additions) {
      for (std::int64_t count = 1; count <= request.most_more; ++count) {
        if (best && (!addition.price || *addition.price * count >= *best)) break;
        if (effort >= request.effort) {
          rollouts.exhausted = true;
          return;
        }
        if (!rolls_with(addition, count, workload)) continue;
        own.needs = {{addition.instance_type, count}};
        if (!addition.price) return;  // types without a price come last, so no priced one would do
        best = *addition.price * count;
        break;
      }
    }
  };

  for (std::uint32_t workload = 0; workload < scenario.workloads.size(); ++workload) {
    if (scenario.workloads[workload].kind != WorkloadKind::kService) continue;
    const auto& before = cluster.figures_before(cluster.name_of(workload));
    if (before.desired == 0) continue;
    RolledService& own = rollouts.services.emplace_back();
    own.service_name = scenario.workloads[workload].name;
    const auto* settings = settings_of(scenario.timetable, workload);
    own.runs_both = settings != nullptr && settings->runs_both();
    if (effort >= request.effort) {
      own.is_tried = false;
      rollouts.exhausted = true;
      continue;
    }
    if (before.placed < before.desired) {
      own.why = fmt::format("{} of {} tasks are not placed beforehand", before.desired - before.placed, before.desired);
      continue;
    }
    own.ok = attempt({}, workload, true);
    if (!own.ok) own.why = why_not_rolled(cluster, scenario, workload);
    const bool is_for_room = !own.ok && cluster.lacks_more_room(workload);
    cluster.rollback();
    if (is_for_room) find_needs(workload, own);
  }
  return rollouts;
}

}  // namespace bayplan::study

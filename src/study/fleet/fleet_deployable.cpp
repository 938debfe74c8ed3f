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
struct Addition {
  std::string instance_type;
  std::vector<std::uint32_t> profiles;
  std::optional<MicroUsd> price;
};

std::vector<Addition> list_additions(const Scenario& scenario) {
  std::map<std::string, std::set<std::uint32_t>> by_type;
  for (const auto& instance : scenario.instances)
    by_type[scenario.profiles[instance.profile].instance_type].insert(instance.profile);
  std::vector<Addition> additions;
  for (const auto& [type, profiles] : by_type) {
    Addition one{type, {}, scenario.profiles[*profiles.begin()].hourly_price};
    std::set<std::string_view> zones;
    for (const std::uint32_t profile : profiles) {
      if (zones.insert(scenario.profiles[profile].availability_zone).second) one.profiles.push_back(profile);
    }
    additions.push_back(std::move(one));
  }
  std::stable_sort(additions.begin(), additions.end(), [](const Addition& a, const Addition& b) {
    return std::pair(!a.price, a.price.value_or(0)) < std::pair(!b.price, b.price.value_or(0));
  });
  return additions;
}

class Roller {
 public:
  Roller(const Scenario& scenario, const RolloutRequest& request)
      : scenario_(scenario),
        request_(request),
        cluster_(scenario, place(scenario)),
        additions_(list_additions(scenario)) {}

  Rollouts run() && {
    for (std::uint32_t i = 0; i < scenario_.workloads.size(); ++i) {
      if (scenario_.workloads[i].kind == WorkloadKind::kService) rollouts_.services.push_back(roll(i));
    }
    return std::move(rollouts_);
  }

 private:
  RolledService roll(std::uint32_t workload) {
    RolledService own;
    own.service_name = scenario_.workloads[workload].name;
    own.runs_both = runs_both(workload);
    const auto& before = cluster_.figures_before(cluster_.name_of(workload));
    if (effort_ >= request_.effort) {
      own.is_tried = false;
      rollouts_.exhausted = true;
      return own;
    }
    if (before.placed < before.desired) {
      own.why = fmt::format("{} of {} tasks are not placed beforehand", before.desired - before.placed, before.desired);
      return own;
    }
    own.ok = attempt({}, workload, true);
    if (!own.ok) own.why = why_not(workload);
    const bool is_for_room = !own.ok && cluster_.lacks_more_room(workload);
    cluster_.rollback();
    if (is_for_room) add_what_is_missing(workload, own);
    return own;
  }

  /// Leaves the cluster as it then is.
  bool attempt(const std::vector<InstantEvent>& events, std::uint32_t workload, bool explains) {
    cluster_.apply(events, explains, workload);
    const auto& now = cluster_.figures(cluster_.name_of(workload));
    effort_ += now.desired;
    return (now.held == 0 || runs_both(workload)) && now.placed == now.desired;
  }

  const model::DeploymentSettings* settings(std::uint32_t workload) const {
    return settings_of(scenario_.timetable, workload);
  }
  bool runs_both(std::uint32_t workload) const {
    return settings(workload) != nullptr && settings(workload)->runs_both();
  }

  std::string why_not(std::uint32_t workload) const {
    const auto& own = scenario_.workloads[workload];
    const auto desired = cluster_.figures(cluster_.name_of(workload)).desired;
    if (runs_both(workload)) {
      const auto placed = cluster_.figures(cluster_.name_of(workload)).placed;
      return fmt::format("{} runs {} new tasks next to {} old ones, and has room for {}{}", settings(workload)->name(),
                         desired, desired, placed, find_reason(workload));
    }
    if (!cluster_.lacks_more_room(workload)) {
      return fmt::format("it can neither start nor stop any of {} tasks (minimumHealthyPercent {}, maximumPercent {})",
                         desired, own.minimum_healthy_percent, own.maximum_percent);
    }
    const timeline::ServiceTerms terms{desired, own.minimum_healthy_percent, own.maximum_percent};
    const auto running = terms.lower() == desired ? fmt::format("all {} tasks", desired)
                                                  : fmt::format("{} of {} tasks", terms.lower(), desired);
    return fmt::format("{} must keep running (minimumHealthyPercent {}), and there is no room for another{}", running,
                       own.minimum_healthy_percent, find_reason(workload));
  }

  std::string find_reason(std::uint32_t workload) const {
    for (std::uint32_t index = 0; index < cluster_.tasks().size(); ++index) {
      const auto& task = cluster_.tasks()[index];
      if (task.workload != workload || task.instance != kNoInstance || task.is_removed) continue;
      if (const auto* failure = cluster_.find_failure(index))
        return " (" + failure_reason(cluster_.scenario(), *failure) + ")";
    }
    return {};
  }

  /// The fewest of each type; of these what costs least.
  void add_what_is_missing(std::uint32_t workload, RolledService& own) {
    std::optional<MicroUsd> best;
    for (const auto& addition : additions_) {
      for (std::int64_t count = 1; count <= request_.most_more; ++count) {
        if (best && (!addition.price || *addition.price * count >= *best)) break;
        if (effort_ >= request_.effort) {
          rollouts_.exhausted = true;
          return;
        }
        if (!rolls_with(addition, count, workload)) continue;
        own.needs = {{addition.instance_type, count}};
        if (!addition.price) return;  // nothing that has a price would do
        best = *addition.price * count;
        break;
      }
    }
  }

  /// Dealt to the zones in turn, whichever comes first.
  bool rolls_with(const Addition& addition, std::int64_t count, std::uint32_t workload) {
    for (std::size_t first = 0; first < addition.profiles.size(); ++first) {
      AddInstances more;
      for (const std::uint32_t profile : addition.profiles) more.profiles.push_back(scenario_.profiles[profile]);
      for (std::int64_t i = 0; i < count; ++i) {
        const auto profile = (first + static_cast<std::size_t>(i)) % addition.profiles.size();
        more.instances.push_back({"more#" + std::to_string(i + 1), static_cast<std::uint32_t>(profile)});
      }
      const bool rolls = attempt({more}, workload, false);
      cluster_.rollback();
      if (rolls) return true;
    }
    return false;
  }

  const Scenario& scenario_;
  const RolloutRequest& request_;
  ClusterSimulation cluster_;
  std::vector<Addition> additions_;
  std::int64_t effort_ = 0;
  Rollouts rollouts_;
};

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
  return Roller(scenario, request).run();
}

}  // namespace bayplan::study

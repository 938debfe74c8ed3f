#pragma once
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "placement/random_scenario.hpp"
#include "study/whatif/variant.hpp"

namespace bayplan::study {

/// Scenarios, and what happens to them.
class RandomEvents : public placement::build::RandomScenario {
 public:
  using RandomScenario::RandomScenario;

  std::vector<placement::InstantEvent> events(const placement::Scenario& scenario) {
    std::vector<placement::InstantEvent> events;
    std::vector<std::uint32_t> gone, drained;
    for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
      if (one_in(4)) {
        gone.push_back(i);
      } else if (one_in(5)) {
        drained.push_back(i);
      }
    }
    if (one_in(4)) gone.clear();
    if (one_in(2)) drained.clear();
    if (!gone.empty()) events.push_back(placement::TerminateInstances{gone});
    if (!drained.empty()) events.push_back(placement::DrainInstances{drained});
    if (one_in(3)) events.push_back(added());
    if (one_in(5)) events.push_back(placement::RemoveInstances{one_in(2) ? "x.small" : "y.large", number(3)});
    if (one_in(2)) add_scales(scenario, events);
    return events;
  }

  /// Yes and no.
  std::vector<bool> some() {
    std::vector<bool> made;
    for (std::uint64_t i = 0, count = 1 + below(9); i < count; ++i) made.push_back(!one_in(3));
    return made;
  }

  /// Most tasks have a place.
  static void make_large(placement::Scenario& scenario) {
    for (auto& profile : scenario.profiles) {
      profile.cpu *= 3;
      profile.memory *= 3;
      profile.network_interfaces += 3;
      profile.agent_connected = profile.has_all_capabilities = true;
      if (profile.status == placement::InstanceStatus::kInactive) profile.status = placement::InstanceStatus::kActive;
    }
  }

  /// As `repack` wants them: each workload has a count, each service a name of its own.
  static void count_and_name(placement::Scenario& scenario) {
    for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
      auto& workload = scenario.workloads[i];
      workload.count = workload.count.value_or(0);
      if (workload.kind == placement::WorkloadKind::kTasks) continue;
      workload.name = "s" + std::to_string(i);
      workload.group = "service:" + workload.name;
    }
  }

  /// In an order that has nothing to do with sizes; one that is there stays.
  static void set_prices(placement::Scenario& scenario) {
    std::int64_t next = 0;
    for (auto& profile : scenario.profiles)
      if (!profile.hourly_price) profile.hourly_price = 96'000 * (1 + (next++ * 7 + profile.cpu / 1024) % 5);
  }

  void vary_percents(placement::Scenario& scenario) {
    for (auto& workload : scenario.workloads) {
      workload.minimum_healthy_percent = any_of<std::int64_t>({0, 50, 70, 100});
      workload.maximum_percent = any_of<std::int64_t>({100, 130, 150, 200});
    }
  }

 private:
  placement::AddInstances added() {
    placement::AddInstances event;
    for (std::uint64_t i = 0, count = 1 + below(2); i < count; ++i) {
      event.profiles.push_back(random_instance());
      event.profiles.back().status = placement::InstanceStatus::kActive;
    }
    for (std::uint64_t i = 0, count = 1 + below(3); i < count; ++i) {
      const auto profile = static_cast<std::uint32_t>(below(event.profiles.size()));
      event.instances.push_back({"added" + std::to_string(i), profile});
    }
    return event;
  }

  void add_scales(const placement::Scenario& scenario, std::vector<placement::InstantEvent>& events) {
    std::set<std::string> families;
    for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
      const auto& workload = scenario.workloads[i];
      if (workload.kind == placement::WorkloadKind::kDaemon || !workload.count || !one_in(2)) continue;
      if (workload.kind == placement::WorkloadKind::kService) {
        events.push_back(placement::Scale{{i}, number(8)});
      } else if (families.insert(workload.name).second) {
        placement::Scale scale{{}, number(8)};
        for (std::uint32_t other = 0; other < scenario.workloads.size(); ++other) {
          const auto& own = scenario.workloads[other];
          if (own.kind == placement::WorkloadKind::kTasks && own.name == workload.name && own.count)
            scale.workloads.push_back(other);
        }
        events.push_back(scale);
      }
    }
  }
};

}  // namespace bayplan::study

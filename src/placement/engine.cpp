#include "placement/engine.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string_view>
#include <tuple>

#include "placement/capacity_providers.hpp"
#include "placement/engine_assumptions.hpp"
#include "placement/filters.hpp"
#include "placement/groups.hpp"
#include "placement/nearest.hpp"
#include "placement/strategies.hpp"

namespace bayplan::placement {
namespace {

/// GPUs in millionths of one, so that shares and whole devices compare.
std::int64_t gpu_size(const capacity::TaskRequirement& task) {
  constexpr std::int64_t kWhole = 1'000'000;
  if (task.gpu_form == capacity::GpuForm::kAll) return 1'000 * kWhole;
  return task.gpu_count * kWhole + task.gpu_fraction_millionths + (task.gpu_form == capacity::GpuForm::kMps ? 1 : 0);
}

class Engine {
 public:
  explicit Engine(const Scenario& scenario) : scenario_(scenario), generator_(scenario.seed) {
    for (const auto& instance : scenario.instances) {
      outcome_.instances.push_back(empty_instance(scenario.profiles[instance.profile]));
    }
    all_.resize(scenario.instances.size());
    std::iota(all_.begin(), all_.end(), 0);
  }

  Outcome run() && {
    for (const std::uint32_t index : placement_order(scenario_)) {
      const bool is_daemon = scenario_.workloads[index].kind == WorkloadKind::kDaemon;
      is_daemon ? place_daemon(index) : place_copies(index);
    }
    add_engine_assumptions(scenario_, outcome_);
    return std::move(outcome_);
  }

 private:
  Turn next_turn(std::uint32_t workload) {
    return {workload, ++numbers_[scenario_.workloads[workload].name], step_++, {}};
  }

  void put(const Turn& turn, Choice choice, std::uint32_t group) {
    auto gpus = take(outcome_.instances[choice.instance], scenario_.workloads[turn.workload].requirement, group);
    outcome_.placements.push_back({turn, choice.instance, std::move(gpus), choice.tied});
  }

  /// One task on each ACTIVE instance that the constraints allow, whatever its room: where it does not fit, that is
  /// told.
  void place_daemon(std::uint32_t index) {
    const auto& workload = scenario_.workloads[index];
    const std::uint32_t group = groups_.number(workload.group);
    const Filter filter(scenario_, groups_, workload, group);
    for (const std::uint32_t instance : all_) {
      const auto& state = outcome_.instances[instance];
      if (!filter.wants_daemon(instance, state)) continue;
      const Turn turn = next_turn(index);
      if (filter.passes(instance, state, {})) {
        put(turn, {instance, false}, group);
      } else {
        outcome_.failures.push_back(explain_failure(turn, {instance}, outcome_.instances, filter, scenario_));
      }
    }
  }

  void place_copies(std::uint32_t index) {
    const auto& workload = scenario_.workloads[index];
    const std::uint32_t group = groups_.number(workload.group);
    const Filter filter(scenario_, groups_, workload, group);
    Ranking ranking(scenario_, outcome_.instances, workload, group);
    ProviderDeal deal(workload.capacity_providers);
    // Failures since the last placement, by provider: a like task fails the same way while nothing changes.
    std::map<std::string_view, std::uint32_t> failed;
    for (std::int64_t i = 0; i < workload.count.value_or(0); ++i) {
      Turn turn = next_turn(index);
      if (!workload.capacity_providers.empty()) {
        turn.capacity_provider = workload.capacity_providers[deal.next()].capacity_provider;
      }
      if (const auto same = failed.find(turn.capacity_provider); same != failed.end()) {
        outcome_.failures.push_back({turn, same->second, {}, {}, {}});
        continue;
      }
      auto candidates = candidates_for(filter, turn.capacity_provider);
      if (candidates.empty()) {
        failed.emplace(turn.capacity_provider, static_cast<std::uint32_t>(outcome_.failures.size()));
        outcome_.failures.push_back(explain_failure(turn, all_, outcome_.instances, filter, scenario_));
        continue;
      }
      const Choice choice = ranking.choose(candidates, generator_);
      put(turn, choice, group);
      ranking.count(choice.instance);
      failed.clear();
    }
  }

  std::vector<std::uint32_t> candidates_for(const Filter& filter, std::string_view provider) const {
    std::vector<std::uint32_t> candidates;
    for (const std::uint32_t instance : all_) {
      if (filter.passes(instance, outcome_.instances[instance], provider)) candidates.push_back(instance);
    }
    return candidates;
  }

  const Scenario& scenario_;
  std::mt19937_64 generator_;
  Groups groups_;
  std::map<std::string_view, std::int64_t> numbers_;
  std::int64_t step_ = 0;
  std::vector<std::uint32_t> all_;
  Outcome outcome_;
};

}  // namespace

std::vector<std::uint32_t> placement_order(const Scenario& scenario) {
  std::vector<std::uint32_t> order(scenario.workloads.size());
  std::iota(order.begin(), order.end(), 0);
  if (scenario.order == TaskOrder::kGiven) return order;
  const auto size = [&](std::uint32_t index) {
    const auto& task = scenario.workloads[index].requirement;
    return std::tuple(gpu_size(task), task.memory, task.cpu);
  };
  const auto tasks = std::stable_partition(order.begin(), order.end(), [&](std::uint32_t index) {
    return scenario.workloads[index].kind != WorkloadKind::kTasks;
  });
  std::stable_sort(tasks, order.end(), [&](std::uint32_t a, std::uint32_t b) { return size(a) > size(b); });
  return order;
}

Outcome place(const Scenario& scenario) {
  return Engine(scenario).run();
}

}  // namespace bayplan::placement

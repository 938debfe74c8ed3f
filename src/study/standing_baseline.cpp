// What stands after the baseline.
#include <algorithm>
#include <set>

#include "placement/capacity_providers.hpp"
#include "placement/running_requirements.hpp"
#include "placement/turns.hpp"
#include "study/standing_cluster.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

/// By running task; kNowhere: a daemon's, or on its way out.
std::vector<std::uint32_t> owners_of_running(const Scenario& scenario, RunningWorkloads& owners) {
  std::set<std::string, std::less<>> daemons;  // owners move the workloads
  for (const auto& workload : scenario.workloads) {
    if (workload.kind == WorkloadKind::kDaemon) daemons.insert(workload.group);
  }
  std::vector<std::uint32_t> workloads;
  workloads.reserve(scenario.running.size());
  for (const auto& task : scenario.running) {
    const bool is_wanted = !task.daemon && !task.stopping && !daemons.contains(task.group);
    workloads.push_back(is_wanted ? owners.workload_of(task) : kNowhere);
  }
  return workloads;
}

/// Placements and failures, turn by turn.
class Turns {
 public:
  explicit Turns(const Outcome& outcome) : outcome_(outcome) {}

  struct Next {
    const Turn* turn = nullptr;
    const Placement* placement = nullptr;  ///< Null: it failed.
    const Failure* failure = nullptr;
  };
  Next peek() const {
    const bool has_placement = placement_ < outcome_.placements.size();
    const bool has_failure = failure_ < outcome_.failures.size();
    if (has_placement &&
        (!has_failure || outcome_.placements[placement_].turn.step < outcome_.failures[failure_].turn.step))
      return {&outcome_.placements[placement_].turn, &outcome_.placements[placement_], nullptr};
    return has_failure ? Next{&outcome_.failures[failure_].turn, nullptr, &outcome_.failures[failure_]} : Next{};
  }
  Next next() {
    const Next own = peek();
    ++(own.placement != nullptr ? placement_ : failure_);
    return own;
  }

 private:
  const Outcome& outcome_;
  std::size_t placement_ = 0;
  std::size_t failure_ = 0;
};

std::size_t position_of(std::string_view provider, const std::vector<ProviderShare>& shares) {
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].capacity_provider == provider) return i;
  }
  return 0;
}

}  // namespace

StandingCluster::StandingCluster(const Scenario& scenario, const Outcome& outcome)
    : scenario_(scenario),
      of_running_(requirements_of_running(scenario_)),
      owners_(scenario_),
      running_workload_(owners_of_running(scenario_, owners_)),
      occupancy_(scenario_),
      chooser_(occupancy_) {
  base_services_.resize(scenario_.workloads.size());
  members_of_.resize(scenario_.workloads.size());
  call_failed_at_.resize(scenario_.workloads.size());
  tasks_on_.resize(scenario_.instances.size());
  daemons_on_.resize(scenario_.instances.size());
  failed_at_.resize(occupancy_.classes().size());
  for (std::uint32_t i = 0; i < scenario_.workloads.size(); ++i)
    base_services_[i].by_provider.resize(scenario_.workloads[i].capacity_providers.size());
  number_names();
  add_running();
  add_turns(outcome);
  settle_baseline();
}

void StandingCluster::number_names() {
  std::map<std::pair<std::string_view, bool>, std::uint32_t> names;
  for (std::uint32_t i = 0; i < scenario_.workloads.size(); ++i) {
    const auto& workload = scenario_.workloads[i];
    name_of_workload_.push_back(kNowhere);
    if (workload.kind == WorkloadKind::kDaemon || !workload.count) continue;
    const auto next = static_cast<std::uint32_t>(names.size());
    const auto [name, is_new] = names.try_emplace({workload.name, workload.kind == WorkloadKind::kService}, next);
    name_of_workload_.back() = name->second;
    if (is_new) first_workload_.push_back(i);
  }
  base_names_.resize(names.size());
}

std::uint32_t StandingCluster::add_task(StandingTask task) {
  const auto index = static_cast<std::uint32_t>(tasks_.size());
  members_of_[task.workload].push_back(index);
  if (task.instance != kNowhere && task.instance < tasks_on_.size()) tasks_on_[task.instance].push_back(index);
  tasks_.push_back(std::move(task));
  return index;
}

void StandingCluster::add_running() {
  for (std::uint32_t i = 0; i < scenario_.running.size(); ++i) {
    const std::uint32_t workload = running_workload_[i];
    if (workload == kNowhere) continue;
    const auto& running = scenario_.running[i];
    const auto& shares = scenario_.workloads[workload].capacity_providers;
    const auto& provider = scenario_.profiles[scenario_.instances[running.instance].profile].capacity_provider_name;
    StandingTask task;
    task.workload = workload;
    task.task_class = occupancy_.classes().number(workload, position_of(provider, shares));
    task.instance = running.instance;
    task.running = i;
    const bool is_dealt = std::any_of(shares.begin(), shares.end(),
                                      [&](const auto& share) { return share.capacity_provider == provider; });
    if (is_dealt && scenario_.workloads[workload].kind == WorkloadKind::kService)
      ++base_services_[workload].by_provider[position_of(provider, shares)];
    add_task(std::move(task));
  }
}

void StandingCluster::add_turns(const Outcome& outcome) {
  Turns turns(outcome);
  for (const auto& call : placement_order(scenario_)) {
    const auto& workload = scenario_.workloads[call.workload];
    if (workload.kind == WorkloadKind::kDaemon) {
      while (turns.peek().turn != nullptr && turns.peek().turn->workload == call.workload) {
        const auto own = turns.next();
        if (own.placement != nullptr) {
          occupancy_.take(call.workload, own.placement->instance);
          ++daemons_on_[own.placement->instance].started;
        } else {
          ++daemons_on_[explained(outcome, *own.failure).instances.front().instance].failed;
        }
      }
      continue;
    }
    if (!workload.count) continue;
    const bool is_service = workload.kind == WorkloadKind::kService;
    const auto& shares = workload.capacity_providers;
    ProviderDeal deal(shares);
    if (!is_service)
      calls_.push_back(
          {call.workload, static_cast<std::uint32_t>(tasks_.size()), static_cast<std::uint32_t>(call.count)});
    for (std::int64_t i = 0; i < call.count; ++i) {
      const auto [turn, placement, failure] = turns.next();
      StandingTask task;
      task.workload = call.workload;
      task.number = turn->number;
      const std::size_t dealt = is_service       ? position_of(turn->capacity_provider, shares)
                                : shares.empty() ? 0
                                                 : deal.next();
      task.task_class = occupancy_.classes().number(call.workload, dealt);
      if (is_service && !shares.empty()) ++base_services_[call.workload].by_provider[dealt];
      if (!is_service) task.call = static_cast<std::uint32_t>(calls_.size() - 1);
      if (placement != nullptr) {
        task.instance = placement->instance;
        task.gpus = occupancy_.take(call.workload, placement->instance);
      }
      add_task(std::move(task));
    }
  }
}

void StandingCluster::settle_baseline() {
  for (std::uint32_t i = 0; i < tasks_.size(); ++i) {
    const auto& task = tasks_[i];
    const bool is_service = scenario_.workloads[task.workload].kind == WorkloadKind::kService;
    const bool is_placed = task.instance != kNowhere;
    auto& name = base_names_[name_of_workload_[task.workload]];
    ++name.desired;
    name.placed += is_placed ? 1 : 0;
    name.last_number = std::max(name.last_number, task.number);
    if (is_service) {
      auto& service = base_services_[task.workload];
      ++service.desired;
      service.settled += is_placed ? 1 : 0;
      if (!is_placed) service.placeless.push_back(i);
    } else if (!is_placed) {
      waiting_tasks_.push_back(i);
    }
  }
  for (std::uint32_t i = 0; i < base_services_.size(); ++i) {
    if (!base_services_[i].placeless.empty()) waiting_services_.push_back(i);
  }
  for (const auto& daemons : daemons_on_) {
    daemons_.started += daemons.started;
    daemons_.failed += daemons.failed;
  }
  base_daemons_ = daemons_;
  base_tasks_ = static_cast<std::uint32_t>(tasks_.size());
  base_calls_ = static_cast<std::uint32_t>(calls_.size());
  base_instances_ = static_cast<std::uint32_t>(scenario_.instances.size());
  base_profiles_ = static_cast<std::uint32_t>(scenario_.profiles.size());
  names_ = base_names_;
  services_ = base_services_;
  is_saved_.resize(base_instances_);
  draining_.resize(base_instances_);
  is_touched_service_.resize(services_.size());
  is_touched_name_.resize(names_.size());
}

}  // namespace bayplan::study

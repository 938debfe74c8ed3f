#include "study/repack/repack_check.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/core.h>

#include "base/optional_index.hpp"
#include "placement/model/scenario.hpp"
#include "placement/verify/resource_usage.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

constexpr std::size_t kMaxMistakes = 20;

/// The instance and the GPUs of a task.
struct Place {
  std::uint32_t instance = 0;
  std::vector<ContainerGpus> gpus;
};
using TaskKey = std::pair<std::uint32_t, std::int64_t>;  ///< Workload and number.

/// An account of the plan that is kept apart from the search.
class RepackAccount {
 public:
  RepackAccount(RepackPlan& plan, const RepackRequest& request, const Outcome& baseline)
      : plan_(plan),
        request_(request),
        scenario_(*plan.scenario),
        usage_(scenario_),
        of_running_(requirements_of_running(scenario_)) {
    book_baseline(baseline);
  }

  void follow_steps() {
    for (auto& name : plan_.names) name.fewest = running_[name.workload];
    const auto before = running_;
    for (const auto& step : plan_.steps) follow(step);
    for (const auto& name : plan_.names) {
      if (name.is_service && running_[name.workload] < before.at(name.workload))
        mistake(fmt::format("{} has {} tasks less than before", name.name,
                            before.at(name.workload) - running_[name.workload]));
    }
  }

  void check_sums() {
    std::int64_t moves = 0;
    MicroUsd saving = 0;
    for (const auto& step : plan_.steps) {
      moves += step.moved;
      const auto ratio = shares_of(plan_, step).value_or(StepShares()).ratio();
      if (request_.min_ratio && ratio && *ratio < *request_.min_ratio)
        mistake("a step saves less for its moves than allowed");
    }
    for (const std::uint32_t instance : left_)
      saving += scenario_.profiles[scenario_.instances[instance].profile].hourly_price.value_or(0);
    if (moves != plan_.moves) mistake("the moves do not add up");
    if (request_.max_moves && moves > *request_.max_moves) mistake("the plan has more moves than allowed");
    if (saving != plan_.saving) mistake("the saving does not add up");
    if (static_cast<std::int64_t>(left_.size()) != plan_.instances) mistake("the instances do not add up");
    if (plan_.before.hourly_cost && plan_.after.hourly_cost &&
        *plan_.before.hourly_cost - *plan_.after.hourly_cost != saving)
      mistake("the cost before and after does not differ by the saving");
  }

  std::vector<std::string> mistakes() && { return std::move(mistakes_); }

 private:
  void mistake(std::string what) {
    if (mistakes_.size() < kMaxMistakes) mistakes_.push_back("repack: " + std::move(what));
  }
  const std::string& id(std::uint32_t instance) const { return scenario_.instances[instance].id; }

  /// Records the desired count of each service, and where all tasks run.
  void book_baseline(const Outcome& baseline) {
    std::map<std::string_view, std::uint32_t> services;
    for (std::uint32_t i = 0; i < scenario_.workloads.size(); ++i) {
      const auto& workload = scenario_.workloads[i];
      running_[i] = 0;
      desired_[i] = workload.count.value_or(0);
      if (workload.kind == WorkloadKind::kDaemon) daemons_.insert(workload.group);
      if (workload.kind == WorkloadKind::kService && workload.count) services.emplace(workload.group, i);
    }
    for (const auto& task : scenario_.running) {
      const auto service = services.find(task.group);
      const bool counts = !task.stopping && !task.daemon && !daemons_.contains(task.group);
      runs_on_.push_back(counts ? OptionalIndex(task.instance) : std::nullopt);
      if (!counts) continue;
      ++tasks_on_[task.instance];
      if (service == services.end()) continue;
      ++running_[service->second];
      ++desired_[service->second];
    }
    for (const auto& own : baseline.placements) {
      const auto wrong = usage_.book(own.attempt.workload, own.instance, own.gpus);
      if (!wrong.empty()) mistake(wrong);
      if (scenario_.workloads[own.attempt.workload].kind == WorkloadKind::kDaemon) continue;
      stands_[{own.attempt.workload, own.attempt.number}] = {own.instance, own.gpus};
      ++running_[own.attempt.workload];
      ++tasks_on_[own.instance];
    }
  }

  void follow(const RepackStep& step) {
    if (static_cast<std::int64_t>(step.instances.size()) > request_.together) mistake("too many drain at a time");
    for (const std::uint32_t instance : step.instances) {
      if (!left_.insert(instance).second) mistake(id(instance) + " is drained a second time");
    }
    std::map<std::uint32_t, std::int64_t> started, stopped;
    for (const auto& motion : step.transitions) {
      motion.is_start ? start(motion) : stop(motion);
      const bool is_service = scenario_.workloads[motion.workload].kind == WorkloadKind::kService;
      if (is_service) ++(motion.is_start ? started : stopped)[motion.workload];
    }
    std::int64_t moves = 0;
    for (const auto& [workload, count] : stopped) moves += std::min(count, started[workload]);
    if (moves != step.moved) mistake(fmt::format("a step moves {} tasks, not {}", moves, step.moved));
    for (const std::uint32_t instance : step.instances) {
      if (tasks_on_[instance] != 0) mistake(id(instance) + " is removed with tasks on it");
    }
  }

  void start(const ServiceTaskTransition& motion) {
    const auto& workload = scenario_.workloads[motion.workload];
    if (left_.contains(motion.instance))
      mistake(workload.name + " starts on " + id(motion.instance) + ", which drains");
    const auto failing = usage_.failing(motion.workload, motion.instance, motion.capacity_provider);
    if (!failing.empty())
      mistake(workload.name + " may not start on " + id(motion.instance) + ": " + reason_text(failing.first()));
    if (const auto wrong = usage_.book(motion.workload, motion.instance, motion.gpus); !wrong.empty()) mistake(wrong);
    if (!stands_.try_emplace({motion.workload, motion.number}, Place{motion.instance, motion.gpus}).second)
      mistake(workload.name + " starts a task that runs");
    ++tasks_on_[motion.instance];
    ++running_[motion.workload];
    if (workload.kind != WorkloadKind::kService) return;
    const std::int64_t most =
        std::max(desired_[motion.workload], desired_[motion.workload] * workload.maximum_percent / 100);
    if (running_[motion.workload] > most) mistake(workload.name + " runs more tasks than maximumPercent allows");
  }

  void stop(const ServiceTaskTransition& motion) {
    const auto& workload = scenario_.workloads[motion.workload];
    leave(motion);
    --running_[motion.workload];
    const auto& profile = scenario_.profiles[scenario_.instances[motion.instance].profile];
    if (!left_.contains(motion.instance) && profile.status != InstanceStatus::kDraining)
      mistake(workload.name + " stops on " + id(motion.instance) + ", which stays");
    if (workload.kind != WorkloadKind::kService) {
      if (!request_.waits_for_tasks) mistake(workload.name + " is stopped, and ECS does not restart it");
      return;
    }
    const std::int64_t least = (desired_[motion.workload] * workload.minimum_healthy_percent + 99) / 100;
    if (running_[motion.workload] < least) mistake(workload.name + " runs less than minimumHealthyPercent");
    for (auto& name : plan_.names) {
      if (name.workload == motion.workload) name.fewest = std::min(name.fewest, running_[motion.workload]);
    }
  }

  void leave(const ServiceTaskTransition& motion) {
    const auto& workload = scenario_.workloads[motion.workload];
    --tasks_on_[motion.instance];
    usage_.leave_group(motion.instance, usage_.group_of(motion.workload));
    if (motion.ran_before) {
      if (runs_on_[motion.running] != motion.instance) mistake(workload.name + " stops where it does not run");
      runs_on_[motion.running] = std::nullopt;
      usage_.give_back(motion.instance, of_running_[motion.running], scenario_.running[motion.running].gpus);
      return;
    }
    const auto known = stands_.find({motion.workload, motion.number});
    if (known == stands_.end() || known->second.instance != motion.instance)
      return mistake(workload.name + " stops where it is not");
    std::set<std::uint32_t> devices;
    for (const auto& one : known->second.gpus) devices.insert(one.devices.begin(), one.devices.end());
    usage_.give_back(motion.instance, workload.requirement, {devices.begin(), devices.end()});
    stands_.erase(known);
  }

  RepackPlan& plan_;
  const RepackRequest& request_;
  const Scenario& scenario_;
  ResourceUsage usage_;
  std::vector<capacity::TaskRequirement> of_running_;
  std::set<std::string_view> daemons_;
  std::vector<OptionalIndex> runs_on_;  ///< One entry per running task; none: it does not, or no service moves it.
  std::map<TaskKey, Place> stands_;
  std::map<std::uint32_t, std::int64_t> running_;   ///< Keyed by workload.
  std::map<std::uint32_t, std::int64_t> desired_;   ///< Keyed by workload.
  std::map<std::uint32_t, std::int64_t> tasks_on_;  ///< Keyed by instance; no daemons.
  std::set<std::uint32_t> left_;
  std::vector<std::string> mistakes_;
};

}  // namespace

std::vector<std::string> check_repack(RepackPlan& plan, const RepackRequest& request, const Outcome& baseline) {
  RepackAccount account(plan, request, baseline);
  account.follow_steps();
  account.check_sums();
  return std::move(account).mistakes();
}

}  // namespace bayplan::study

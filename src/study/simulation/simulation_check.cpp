#include "study/simulation/simulation_check.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "placement/verify/resource_usage.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

constexpr std::size_t kMaxMistakes = 20;

/// An account of a cluster after events that is kept apart from the simulation.
class ClusterAccount {
 public:
  explicit ClusterAccount(const ClusterSimulation& cluster)
      : cluster_(cluster), scenario_(cluster.scenario()), usage_(scenario_) {}

  /// What runs since before the first placement is in the accounting already.
  void book_kept(const SimulatedTask& task) {
    const bool ran_before = task.running != kNone;
    const bool is_kept = task.instance != kNoInstance && !task.is_started;
    if (is_kept && is_gone(*task.instance)) return mistake(task, "is where nothing is:");
    if (ran_before && !is_kept) {
      const auto& running = scenario_.running[*task.running];
      if (is_gone(running.instance)) return;
      usage_.leave_group(running.instance, usage_.number_of(running.group));
      usage_.give_back(running.instance, cluster_.requirement_of_running(*task.running), running.gpus);
    } else if (is_kept && !ran_before) {
      book(task, {});
    }
  }

  void book_daemons(const Outcome& baseline) {
    for (const auto& own : baseline.placements) {
      const bool is_daemon = scenario_.workloads[own.attempt.workload].kind == WorkloadKind::kDaemon;
      if (is_daemon && !is_gone(own.instance)) usage_.book(own.attempt.workload, own.instance, own.gpus);
    }
    for (const auto& own : cluster_.started_daemons()) {
      SimulatedTask task;
      task.workload = own.workload;
      task.instance = own.instance;
      task.gpus = own.gpus;
      book(task, usage_.failing(own.workload, own.instance, {}));
    }
  }

  /// Must be called in the order in which tasks were started. What has stopped since gave room that they did not have;
  /// only a memberOf that looks at tasks may have held then, and hold no longer.
  void book_started(const SimulatedTask& task) {
    if (task.instance == kNoInstance) return;
    if (is_gone(*task.instance)) return mistake(task, "was started where nothing is:");
    const CheckSet failing = usage_.failing(task.workload, *task.instance, find_provider(task));
    CheckSet counted;
    for (const Check check : failing.list()) {
      if (check != Check::kMemberOf || !looks_at_tasks(task.workload)) counted.add(check);
    }
    book(task, counted);
  }

  /// One of each class speaks for the others. A call that is placed as a whole may have room for a part.
  void check_placeless() {
    std::set<std::uint32_t> seen;
    for (const auto& task : cluster_.tasks()) {
      if (task.instance != kNoInstance || task.is_removed || cluster_.is_unknown(task)) continue;
      const auto& workload = scenario_.workloads[task.workload];
      if (workload.all_or_nothing || looks_at_tasks(task.workload) || !seen.insert(task.task_class).second) continue;
      for (const std::uint32_t instance : cluster_.occupancy().standing()) {
        if (!usage_.failing(task.workload, instance, find_provider(task)).empty()) continue;
        mistake(task, "is not placed, and would fit on " + scenario_.instances[instance].id);
        break;
      }
    }
  }

  void check_figures() {
    std::vector<NameFigures> counted(cluster_.names());
    for (const auto& task : cluster_.tasks()) {
      auto& name = counted[cluster_.name_of(task.workload)];
      if (task.instance == kNoInstance) continue;
      const bool is_service = scenario_.workloads[task.workload].kind == WorkloadKind::kService;
      const bool is_held = is_service && is_draining(*task.instance);
      ++(is_held ? name.held : name.placed);
      if (!is_service && cluster_.is_draining(*task.instance)) ++name.stays;
    }
    for (std::uint32_t i = 0; i < cluster_.names(); ++i) {
      const auto& figures = cluster_.figures(i);
      const auto& own = counted[i];
      if (figures.placed == own.placed && figures.held == own.held && figures.stays == own.stays &&
          figures.placed <= figures.desired)
        continue;
      mistakes_.push_back(fmt::format("after events, {} tasks of {} are placed, not {} of {}", own.placed,
                                      cluster_.first_workload(i).name, figures.placed, figures.desired));
    }
  }

  std::vector<std::string> mistakes() && { return std::move(mistakes_); }

 private:
  void mistake(const SimulatedTask& task, std::string_view what) {
    if (mistakes_.size() >= kMaxMistakes) return;
    const std::string_view where =
        task.instance == kNoInstance ? "" : std::string_view(scenario_.instances[*task.instance].id);
    mistakes_.push_back(fmt::format("after events, {}#{} {}{}{}", scenario_.workloads[task.workload].name, task.number,
                                    what, where.empty() ? "" : " on ", where));
  }

  bool is_draining(std::uint32_t instance) const {
    return scenario_.profiles[scenario_.instances[instance].profile].status == InstanceStatus::kDraining;
  }
  bool is_gone(std::uint32_t instance) const { return cluster_.occupancy().is_gone(instance); }

  void book(const SimulatedTask& task, CheckSet failing) {
    if (!failing.empty()) return mistake(task, "is contrary to " + reason_text(failing.first()));
    const auto wrong = usage_.book(task.workload, *task.instance, task.gpus);
    if (!wrong.empty()) mistake(task, wrong);
  }

  bool looks_at_tasks(std::uint32_t workload) const {
    const auto& constraints = scenario_.workloads[workload].constraints;
    return std::any_of(constraints.begin(), constraints.end(),
                       [](const Constraint& constraint) { return constraint.depends_on_tasks(); });
  }

  std::string_view find_provider(const SimulatedTask& task) const {
    return cluster_.occupancy().classes().find_provider(task.task_class);
  }

  const ClusterSimulation& cluster_;
  const Scenario& scenario_;
  ResourceUsage usage_;
  std::vector<std::string> mistakes_;
};

}  // namespace

std::vector<std::string> find_mismatches(const ClusterSimulation& cluster, const Outcome& baseline) {
  ClusterAccount account(cluster);
  for (const auto& task : cluster.tasks()) account.book_kept(task);
  account.book_daemons(baseline);
  for (const auto& motion : cluster.transitions()) {
    if (motion.is_start) account.book_started(cluster.tasks()[motion.task]);
  }
  account.check_placeless();
  account.check_figures();
  return std::move(account).mistakes();
}

}  // namespace bayplan::study

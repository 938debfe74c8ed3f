#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "placement/engine/occupancy.hpp"
#include "placement/engine/policy_chooser.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/stop_rule.hpp"
#include "study/simulation/failed_attempts.hpp"
#include "study/simulation/journaled.hpp"
#include "study/simulation/running_workloads.hpp"
#include "study/simulation/starting_tasks.hpp"
#include "study/whatif/variant.hpp"
#include "timeline/service_controller.hpp"

namespace bayplan::study {

/// Tasks of a service, or of the RunTask calls of one family (NameResult).
struct NameFigures {
  std::int64_t desired = 0;
  std::int64_t placed = 0;  ///< Tasks on instances that are neither gone nor draining.
  std::int64_t held = 0;    ///< Service tasks that keep running where they are to leave.
  std::int64_t stays = 0;
  std::int64_t moves = 0;
  std::int64_t last_number = 0;  ///< Highest number of its tasks.

  std::int64_t unplaced() const { return desired - placed; }
  /// How many more tasks than `before` have no place, or do not run where `before` held them on a draining instance.
  std::int64_t lacks_more_than(const NameFigures& before) const {
    const std::int64_t more = unplaced() - before.unplaced();
    return std::max(more, more - (held - before.held));
  }
};

struct StartedDaemon {
  std::uint32_t workload = 0;
  std::uint32_t instance = 0;
  std::vector<placement::ContainerGpus> gpus;
};

/// A task was started on the instance, or stopped there.
struct TaskTransition {
  std::uint32_t task = 0;
  std::uint32_t instance = 0;
  bool is_start = false;
};

/// What a service of a described cluster is to run.
struct ServiceTarget {
  std::uint32_t workload = 0;
  std::int64_t desired = 0;
  std::string task_definition;  ///< Name of its present definition; tasks of others are outdated.
};

/// A placed cluster to which events are applied and undone at the cost of what they touch. Service tasks that run on an
/// instance that is DRAINING in the scenario are `held` from the start: their service tries to replace them each time
/// that events are applied, because these may give what it lacks.
///
///   simulation.apply(events)   the events happen at one instant, and the cluster reacts as docs/whatif.md says
///   simulation.rollback()      undoes them
///   simulation.commit()        keeps them: later events happen to what they left
///   simulation.revert()        undoes the last commit
class ClusterSimulation {
 public:
  /// `outcome` is that of the scenario. Neither is referred to afterwards. Workloads without a count have no tasks.
  ClusterSimulation(const placement::Scenario& scenario, const placement::Outcome& outcome);
  ClusterSimulation(const ClusterSimulation&) = delete;
  ClusterSimulation& operator=(const ClusterSimulation&) = delete;

  /// Roll back or commit what was applied before. `explains`: say why tasks are not placed. `redeployed`: a service
  /// that is deployed again at the same instant with its present definition: its tasks are replaced like those on
  /// draining instances, and `held` counts those that never are. Where its deployments run both revisions
  /// (DeploymentSettings::runs_both), every new task starts while all old ones run, and all of those stay `held`.
  void apply(const std::vector<placement::InstantEvent>& events, bool explains,
             std::optional<std::uint32_t> redeployed = std::nullopt);
  /// What a described cluster has in flight happens, before any event: service tasks leave DRAINING instances and make
  /// way for those of the present definition of their service, within the healthy percents, and a service runs as many
  /// tasks as it wants. What must wait for room stays where it is. Nothing else may have been applied.
  void settle(const std::vector<ServiceTarget>& targets);
  void rollback();
  /// Commits drains of which none is blocked: no service task is left on a drained instance, and no more tasks are held
  /// elsewhere than before. The drained instances leave, and RunTask tasks that stayed there end.
  void commit();
  /// Rolls back, then undoes the last commit.
  void revert();

  /// Has instances and profiles that events added, and workloads of tasks that ran without one. The profile of an
  /// instance that drains says DRAINING.
  const placement::Scenario& scenario() const { return scenario_; }
  const placement::Occupancy& occupancy() const { return occupancy_; }
  /// Instances from this one on were added by events.
  std::uint32_t base_instances() const { return base_instances_; }
  /// The instance drains because of the events.
  bool is_draining(std::uint32_t instance) const {
    return instance < base_instances_ && scenario_.instances[instance].profile >= base_profiles_;
  }
  /// The instance drains, because of the events or since before them.
  bool has_draining_status(std::uint32_t instance) const {
    return scenario_.profiles[scenario_.instances[instance].profile].status == placement::InstanceStatus::kDraining;
  }
  bool changes_instances() const { return !applied_.drained.empty() || !applied_.added.empty(); }

  const std::vector<SimulatedTask>& tasks() const { return tasks_.values(); }
  /// Returns the tasks on the instance at the last commit.
  const std::vector<std::uint32_t>& tasks_on(std::uint32_t instance) const { return tasks_on_[instance]; }
  /// What the task takes where it is.
  const capacity::TaskRequirement& requirement(const SimulatedTask& task) const;
  const capacity::TaskRequirement& requirement_of_running(std::uint32_t running) const {
    return running_requirements_[running];
  }
  /// Its definition is not described: what it needs is unknown.
  bool is_unknown(const SimulatedTask& task) const { return owners_.is_unknown(task.workload); }
  /// Tasks of the class wait for instances that their capacity provider starts.
  bool is_managed(std::uint32_t task_class) const;

  std::size_t names() const { return first_workload_.size(); }
  std::uint32_t name_of(std::uint32_t workload) const { return *name_of_workload_[workload]; }
  /// None of a daemon, and of a workload without a count.
  OptionalIndex find_name(std::uint32_t workload) const { return name_of_workload_[workload]; }
  std::uint32_t first_workload_of(std::uint32_t name) const { return first_workload_[name]; }
  const placement::Workload& first_workload(std::uint32_t name) const {
    return scenario_.workloads[first_workload_[name]];
  }
  const NameFigures& figures(std::uint32_t name) const { return names_[name]; }
  const NameFigures& figures_before(std::uint32_t name) const { return names_.before(name); }
  /// Names whose figures the events may have changed, sorted.
  std::vector<std::uint32_t> touched_names() const;
  /// More tasks of the service are not placed than before the events.
  bool lacks_more_room(std::uint32_t workload) const {
    return services_[workload].unplaced.size() > services_.before(workload).unplaced.size();
  }

  /// Every start and stop in order. A task that is lost with its instance is not stopped.
  const std::vector<TaskTransition>& transitions() const { return applied_.transitions; }
  /// Tasks that lost or left their instance and have another one; of a service the new tasks that replace its old ones.
  std::vector<std::uint32_t> moved_tasks() const;
  bool has_lost_standalone() const { return !applied_.lost.empty(); }
  const std::vector<StartedDaemon>& started_daemons() const { return applied_.started_daemons; }
  /// Counts daemons on existing instances, without those that ran before the first placement.
  DaemonCounts daemons() const;
  std::int64_t ties() const { return applied_.ties; }
  /// Why the task was not placed, when `apply` explains; null when no task of its class was tried in vain.
  const placement::Failure* find_failure(std::uint32_t task) const {
    return attempts_.find_failure(task, tasks_[task].task_class);
  }

  /// Counts how many more tasks of the workload could be placed; places none.
  std::int64_t room_for(std::uint32_t workload);

 private:
  struct Service {
    std::int64_t desired = 0;
    std::int64_t placed = 0;    ///< Current tasks (ServiceCounts) with an instance.
    std::int64_t outdated = 0;  ///< Tasks on draining instances or of a deployment that is being replaced.
    std::int64_t left = 0;      ///< Lost, or outdated and stopped.
    std::int64_t started = 0;
    std::deque<std::uint32_t> unplaced;     ///< Placed from the front, ended from the back.
    std::vector<std::int64_t> by_provider;  ///< Current tasks.
  };
  struct SavedInstance {
    std::uint32_t instance = 0;
    std::uint32_t profile = 0;
    placement::InstanceState state;
  };
  /// What has happened since the last commit, in addition to the journals.
  struct Applied {
    std::vector<SavedInstance> saved;    ///< The saved states.
    std::vector<std::uint32_t> added;    ///< Instances.
    std::vector<std::uint32_t> drained;  ///< Instances.
    std::size_t tasks_on_drained = 0;    ///< When they began to drain.
    std::vector<std::uint32_t> lost;     ///< RunTask tasks.
    std::vector<std::uint32_t> called;   ///< RunTask tasks that a scale adds.
    std::vector<TaskTransition> transitions;
    std::vector<StartedDaemon> started_daemons;
    std::int64_t failed_daemons = 0;
    std::int64_t ties = 0;
  };
  struct Commit {
    std::vector<SavedInstance> saved;
    Journaled<SimulatedTask>::Journal tasks;
    Journaled<Service>::Journal services;
    Journaled<NameFigures>::Journal names;
    Journaled<std::vector<std::uint32_t>>::Journal tasks_on;
    std::vector<std::uint32_t> unplaced_tasks;
  };

  void number_names();
  void count_starting_tasks();
  bool is_service(const SimulatedTask& task) const {
    return scenario_.workloads[task.workload].kind == placement::WorkloadKind::kService;
  }

  std::vector<std::uint32_t> instances_to_remove(const placement::RemoveInstances& event,
                                                 const std::vector<std::uint32_t>& gone,
                                                 const std::vector<std::uint32_t>& draining) const;
  void add_instance(const placement::InstanceProfile& profile, const std::string& id);
  void lose(std::uint32_t instance);
  void drain(std::uint32_t instance);
  void redeploy(std::uint32_t workload);
  void outdate(std::uint32_t task);
  void stop_replaced_revisions();
  void scale(const placement::Scale& event);
  void scale_tasks(const std::vector<std::uint32_t>& workloads, std::int64_t count);
  void call_more(std::uint32_t workload, std::int64_t count);
  void release_call_of(std::uint32_t lost);
  void remove(std::uint32_t task);

  void start_daemons();
  void run_services();
  bool run_service(std::uint32_t workload, std::optional<placement::StopOrder>& order);
  timeline::ServiceTerms terms(std::uint32_t workload) const;
  bool runs_both(std::uint32_t workload) const;
  timeline::ServiceCounts counts(std::uint32_t workload) const;
  void scale_in(std::uint32_t workload);
  void start_missing(std::uint32_t workload);
  void place_unplaced(std::uint32_t workload, std::optional<placement::StopOrder>& order);
  bool stop_outdated(std::uint32_t workload, std::optional<placement::StopOrder>& order);
  std::vector<placement::StoppableTask> draining_tasks(std::uint32_t workload) const;
  std::uint32_t next_to_stop(std::optional<placement::StopOrder>& order, std::uint32_t workload,
                             bool is_outdated) const;
  void leave_provider(const SimulatedTask& task);
  void start_standalone();
  void start_call(const RunTaskCall& call);
  void count_figures();
  void count_standalone(const SimulatedTask& before, const SimulatedTask& now);

  std::uint32_t add_task(SimulatedTask task);
  bool try_place(std::uint32_t task);
  void note_failure(std::uint32_t task);
  void stop(std::uint32_t task);
  void save(std::uint32_t instance);
  void restore(std::vector<SavedInstance>& saved);
  void rebase();
  void forget_tasks_from(std::uint32_t first);

  placement::Scenario scenario_;
  std::vector<capacity::TaskRequirement> running_requirements_;
  RunningWorkloads owners_;
  std::vector<OptionalIndex> workload_of_running_;  ///< One entry per running task; none: of a daemon, or stopping.
  placement::Occupancy occupancy_;
  std::unique_ptr<placement::IndexChooser> chooser_;
  FailedAttempts attempts_;
  std::uint32_t base_instances_;
  std::uint32_t base_profiles_;
  std::map<std::uint32_t, std::uint32_t>
      draining_profile_;                         ///< Keyed by profile: the index of its copy with status DRAINING.
  std::vector<DaemonCounts> daemons_on_;         ///< One entry per instance: its daemons at the start.
  std::vector<OptionalIndex> name_of_workload_;  ///< None: a daemon, or without a count.
  std::vector<std::uint32_t> first_workload_;    ///< Sorted by name.

  Journaled<SimulatedTask> tasks_;
  Journaled<RunTaskCall> calls_;
  Journaled<Service> services_;  ///< One entry per workload.
  Journaled<NameFigures> names_;
  Journaled<std::vector<std::uint32_t>> tasks_on_;    ///< One entry per instance: its tasks at the last commit.
  std::vector<std::uint32_t> unplaced_tasks_;         ///< RunTask tasks, at the last commit.
  std::vector<std::vector<std::uint32_t>> tasks_of_;  ///< One entry per workload: all that it has had.
  std::vector<char> is_saved_;                        ///< One entry per instance.
  Applied applied_;
  std::set<std::uint32_t> side_by_side_;  ///< Services in a deployment that runs both revisions in full.
  std::vector<Commit> commits_;
};

}  // namespace bayplan::study

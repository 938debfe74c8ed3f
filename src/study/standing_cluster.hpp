#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "placement/index_engine.hpp"
#include "placement/occupancy.hpp"
#include "placement/outcome.hpp"
#include "study/running_workloads.hpp"
#include "study/variation.hpp"

namespace bayplan::study {

inline constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

/// A task that a service or an owner wants to run; daemons are none of these.
struct StandingTask {
  std::uint32_t workload = 0;
  std::uint32_t task_class = 0;
  std::uint32_t instance = kNowhere;  ///< Where it stands.
  std::uint32_t running = kNowhere;   ///< Of Scenario::running, where it ran before the first turn.
  std::uint32_t call = kNowhere;      ///< The RunTask call that started it.
  std::int64_t number = 0;
  bool is_started = false;                     ///< It was placed after the baseline.
  bool is_dropped = false;                     ///< Nobody wants it any more.
  bool is_replaced = false;                    ///< Its service rolls: it goes when another one is there.
  std::vector<placement::ContainerGpus> gpus;  ///< Of those that ran before the first turn, RunningTask::gpus says.
};

/// What stands of a name (NameResult), and what has become of it.
struct NameFigures {
  std::int64_t desired = 0;
  std::int64_t placed = 0;  ///< On instances that neither went nor drain.
  std::int64_t held = 0;
  std::int64_t stays = 0;
  std::int64_t moves = 0;
  std::int64_t last_number = 0;  ///< Of its tasks.
  bool operator==(const NameFigures&) const = default;
};

/// Tasks of daemon services.
struct Daemons {
  std::int64_t started = 0;
  std::int64_t failed = 0;  ///< Without room.
};

struct StartedDaemon {
  std::uint32_t workload = 0;
  std::uint32_t instance = 0;
  std::vector<placement::ContainerGpus> gpus;
};

/// A task was started on the instance, or stopped there.
struct Motion {
  std::uint32_t task = 0;
  std::uint32_t instance = 0;
  bool is_start = false;
};

/// A cluster as the baseline left it: who stands where. Events happen to it, it reacts as docs/whatif.md says, is
/// looked at, and all of it is undone: at the cost of what the events touch.
class StandingCluster {
 public:
  /// `outcome`: of the scenario. Neither is referred to afterwards. Workloads without a count stand nowhere.
  StandingCluster(const placement::Scenario& scenario, const placement::Outcome& outcome);
  StandingCluster(const StandingCluster&) = delete;
  StandingCluster& operator=(const StandingCluster&) = delete;

  /// All of them at one moment, and what follows. `explains`: failures are worked out. Undo what happened before.
  /// `rolled`: a service that deploys anew in the same moment, by the definition that it has: its tasks are replaced
  /// like those on draining instances; `held` are those that never are.
  void happen(const std::vector<ClusterEvent>& events, bool explains,
              std::optional<std::uint32_t> rolled = std::nullopt);
  void undo();
  /// After drains alone, of which none is held: the drained instances are gone, and the standalone tasks that stayed
  /// there have ended. What stands is the baseline of what happens next.
  void keep();
  /// As before the last `keep`; what has happened since is undone.
  void take_back();

  /// With instances and profiles that variants have added, and workloads of tasks that run without one. Its profiles
  /// say DRAINING where a variant drains.
  const placement::Scenario& scenario() const { return scenario_; }
  const placement::Occupancy& occupancy() const { return occupancy_; }
  const std::vector<StandingTask>& tasks() const { return tasks_; }

  std::size_t names() const { return names_.size(); }
  const NameFigures& figures(std::uint32_t name) const { return names_[name]; }
  const NameFigures& base_figures(std::uint32_t name) const { return base_names_[name]; }
  std::uint32_t name_of(std::uint32_t workload) const { return name_of_workload_[workload]; }
  /// Of its names.
  const placement::Workload& first_workload(std::uint32_t name) const {
    return scenario_.workloads[first_workload_[name]];
  }
  std::uint32_t first_workload_of(std::uint32_t name) const { return first_workload_[name]; }
  /// Names whose figures may differ from those of the baseline, in no order.
  const std::vector<std::uint32_t>& touched_names() const { return touched_names_; }
  bool is_draining(std::uint32_t instance) const { return instance < draining_.size() && draining_[instance] != 0; }
  /// Instances behind these are the variant's, or were those of an earlier one.
  std::uint32_t base_instances() const { return base_instances_; }
  bool changes_instances() const { return !drained_.empty() || !added_.empty(); }
  /// Tasks that lost or left their place and have another; a service's new tasks in place of its old ones. After
  /// `happen` that explains.
  const std::vector<std::uint32_t>& moved() const { return moved_; }
  /// Tasks that were started, in that order; some may have stopped since. After `happen` that explains.
  const std::vector<std::uint32_t>& started() const { return started_; }
  const std::vector<StartedDaemon>& started_daemons() const { return started_daemons_; }
  /// Every start and stop since the last `keep`, in order. What goes with its instance stops nowhere.
  const std::vector<Motion>& motions() const { return motions_; }
  /// That stand on the instance in the baseline.
  const std::vector<std::uint32_t>& tasks_on(std::uint32_t instance) const { return tasks_on_[instance]; }
  /// Of Scenario::running.
  const capacity::TaskRequirement& requirement_before(std::uint32_t running) const { return of_running_[running]; }
  /// Tasks that the service would start and that find no place: more than in the baseline.
  bool lacks_more_places(std::uint32_t workload) const {
    return services_[workload].placeless.size() > base_services_[workload].placeless.size();
  }
  /// What the task takes where it stands.
  const capacity::TaskRequirement& requirement_of(const StandingTask& task) const;
  bool has_lost_standalone() const { return !lost_.empty(); }
  /// On instances that are there; of those that ran before the first turn nothing is counted.
  const Daemons& daemons() const { return daemons_; }
  std::int64_t ties() const { return ties_; }
  /// Why the task found no place; after `happen` that explains. Null when none like it was tried in vain.
  const placement::Failure* failure_of(std::uint32_t task) const;
  /// Tasks of the class wait for instances that their capacity provider starts.
  bool is_managed(std::uint32_t task_class) const {
    const auto& managed = scenario_.managed_providers;
    const std::string provider(occupancy_.classes().provider_of(task_class));
    return !provider.empty() && std::binary_search(managed.begin(), managed.end(), provider);
  }
  /// Nobody knows what the task needs.
  bool is_unknown(const StandingTask& task) const { return owners_.is_unknown(task.workload); }

  /// So many more tasks of the workload have a place; takes nothing.
  std::int64_t room_for(std::uint32_t workload);

 private:
  /// A service as it stands.
  struct Service {
    std::int64_t desired = 0;
    std::int64_t settled = 0;   ///< On instances that stay.
    std::int64_t draining = 0;  ///< On draining ones.
    std::int64_t left = 0;      ///< Lost, or stopped on a draining instance.
    std::int64_t started = 0;
    std::vector<std::uint32_t> placeless;
    std::vector<std::int64_t> by_provider;  ///< Settled and placeless.

    std::int64_t placeless_count() const { return static_cast<std::int64_t>(placeless.size()); }
  };
  /// A RunTask call: tasks one behind the other.
  struct Call {
    std::uint32_t workload = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
  };
  struct Saved {
    std::uint32_t instance = 0;
    std::uint32_t profile = 0;
    placement::InstanceState state;
  };
  /// What `keep` has changed, as it was before.
  struct Kept {
    std::vector<Saved> saved;
    std::vector<std::pair<std::uint32_t, StandingTask>> changed_tasks;
    std::vector<std::pair<std::uint32_t, Service>> services;
    std::vector<std::pair<std::uint32_t, NameFigures>> names;
    std::map<std::uint32_t, std::vector<std::uint32_t>> tasks_on;
    std::vector<std::uint32_t> waiting_services;
    std::vector<std::uint32_t> waiting_tasks;
    Daemons daemons;
    std::uint32_t base_tasks = 0;
  };
  /// Of the calls of a workload that are placed as a whole.
  struct LastFailure {
    std::uint64_t version = 0;
    std::int64_t would_fit = 0;
  };

  // The baseline: standing_baseline.cpp.
  void number_names();
  void add_running();
  void add_turns(const placement::Outcome& outcome);
  std::uint32_t add_task(StandingTask task);
  void settle_baseline();

  // The events: standing_events.cpp.
  std::vector<std::uint32_t> given_back(const RemoveInstances& event, const std::vector<std::uint32_t>& gone,
                                        const std::vector<std::uint32_t>& draining) const;
  void add(const AddInstances& event);
  void add_instance(const placement::InstanceProfile& profile, const std::string& id);
  void lose(std::uint32_t instance);
  void drain(std::uint32_t instance);
  void roll(std::uint32_t workload);
  void scale(const Scale& event);
  void scale_tasks(const std::vector<std::uint32_t>& workloads, std::int64_t count);
  void drop(std::uint32_t task);
  void release_call_of(std::uint32_t lost);
  void start_more(std::uint32_t workload, std::int64_t count);

  // The reaction: standing_reaction.cpp, standing_services.cpp.
  void react();
  void start_daemons();
  void start_services();
  bool turn(std::uint32_t workload);
  void scale_in(Service& own, std::uint32_t workload);
  void start_lacking(Service& own, std::uint32_t workload);
  void place_placeless(Service& own, std::uint32_t workload);
  void stop_replaced(Service& own, std::uint32_t workload);
  void make_room(Service& own, std::uint32_t workload);
  bool stop_one_draining(Service& own, std::uint32_t workload);
  std::uint32_t only_draining(std::uint32_t workload) const;
  std::uint32_t pick(std::uint32_t workload, bool of_draining) const;
  std::uint32_t next_class(const Service& own, std::uint32_t workload) const;
  void leave_provider(Service& own, const StandingTask& task);
  void close_services();
  void note_moved(std::uint32_t workload, std::int64_t count);
  void start_standalone();
  void start_again(std::uint32_t task, bool was_placed);
  void start_call_again(const Call& call);
  bool try_place_together(std::uint32_t workload, const std::vector<std::uint32_t>& tasks);
  std::uint32_t place_before(std::uint32_t task) const;

  // What is kept: standing_keep.cpp.
  void leave(std::uint32_t instance);
  void stand_anew(Kept& kept);
  void keep_figures(Kept& kept);
  void keep_waiting();
  void forget_tasks_from(std::uint32_t first);
  void forget_happening();

  // Changes that the journal knows.
  void save(std::uint32_t instance);
  StandingTask& change(std::uint32_t task);
  Service& change_service(std::uint32_t workload);
  NameFigures& change_name(std::uint32_t workload);
  bool try_place(std::uint32_t task);
  void take(std::uint32_t task, placement::Choice choice);
  void give_back(std::uint32_t task);
  void note_failure(std::uint32_t task);
  void next_version() { version_ = ++last_version_; }

  placement::Scenario scenario_;
  std::vector<capacity::TaskRequirement> of_running_;
  RunningWorkloads owners_;
  std::vector<std::uint32_t> running_workload_;  ///< By running task; kNowhere: a daemon's, or on its way out.
  placement::Occupancy occupancy_;
  placement::IndexChooser chooser_;

  std::vector<std::uint32_t> name_of_workload_;  ///< kNowhere: a daemon, or without a count.
  std::vector<std::uint32_t> first_workload_;    ///< By name.
  std::vector<NameFigures> base_names_;
  std::vector<Service> base_services_;                  ///< By workload; of services.
  std::vector<std::uint32_t> waiting_services_;         ///< Services of which some have no place in the baseline.
  std::vector<std::uint32_t> waiting_tasks_;            ///< Standalone ones without a place in the baseline.
  std::vector<std::vector<std::uint32_t>> tasks_on_;    ///< By instance, in the baseline.
  std::vector<std::vector<std::uint32_t>> members_of_;  ///< By workload: tasks that services have had.
  std::vector<Daemons> daemons_on_;                     ///< By instance, in the baseline.
  Daemons base_daemons_;
  std::uint32_t base_tasks_ = 0;
  std::uint32_t base_instances_ = 0;
  std::uint32_t base_calls_ = 0;
  std::uint32_t base_profiles_ = 0;

  std::vector<StandingTask> tasks_;
  std::vector<Call> calls_;
  std::vector<NameFigures> names_;
  std::vector<Service> services_;

  // Of the variant.
  std::vector<Saved> saved_;
  std::vector<char> is_saved_;  ///< By instance.
  std::vector<std::pair<std::uint32_t, StandingTask>> changed_tasks_;
  std::vector<std::uint32_t> touched_services_;
  std::vector<char> is_touched_service_;  ///< By workload.
  std::vector<std::uint32_t> touched_names_;
  std::vector<char> is_touched_name_;
  std::vector<std::uint32_t> added_;    ///< Instances.
  std::vector<std::uint32_t> drained_;  ///< Instances.
  std::vector<char> draining_;          ///< By instance.
  std::vector<std::uint32_t> lost_;     ///< Standalone tasks.
  std::vector<std::uint32_t> more_;     ///< Standalone tasks that a scale adds.
  std::vector<std::uint32_t> moved_;
  std::vector<std::uint32_t> started_;
  std::vector<StartedDaemon> started_daemons_;
  std::vector<Motion> motions_;
  Daemons daemons_;
  std::int64_t ties_ = 0;
  std::uint64_t version_ = 1;       ///< Of what tasks find.
  std::uint64_t last_version_ = 1;  ///< Given out.
  bool explains_ = false;
  std::int64_t rows_ = 0;                                    ///< Of the explanations.
  std::vector<std::uint64_t> failed_at_;                     ///< By class: the version.
  std::vector<LastFailure> call_failed_at_;                  ///< By workload.
  std::map<std::uint32_t, placement::Failure> failures_;     ///< By class.
  std::map<std::uint32_t, std::uint32_t> failed_class_;      ///< By task, where another one's class decided.
  std::map<std::uint32_t, std::uint32_t> draining_profile_;  ///< By profile: the same, DRAINING.
  std::vector<Kept> kept_;
};

}  // namespace bayplan::study

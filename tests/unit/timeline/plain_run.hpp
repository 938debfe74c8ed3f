#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "placement/engine/attempts.hpp"
#include "placement/engine/filters.hpp"
#include "placement/model/groups.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"
#include "timeline/deployment_stages.hpp"
#include "timeline/history.hpp"

/// The parts of the plain simulator.
namespace bayplan::timeline::plain {

using Indices = std::vector<std::uint32_t>;

/// What is known of a task beside History::tasks.
struct TaskNotes {
  capacity::TaskRequirement requirement;
  std::uint32_t group = 0;
  OptionalIndex service;  ///< Index into Timetable::services; none: a standalone task.
  bool is_daemon = false;
  bool is_of_start = false;     ///< The first deployment of a service asked for it at 0.
  bool stops_for_ever = false;  ///< Was stopping before the start.
  Seconds start_delay = 0;
  std::optional<Seconds> duration;
  Seconds stop_delay = 0;
  std::string provider;
  std::optional<std::uint32_t> meant_for;  ///< Daemon tasks: their instance.
  std::vector<std::uint32_t> devices;
  std::optional<Seconds> runs_at;
  std::optional<Seconds> stopping_since;
  StopCause stopping = StopCause::kNone;
  Seconds protected_until = 0;
  std::optional<Seconds> provisioning_since;
  bool was_tried = false;
  bool is_healthy = false;
};

struct InstanceNotes {
  std::optional<Seconds> boots_until;
  bool is_terminating = false;  ///< Its group sends it away.
  bool is_gone = false;
};

struct ServiceNotes {
  placement::ServicePlan plan;  ///< Desired count and breaker as updated.
  std::int64_t minimum_percent = 100;
  std::int64_t maximum_percent = 200;
  std::uint32_t newest = 0;  ///< Index into History::deployments.
  bool has_had_a_turn = false;
  int failures_in_a_row = 0;
  Seconds last_time_out = -1;
  std::optional<Seconds> restart_at;
  std::int64_t breaker_count = 0;
  std::optional<Seconds> last_lack;  ///< When a lack of places was counted last.
  std::optional<Seconds> retry_at;
  Seconds retry_delay = 0;
  std::optional<Seconds> launches_at;  ///< It waits for the minute of the launch rate.
  bool has_told_rate = false;
  bool is_steady = false;
  std::optional<std::uint32_t> move;  ///< The task that rebalancing has started.
  bool has_moved = false;
  bool is_rebalancing = false;
  bool has_rolled_back = false;         ///< The newest deployment is a rollback: no breaker.
  std::optional<std::uint32_t> source;  ///< The newest runs beside this deployment, which completed.
  std::vector<StageTime> stages;
  std::size_t stage = 0;            ///< Of `stages`, since the last of Deployment::stages.
  bool was_healthy_enough = false;  ///< For earlySuccessCriteria.
  bool removes_old = false;
  std::optional<Seconds> bakes_until;
};

struct GroupNotes {
  std::int64_t desired = 0;
  std::int64_t points_above = 0;
  std::int64_t points_below = 0;
  std::optional<Seconds> scaled_out_at;
  std::optional<Metric> last;
};

struct Choice {
  std::uint32_t instance = 0;
  bool tied = false;
};

class PlainRun {
 public:
  explicit PlainRun(const placement::Scenario& scenario);
  History run();

 private:
  // plain_timeline.cpp: the clock.
  void round(bool is_first);
  void come_to_rest();
  void due(bool is_first);
  void run_attempts();
  bool is_something_due() const;
  bool is_due(Seconds at) const { return at <= now_; }
  Seconds health_delay(std::uint32_t workload) const;
  std::optional<Seconds> next_of_task(std::uint32_t task) const;
  std::optional<Seconds> next_due() const;
  std::optional<Seconds> next_of_standalone() const;
  bool more_is_stated() const;
  bool finish_before(Seconds next);
  void finish_at_rest();
  void end_tasks();
  void activate_instances();
  void run_tasks();
  void heal_tasks();
  void time_out_tasks();
  void fire_retries();

  // plain_start.cpp: before the first round.
  void add_profiles();
  void add_filters();
  void add_first_instances();
  void add_running_tasks();
  void add_services();
  void add_groups();
  void add_arrivals();

  // plain_cluster.cpp: tasks and instances.
  void log(EventKind kind, std::uint32_t subject, OptionalIndex instance = {}, StopCause stop = StopCause::kNone,
           std::int64_t value = 0);
  bool is_over(std::uint32_t task) const { return history_.tasks[task].stopped_at.has_value(); }
  bool has_no_place(std::uint32_t task) const { return !is_over(task) && history_.tasks[task].instance == kNoIndex; }
  bool holds_a_place(std::uint32_t task) const { return !is_over(task) && history_.tasks[task].instance != kNoIndex; }
  bool is_stopping(std::uint32_t task) const;
  bool is_active_task(std::uint32_t task) const { return !is_over(task) && !is_stopping(task); }
  bool is_standalone(std::uint32_t task) const;
  /// No scale-in and no deployment stops it.
  bool is_protected(std::uint32_t task) const;
  bool is_provisioning(std::uint32_t task) const;
  std::int64_t provisioning_count() const;
  std::int64_t tasks_with_value(std::uint32_t instance, std::string_view attribute, std::uint32_t group) const;
  std::int64_t group_tasks_on(std::uint32_t instance, std::uint32_t group) const;
  bool has_work(std::uint32_t instance) const;
  bool has_standalone_work(std::uint32_t instance) const;
  placement::InstanceStatus status_of(std::uint32_t instance) const;
  /// Here and not ACTIVE any more.
  bool is_draining(std::uint32_t instance) const;
  const std::string& zone_of(std::uint32_t instance) const;
  void set_status(std::uint32_t instance, placement::InstanceStatus status);

  std::uint32_t add_task(std::uint32_t workload, OptionalIndex service, std::optional<std::uint32_t> provider);
  std::optional<Choice> choose(std::uint32_t workload, const std::string& provider);
  void narrow(const placement::Strategy& strategy, std::uint32_t workload, Indices& candidates);
  bool passes_somewhere(std::uint32_t task) const;
  bool try_to_place(std::uint32_t task);
  void hold(std::uint32_t task, Choice choice);
  void place(std::uint32_t task, Choice choice);
  void give_back(std::uint32_t task, StopCause cause);
  void stop(std::uint32_t task, StopCause cause);
  void fail(std::uint32_t task, StopCause cause);

  std::uint32_t add_instance(std::uint32_t profile, const std::string& id, OptionalIndex group,
                             std::optional<Seconds> boot_time);
  void drain(std::uint32_t instance);
  void terminate(std::uint32_t instance);

  // plain_tasks.cpp: arrivals, the queue, jobs.
  void arrive(const placement::Call& call);
  void place_standalone_tasks();
  bool is_managed(const std::string& provider) const;
  void try_managed(std::uint32_t task);
  void try_in_queue(std::uint32_t task);
  void try_together(const Indices& tasks);
  void give_up_trial(std::uint32_t task);
  void say_who_could_start();
  bool waits_in_queue(std::uint32_t task) const;
  void start_job_when_placed(std::uint32_t task);
  void fail_job_of(std::uint32_t task);

  // plain_events.cpp.
  void happen(std::uint32_t index);
  struct Happening;  ///< What each event does: plain_events.cpp.
  bool drain_matches(const placement::TimedEvent& timed);
  bool terminate_matches(const placement::TimedEvent& timed);
  bool stop_matches(const placement::TimedEvent& timed);
  bool protect_matches(const placement::TimedEvent& timed, Seconds lasts, std::uint32_t index);
  void lose_zone(const std::string& zone);
  void update_service(const placement::UpdateService& update);
  void contradict(const placement::TimedEvent& timed, const std::string& message);
  std::string name_of_task(std::uint32_t task) const;

  // plain_services.cpp: what all services have, and replica services.
  void take_replica_turn(std::uint32_t service);
  void start_over(std::uint32_t service);
  void look_at_move(ServiceNotes& service);
  void stop_pending_on_draining(std::uint32_t service);
  void stop_surplus(std::uint32_t service);
  void want_more(std::uint32_t service);
  std::vector<Seconds> launches_of_last_minute(std::uint32_t service) const;
  bool may_launch(std::uint32_t service);
  std::optional<std::uint32_t> next_provider(std::uint32_t service) const;
  std::optional<std::uint32_t> next_provider_among(std::uint32_t workload, const Indices& tasks) const;
  void try_new_tasks(std::uint32_t service);
  void wait_or_provision(std::uint32_t task);
  bool may_provision(std::uint32_t task) const;
  void provision(std::uint32_t task);
  void set_retry_timer(std::uint32_t service);
  void replace_old(std::uint32_t service);
  void make_room(std::uint32_t service);
  bool stop_one_old(std::uint32_t service);
  StopCause why_old_stops(std::uint32_t task) const;
  std::optional<std::uint32_t> by_rule(std::uint32_t service, Indices candidates);
  void take_rolling_turn(std::uint32_t service);
  void end_turn(std::uint32_t service);
  void complete(std::uint32_t service, bool is_steady, bool is_done);
  Indices tasks_of(std::uint32_t service) const;
  Indices new_tasks(std::uint32_t service) const;
  Indices old_tasks(std::uint32_t service) const;
  std::int64_t healthy_of(const Indices& tasks) const;
  std::int64_t stopping_tasks(std::uint32_t service) const;
  std::int64_t lacking(std::uint32_t service) const;
  std::int64_t target(const ServiceNotes& service) const { return service.plan.desired_count + (service.move ? 1 : 0); }
  std::int64_t lower(const ServiceNotes& service, std::int64_t desired) const;
  std::int64_t upper(const ServiceNotes& service, std::int64_t desired) const;
  const placement::Workload& newest_workload(const ServiceNotes& service) const;
  Deployment& newest(ServiceNotes& service) { return history_.deployments[service.newest]; }

  // plain_deployments.cpp: failures, breaker, rollback, rebalancing.
  void start_deployment(std::uint32_t service, std::uint32_t workload, EventKind kind);
  void count_failures(std::uint32_t deployment, std::int64_t count);
  void count_lack(std::uint32_t deployment);
  void note_failed_task(std::uint32_t task);
  void note_timed_out_task(std::uint32_t task);
  bool breaker_opens(std::uint32_t service);
  bool give_up(std::uint32_t service, DeploymentFailure failure, bool rolls_back);
  std::optional<std::uint32_t> completed_before(std::uint32_t service) const;
  void fail_from_outside(std::uint32_t service, DeploymentFailure failure);

  // plain_revisions.cpp: deployments that run both revisions, early success, alarms.
  void take_turn_of_both(std::uint32_t service);
  bool is_of_source(std::uint32_t service, std::uint32_t task) const;
  Indices tasks_of_revision(std::uint32_t service, bool source, bool draining) const;
  void keep_revision(std::uint32_t service, bool source);
  void stop_all(const Indices& tasks);
  bool stop_one_draining(std::uint32_t service, bool source);
  std::optional<Seconds> stage_ends(const ServiceNotes& service) const;
  void enter_stage(std::uint32_t service, std::size_t stage);
  bool is_stage_done(std::uint32_t service);
  void succeed_early(std::uint32_t service);
  bool bakes(std::uint32_t service);
  void rebalance(std::uint32_t service);
  bool move_one(std::uint32_t service);

  // plain_daemons.cpp.
  void take_daemon_turn(std::uint32_t service);
  Indices wanted_instances(std::uint32_t service) const;
  void stop_misplaced_daemons(std::uint32_t service, const Indices& wanted);
  void start_daemons(std::uint32_t service, const Indices& wanted);
  void start_daemon(std::uint32_t service, std::uint32_t instance, std::int64_t desired);
  void try_daemon(std::uint32_t task);
  void replace_daemons(std::uint32_t service, const Indices& wanted);
  std::optional<std::uint32_t> new_daemon_for(std::uint32_t service, std::uint32_t instance) const;
  Indices old_daemons_on(std::uint32_t service, std::uint32_t instance) const;

  // plain_groups.cpp.
  bool tick();
  void add_data_point(std::uint32_t group);
  std::int64_t needed(std::uint32_t group, std::int64_t running) const;
  std::int64_t running_instances(std::uint32_t group) const;
  std::int64_t added_for_waiting(const placement::InstanceGroup& group) const;
  void scale_out(std::uint32_t group, const Metric& metric);
  void scale_in(std::uint32_t group, const Metric& metric);
  std::optional<std::uint32_t> next_victim(std::uint32_t group, const std::set<std::uint32_t>& chosen) const;
  void send_away(std::uint32_t group, std::uint32_t instance);
  Indices members(std::uint32_t group) const;
  void terminate_emptied();
  void terminate_surplus();
  void launch_missing();
  bool launch(std::uint32_t group, bool at_once);
  bool has_managed_group() const;
  std::int64_t quiet_limit() const;

  placement::Scenario world_;  ///< Grows and changes with the run.
  const placement::Timetable& table_;
  std::uint32_t profile_count_ = 0;  ///< As stated; behind them each again for other states.
  placement::Groups groups_;
  std::vector<placement::Filter> filters_;         ///< By workload.
  std::vector<placement::Filter> daemon_filters_;  ///< By workload: without a look at its group.
  std::mt19937_64 generator_;
  History history_;
  std::vector<placement::InstanceState> states_;
  std::vector<TaskNotes> tasks_;
  std::vector<InstanceNotes> instances_;
  std::vector<ServiceNotes> services_;
  std::vector<GroupNotes> scaling_;
  std::vector<placement::Call> arrivals_;
  std::map<std::uint32_t, Indices> together_;  ///< By task: all of its call, which has a place as a whole.
  std::size_t arrived_ = 0;
  std::size_t happened_ = 0;
  std::set<std::string> lost_zones_;
  std::set<std::uint32_t> said_could_start_;  ///< Workloads.
  Seconds now_ = 0;
  Seconds last_progress_ = 0;
  bool has_changed_ = false;
  bool is_ticking_ = false;
  std::int64_t quiet_ticks_ = 0;
  std::size_t events_at_last_tick_ = 0;
};

}  // namespace bayplan::timeline::plain

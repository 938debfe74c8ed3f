// Constants, how long tasks take, what services do: Scenario::timetable but for its groups and events.
#include "scenario/load_timetable.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/redeploy.hpp"
#include "query/query.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using text::Value;

namespace {

/// A time of `settings.timing`.
struct TimeConstant {
  std::string_view name;
  Seconds Timing::*member;
  Seconds least;
};
constexpr std::array kTimes{TimeConstant{"healthyAfter", &Timing::healthy_after, 1},
                            TimeConstant{"stopTimeout", &Timing::stop_timeout, 0},
                            TimeConstant{"bootTime", &Timing::boot_time, 0},
                            TimeConstant{"metricPeriod", &Timing::metric_period, 1},
                            TimeConstant{"provisioningTimeout", &Timing::provisioning_timeout, 1},
                            TimeConstant{"restartDelay", &Timing::restart_delay, 1},
                            TimeConstant{"placementRetryDelay", &Timing::placement_retry_delay, 1},
                            TimeConstant{"restartDelayLimit", &Timing::restart_delay_limit, 1},
                            TimeConstant{"stageLimit", &Timing::stage_limit, 1},
                            TimeConstant{"lifecycleHook", &Timing::lifecycle_hook, 0},
                            TimeConstant{"alarmBakeTime", &Timing::alarm_bake_time, 0},
                            TimeConstant{"targetHealthyAfter", &Timing::target_healthy_after, 1},
                            TimeConstant{"deregistrationDelay", &Timing::deregistration_delay, 0},
                            TimeConstant{"codeDeployLimit", &Timing::code_deploy_limit, 1},
                            TimeConstant{"codeDeployTermination", &Timing::code_deploy_termination, 0},
                            TimeConstant{"endlessAfter", &Timing::endless_after, 1}};

struct CountConstant {
  std::string_view name;
  std::int64_t Timing::*member;
};
constexpr std::array kCounts{CountConstant{"scaleOutDataPoints", &Timing::scale_out_data_points},
                             CountConstant{"scaleInDataPoints", &Timing::scale_in_data_points},
                             CountConstant{"provisioningLimit", &Timing::provisioning_limit},
                             CountConstant{"launchRate", &Timing::launch_rate}};

/// Each member that takes time, with its position.
class TimeNotes {
 public:
  explicit TimeNotes(Loading& loading) : loading_(loading) {}

  void of_tasks(Value tasks) {
    if (!tasks) return;
    note_first(loading_.requests.first_start_at(), tasks, "startAt");
    note_first(loading_.requests.first_duration(), tasks, "duration");
    for (const Value request : tasks.children()) {
      const Value delay = request.find("startDelay");
      if (delay && model::parse_duration(delay.text()).value_or(0) > 0) note(delay, "startDelay");
    }
  }

  void of_services(const model::ScenarioFile& written) {
    for (const auto& service : written.services) {
      const auto& delay = service.start_delay;
      if (delay && model::parse_duration(*delay).value_or(0) > 0) note(delay.node, "startDelay");
      if (service.duration) note(service.duration.node, "duration");
    }
  }

  void of_groups(const model::ScenarioFile& written) {
    for (const auto& provider : written.capacity_providers) {
      if (provider.managed_instances.present()) note(provider.managed_instances.node, "managedInstancesProvider");
      const auto& group = provider.auto_scaling_group;
      if (!group.node) continue;
      if (provider.managed_scaling.status.value == "ENABLED")
        note(provider.managed_scaling.status.node, "managedScaling");
      if (group.min_size.value.value_or(0) > 0) note(group.min_size.node, "minSize");
    }
  }

  /// Groups of a described cluster.
  void of_described_groups() {
    for (const auto& described : loading_.managed_instances_providers) {
      const std::string& name = described.first;
      const auto& groups = loading_.scenario.timetable.groups;
      const auto is_simulated = [&](const auto& group) { return group.capacity_provider == name; };
      if (std::any_of(groups.begin(), groups.end(), is_simulated)) note(described.second, "managedInstancesProvider");
    }
  }

  void note(Value at, std::string_view what) { add(loading_.sources.error_at(at, {}), what); }
  void add(Error error, std::string_view what) {
    error.message = fmt::format("not simulated in this version: {}", what);
    error.subject = what;
    loading_.scenario.over_time.push_back(std::move(error));
  }

 private:
  void note_first(std::optional<Span> first, Value in, std::string_view what) {
    if (first) add(loading_.sources.error_at(*first, in, {}), what);
  }

  Loading& loading_;
};

void note_times(Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written) {
  TimeNotes notes(loading);
  notes.of_tasks(written.tasks);
  notes.of_services(written);
  if (!request.keeps_groups) {
    notes.of_groups(written);
    notes.of_described_groups();
  }
  if (written.events && written.events.size() > 0) notes.note(written.events, "events");
  if (written.when_full.value == "wait") notes.note(written.when_full.node, "whenFull: wait");
  if (request.until) notes.add({}, "--until");
  sort_by_place(loading.scenario.over_time);
}

/// `--task TASKDEF=max` ends when no more fit, which over time is never known.
void check_counts(Loading& loading) {
  for (const auto& workload : loading.scenario.workloads) {
    if (workload.count) continue;
    loading.sources.fail(Error{
        .message =
            fmt::format("'max' of {} means as many as fit at time 0, but the scenario runs over time", workload.name),
        .help = "--task TASKDEF=COUNT"});
  }
}

}  // namespace

std::optional<Seconds> read_duration(Loading& loading, const model::StringField& written, DurationRange range) {
  if (!written) return std::nullopt;
  const auto seconds = model::parse_duration(*written);
  const auto fail = [&](std::string_view limit, Seconds bound) {
    loading.sources.fail(written.node,
                         fmt::format("{} is {}, and {} {}", written.node.key(), *written, limit, duration_text(bound)));
    return std::nullopt;
  };
  if (!seconds || *seconds > range.most) return fail("can be at most", range.most);
  if (*seconds < range.least) return fail("must be at least", range.least);
  return seconds;
}

std::vector<Seconds> times_of(Loading& loading, Seconds first, const model::StringField& every) {
  constexpr Seconds kMostTimes = 10'000;
  if (!every.present()) return {first};
  const auto interval = read_duration(loading, every, {.least = 1});
  if (!interval) return {};
  if (!loading.until) {
    loading.sources.fail(every.node, "what repeats has no end", "state it, for example: bayplan place --until 3d");
    return {};
  }
  if ((*loading.until - first) / *interval >= kMostTimes) {
    loading.sources.fail(every.node,
                         fmt::format("more than {} repetitions until {}", kMostTimes, duration_text(*loading.until)),
                         "repeat it less often, or shorten --until");
    return {};
  }
  std::vector<Seconds> times{first};
  while (times.back() + *interval <= *loading.until) times.push_back(times.back() + *interval);
  return times;
}

void read_timing(Loading& loading, Value written) {
  if (!written) return;
  Timing& timing = loading.scenario.timetable.timing;
  for (const auto& constant : kTimes) {
    const auto field = model::string_field(written, constant.name, loading.placeholders);
    if (const auto seconds = read_duration(loading, field, {.least = constant.least}))
      timing.*constant.member = *seconds;
  }
  for (const auto& constant : kCounts) {
    const auto field = model::integer_field(written, constant.name, loading.placeholders);
    if (field) timing.*constant.member = *field;
  }
  for (const auto& [name, delay] : {std::pair("restartDelay", timing.restart_delay),
                                    std::pair("placementRetryDelay", timing.placement_retry_delay)}) {
    if (delay <= timing.restart_delay_limit) continue;
    // A limit shortens a default delay that is above it.
    if (!written.find(name) && std::string_view(name) == "placementRetryDelay") {
      timing.placement_retry_delay = timing.restart_delay_limit;
      continue;
    }
    loading.sources.fail(written.find(written.find(name) ? name : "restartDelayLimit"),
                         fmt::format("{} is {}, more than restartDelayLimit, which is {}", name, duration_text(delay),
                                     duration_text(timing.restart_delay_limit)),
                         "the delay begins with the one and grows to the other");
  }
}

/// The workload's tasks attach EBS volumes.
void note_attachments(Scenario& scenario, const std::string& workload) {
  assume(scenario, "ebs-attachments", workload,
         "each task uses an EBS attachment of its instance and is placed only where one is left; ECS does not document "
         "that placement checks this: it may place a task that then fails to start");
  for (const auto& profile : scenario.profiles) {
    if (profile.ebs_attachments < kUnlimitedAttachments) continue;
    assume(scenario, "ebs-attachments-unknown", profile.instance_type,
           fmt::format("the EBS attachments of {} are unknown and limit no task", profile.instance_type));
  }
}

void read_spot_rates(Loading& loading, Value written) {
  if (!written) return;
  constexpr double kMillionthsPerPercent = 10'000;
  auto& rates = loading.scenario.timetable.spot;
  const auto millionths = [&](Value value) {
    return static_cast<std::int64_t>(std::llround(to_number(value.text()).value_or(0) * kMillionthsPerPercent));
  };
  if (const Value all = written.find("interruptionFrequency")) rates.millionths = millionths(all);
  std::set<std::string, std::less<>> pools;
  for (const auto& profile : loading.scenario.profiles) {
    if (profile.is_spot) pools.insert(spot_pool(profile));
  }
  const Value listed = written.find("pools");
  if (!listed) return;
  for (const Value one : listed.children()) {
    if (!pools.contains(one.key())) {
      loading.sources.fail(one, fmt::format("no Spot instance and no group is in pool '{}'", one.key()),
                           pools.empty() ? "set instanceLifecycle: spot for instances or groups"
                                         : help_among(loading, one.key(), {pools.begin(), pools.end()}, "pools are"));
    }
    rates.by_pool.insert_or_assign(std::string(one.key()), millionths(one));
  }
}

namespace {

/// Its tasks run on Managed Instances alone.
bool is_on_managed_instances(const Scenario& scenario, const Workload& workload) {
  const auto& groups = scenario.timetable.groups;
  const auto is_managed = [&](const ProviderShare& share) {
    return std::any_of(groups.begin(), groups.end(), [&](const InstanceGroup& group) {
      return group.managed_instances && group.capacity_provider == share.capacity_provider;
    });
  };
  const auto& providers = workload.capacity_providers;
  return !providers.empty() && std::all_of(providers.begin(), providers.end(), is_managed);
}

/// And its definition lists them.
bool is_for_managed_instances(const Scenario& scenario, const Workload& workload) {
  return is_on_managed_instances(scenario, workload) &&
         workload.requirement.launch_types_without_ec2.find("MANAGED_INSTANCES") != std::string::npos;
}

/// Neuron devices that no description of a live instance says.
bool assumes_neuron_devices(const Scenario& scenario) {
  return std::any_of(scenario.instances.begin(), scenario.instances.end(), [&](const ContainerInstance& instance) {
    const auto& profile = scenario.profiles[instance.profile];
    return profile.neuron_devices > 0 && profile.arn.empty();
  });
}

}  // namespace

std::uint32_t add_workload(Loading& loading, Workload workload, const model::StringField& start_delay,
                           const model::StringField& duration) {
  Scenario& scenario = loading.scenario;
  TaskTiming timing;
  timing.start_delay = read_duration(loading, start_delay, {}).value_or(0);
  timing.duration = read_duration(loading, duration, {});
  timing.stop_delay =
      compute_stop_delay(scenario.task_definitions[workload.task_definition], scenario.timetable.timing.stop_timeout);
  scenario.timetable.tasks.push_back(timing);
  const std::string& family = scenario.task_definitions[workload.task_definition].family;
  auto other = capacity::launch_type_assumption(workload.requirement, family);
  if (other && !is_for_managed_instances(scenario, workload))
    assume(scenario, std::move(other->id), std::move(other->subject), std::move(other->text));
  auto unmanaged = capacity::neuron_assumption(workload.requirement, family);
  if (unmanaged && assumes_neuron_devices(scenario) && !is_on_managed_instances(scenario, workload))
    assume(scenario, std::move(unmanaged->id), std::move(unmanaged->subject), std::move(unmanaged->text));
  if (workload.requirement.ebs_volumes > 0) note_attachments(scenario, workload.name);
  scenario.workloads.push_back(std::move(workload));
  return static_cast<std::uint32_t>(scenario.workloads.size() - 1);
}

CircuitBreaker circuit_breaker_of(const model::DeploymentCircuitBreaker& written) {
  CircuitBreaker breaker;
  breaker.enabled = written.enable.value.value_or(false);
  breaker.rollback = written.rollback.value.value_or(false);
  breaker.reset_on_healthy_task = written.reset_on_healthy_task.value.value_or(true);
  if (written.threshold_type.value == "COUNT") breaker.type = ThresholdType::kCount;
  if (written.threshold_type.value == "UNBOUNDED_PERCENT") breaker.type = ThresholdType::kUnboundedPercent;
  breaker.value = written.threshold_value.value.value_or(breaker.value);
  return breaker;
}

void set_load_balancer(Timetable& timetable, std::uint32_t workload, const model::DeploymentSettings& settings) {
  if (!settings.has_load_balancer) return;
  auto& timing = timetable.tasks[workload];
  timing.target_healthy_after = timetable.timing.target_healthy_after;
  timing.deregistration_delay = timetable.timing.deregistration_delay;
  timing.stop_delay += timing.deregistration_delay;
}

void use_controller_percents(const model::DeploymentSettings& settings, Workload& workload) {
  if (settings.controller == model::DeploymentController::kEcs || workload.kind == WorkloadKind::kDaemon) return;
  workload.minimum_healthy_percent = 100;
  workload.maximum_percent = 200;
}

void check_percents(Loading& loading, const model::Service& written, const Workload& workload) {
  const auto& least = written.minimum_healthy_percent;
  const auto& most = written.maximum_percent;
  const Value at = most.present() ? most.node : least.present() ? least.node : written.node;
  if (workload.maximum_percent == 0) {
    loading.sources.fail(at, fmt::format("maximumPercent is 0: '{}' could never start a task", workload.name),
                         "100 lets it run desiredCount tasks, 200 twice as many during a deployment");
  } else if (workload.minimum_healthy_percent > workload.maximum_percent) {
    loading.sources.fail(at,
                         fmt::format("minimumHealthyPercent of '{}' is {}, more than maximumPercent, which is {}",
                                     workload.name, workload.minimum_healthy_percent, workload.maximum_percent),
                         "the first is the least share of healthy tasks, the second the most running tasks");
  }
}

void add_service_plans(Loading& loading, const model::ScenarioFile& written,
                       const std::vector<std::optional<std::uint32_t>>& workloads) {
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    if (!workloads[i]) continue;  // reported above
    const auto& service = written.services[i];
    ServicePlan plan;
    plan.workload = *workloads[i];
    plan.desired_count = service.desired_count.value.value_or(0);
    plan.circuit_breaker = circuit_breaker_of(service.circuit_breaker);
    plan.settings = model::deployment_settings(service.node);
    plan.rebalances = service.availability_zone_rebalancing.value != "DISABLED" &&
                      plan.settings.controller != model::DeploymentController::kExternal;
    for (const auto& conflict : model::find_deployment_conflicts(service.node, service.is_daemon()))
      plan.conflicts.push_back(conflict.message);
    loading.scenario.timetable.services.push_back(plan);
  }
}

namespace {

/// They launch nothing.
void drop_groups(Loading& loading) {
  loading.scenario.timetable.groups.clear();
  loading.scenario.profiles.resize(loading.profiles_of_cluster);
}

}  // namespace

void finish_timetable(Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written) {
  Scenario& scenario = loading.scenario;
  Timetable& timetable = scenario.timetable;
  timetable.until = request.until;
  if (written.when_full.value == "wait") timetable.when_full = WhenFull::kWait;
  note_times(loading, request, written);
  timetable.has_time = !scenario.over_time.empty();
  if (!timetable.has_time) {
    if (!request.keeps_groups) drop_groups(loading);
    return;
  }
  for (auto* const list : {&health_check_assumptions, &deployment_assumptions}) {
    for (auto& one : (*list)(scenario))
      assume(scenario, std::move(one.id), std::move(one.subject), std::move(one.text));
  }
  check_counts(loading);
  for (const auto& plan : timetable.services) {
    const auto& workload = scenario.workloads[plan.workload];
    const auto found = std::find_if(written.services.begin(), written.services.end(),
                                    [&](const auto& service) { return service.service_name.value == workload.name; });
    if (found != written.services.end()) check_percents(loading, *found, workload);  // ECS has accepted the others
  }
}

}  // namespace bayplan::scenario

// events -> Timetable::events.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <variant>
#include <vector>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "scenario/load_timetable.hpp"
#include "scenario/loading.hpp"

namespace bayplan::scenario {

namespace {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using text::Value;

/// "p3.2xlarge#3"
struct Numbered {
  std::string_view name;
  std::int64_t number = 0;
};

std::optional<Numbered> numbered(std::string_view text) {
  const auto mark = text.rfind('#');
  if (mark == std::string_view::npos) return std::nullopt;
  const auto number = to_integer(text.substr(mark + 1));
  if (!number || *number < 1) return std::nullopt;
  return Numbered{text.substr(0, mark), *number};
}

std::string make_help(std::string_view word, const std::vector<std::string_view>& known, std::string otherwise) {
  const auto near = nearest(word, known);
  return near ? fmt::format("did you mean '{}'?", *near) : std::move(otherwise);
}

std::string never_more(std::int64_t count, std::string_view what, std::string_view of) {
  return fmt::format("there {} never more than {} of {}", count == 1 ? "is" : "are", count_of(count, what), of);
}

/// Which instances can be there, and from when on.
class InstanceNames {
 public:
  explicit InstanceNames(const Scenario& scenario) {
    for (const auto& instance : scenario.instances) {
      ids_.emplace(instance.id, kFromTheStart);
      ++numbers_[scenario.profiles[instance.profile].instance_type].at_start;
    }
    for (const auto& group : scenario.timetable.groups) {
      for (const auto& type : group.types)
        numbers_[scenario.profiles[type.profiles.front()].instance_type].is_launched = true;
    }
  }

  /// False when an instance has the id already.
  bool add(const AddInstances& event, std::size_t position, const Scenario& scenario) {
    const auto& first = event.instances.front();
    auto& numbers = numbers_[scenario.profiles[first.profile].instance_type];
    const std::int64_t before = numbers.additions.empty() ? numbers.at_start : numbers.additions.back().last;
    numbers.additions.push_back({before + static_cast<std::int64_t>(event.instances.size()), position});
    return first.id.empty() || ids_.emplace(first.id, position).second;
  }

  /// The event that brings the instance, `kFromTheStart`, or nothing when none ever does.
  std::optional<std::size_t> find_position(std::string_view id) const {
    if (const auto known = ids_.find(id); known != ids_.end()) return known->second;
    const auto parts = numbered(id);
    const auto found = parts ? numbers_.find(parts->name) : numbers_.end();
    if (found == numbers_.end()) return std::nullopt;
    const auto& [type, numbers] = *found;
    if (parts->number <= numbers.at_start) return std::nullopt;  // it has an id of its own
    if (numbers.is_launched) return kFromTheStart;               // the run says when
    const auto addition = std::partition_point(numbers.additions.begin(), numbers.additions.end(),
                                               [&](const Addition& one) { return one.last < parts->number; });
    if (addition == numbers.additions.end()) return std::nullopt;
    return addition->position;
  }

  /// `names`: whether to look for what may have been meant.
  std::string help(std::string_view id, bool names) const {
    const auto parts = numbered(id);
    if (const auto found = parts ? numbers_.find(parts->name) : numbers_.end(); found != numbers_.end()) {
      const auto& numbers = found->second;
      const auto last = numbers.additions.empty() ? numbers.at_start : numbers.additions.back().last;
      if (parts->number > last) return never_more(last, "instance", parts->name);
    }
    std::vector<std::string_view> known;
    for (auto one = ids_.begin(); names && one != ids_.end(); ++one) known.push_back(one->first);
    return make_help(id, known, "instances are named by id, or by a glob such as p3.2xlarge#*");
  }

  static constexpr std::size_t kFromTheStart = 0;  ///< Positions count from 1.

 private:
  struct Addition {
    std::int64_t last = 0;  ///< Number of its last instance; the others come before it.
    std::size_t position = 0;
  };
  struct Numbers {
    std::int64_t at_start = 0;
    bool is_launched = false;  ///< A group may launch the type.
    std::vector<Addition> additions;
  };

  std::map<std::string, std::size_t, std::less<>> ids_;
  std::map<std::string, Numbers, std::less<>> numbers_;  ///< Keyed by type.
};

/// An entry of `events` whose subject is looked up.
struct EventPlace {
  Seconds when = 0;
  std::size_t position = 0;  ///< Among the events in order of time, from 1.
  Value at;                  ///< Where the entry names its subject.
};

/// What events can name: instances, zones, Spot capacity pools and tasks that can be in the cluster.
class Subjects {
 public:
  explicit Subjects(Loading& loading) : loading_(loading), scenario_(loading.scenario), instances_(loading.scenario) {
    for (const auto& profile : scenario_.profiles) zones_.insert(profile.availability_zone);
    zones_.erase("");
    for (const auto& task : scenario_.running) running_.insert(task.id);
    for (const auto& workload : scenario_.workloads) {
      auto& tasks = tasks_[workload.name];
      tasks.count += workload.count.value_or(0);
      tasks.is_service |= workload.kind != WorkloadKind::kTasks;
    }
  }

  /// Instances that an event adds can be named by later events.
  void add(const AddInstances& event, const EventPlace& place) {
    if (event.instances.empty() || instances_.add(event, place.position, scenario_)) return;
    fail(place.at, fmt::format("duplicate ec2InstanceId '{}'", event.instances.front().id),
         "each instance has its own");
  }

  void look_up(const DrainInstances& event, const EventPlace& place) { look_up_instances(event.pattern, place); }
  void look_up(const TerminateInstances& event, const EventPlace& place) { look_up_instances(event.pattern, place); }
  void look_up(const InterruptSpotInstances& event, const EventPlace& place) { look_up_spot(event.pattern, place); }
  void look_up(const RecommendRebalance& event, const EventPlace& place) { look_up_spot(event.pattern, place); }
  void look_up(const LoseAvailabilityZone& event, const EventPlace& place) {
    if (!is_glob(event.zone)) check_zone(event.zone, place.at);
  }
  void look_up(const StopTasks& event, const EventPlace& place) {
    if (!is_glob(event.pattern)) check_task(event.pattern, place.at);
  }
  void look_up(const UpdateTaskProtection& event, const EventPlace& place) {
    if (is_glob(event.pattern)) return;
    const auto parts = numbered(event.pattern);
    const auto named = parts ? tasks_.find(parts->name) : tasks_.end();
    if (named == tasks_.end() || named->second.is_service) return check_task(event.pattern, place.at);
    fail(place.at, fmt::format("'{}' belongs to no service", event.pattern),
         "ECS protects tasks of services only: UpdateTaskProtection fails with TASK_NOT_VALID");
  }
  // They name nothing, or what was looked up when the entry was read.
  void look_up(const AddInstances&, const EventPlace&) {}
  void look_up(const UpdateService&, const EventPlace&) {}
  void look_up(const StopServiceDeployment&, const EventPlace&) {}
  void look_up(const RaiseAlarm&, const EventPlace&) {}
  void look_up(const SetDesiredCapacity&, const EventPlace&) {}

 private:
  struct Tasks {
    std::int64_t count = 0;
    bool is_service = false;  ///< The service determines the number of tasks.
  };

  void look_up_instances(const std::string& pattern, const EventPlace& place) {
    if (names_pool(pattern)) return check_pool(pattern, false, place.at);
    if (!is_glob(pattern)) check_instance(pattern, place.when, place.position, place.at);
  }

  void look_up_spot(const std::string& pattern, const EventPlace& place) {
    if (names_pool(pattern)) return check_pool(pattern, true, place.at);
    if (!is_glob(pattern)) check_instance(pattern, place.when, place.position, place.at);
  }

  void check_instance(const std::string& id, Seconds when, std::size_t position, Value at) {
    const auto from = instances_.find_position(id);
    if (!from) return fail(at, fmt::format("no instance '{}'", id), instances_.help(id, gives_hints(loading_)));
    if (*from < position) return;
    const auto& added = scenario_.timetable.events[*from - 1];
    if (added.at == when) {
      fail(at, fmt::format("instance '{}' is added by a later event of the same time", id),
           "events of one time happen in the order of the file");
    } else {
      fail(at, fmt::format("instance '{}' is added only at {}", id, duration_text(added.at)),
           fmt::format("this event is at {}", duration_text(when)));
    }
  }

  void check_zone(const std::string& zone, Value at) {
    if (zones_.contains(zone)) return;
    std::vector<std::string_view> known;
    if (gives_hints(loading_)) known.assign(zones_.begin(), zones_.end());
    fail(at, fmt::format("no instance and no group is in zone '{}'", zone),
         zones_.empty() ? "none states its zone" : help_among(loading_, zone, known, "zones are"));
  }

  /// Pools that an instance of the scenario, its events or its groups has. `is_of_spot`: only Spot instances count.
  void check_pool(const std::string& pool, bool is_of_spot, Value at) {
    std::set<std::string, std::less<>> pools;
    for (const auto& profile : scenario_.profiles) {
      if (profile.is_spot || !is_of_spot) pools.insert(spot_pool(profile));
    }
    if (std::any_of(pools.begin(), pools.end(), [&](const auto& one) { return glob_matches(pool, one); })) return;
    std::vector<std::string_view> known;
    if (gives_hints(loading_)) known.assign(pools.begin(), pools.end());
    fail(at, fmt::format("no {} and no group is in pool '{}'", is_of_spot ? "Spot instance" : "instance", pool),
         pools.empty() ? "set instanceLifecycle: spot for instances or groups"
                       : help_among(loading_, pool, known, "pools are"));
  }

  void check_task(const std::string& task, Value at) {
    if (running_.contains(task)) return;
    const auto parts = numbered(task);
    const auto found = parts ? tasks_.find(parts->name) : tasks_.find(task);
    if (found == tasks_.end()) {
      std::vector<std::string_view> names;
      for (auto one = tasks_.begin(); gives_hints(loading_) && one != tasks_.end(); ++one) names.push_back(one->first);
      return fail(at, fmt::format("no task '{}'", task),
                  make_help(parts ? parts->name : std::string_view(task), names,
                            "tasks are named as in reports, for example train#1, or by a glob such as train#*"));
    }
    const auto& [name, tasks] = *found;
    if (!parts)
      return fail(at, fmt::format("no task '{}'", task), fmt::format("{}#1 is one of them, {}#* are all", name, name));
    if (tasks.is_service || parts->number <= tasks.count) return;
    fail(at, fmt::format("no task '{}'", task), never_more(tasks.count, "task", name));
  }

  void fail(Value at, std::string message, std::string help) {
    loading_.sources.fail(at, std::move(message), std::move(help));
  }

  Loading& loading_;
  const Scenario& scenario_;
  InstanceNames instances_;
  std::set<std::string, std::less<>> zones_;
  std::set<std::string, std::less<>> running_;       ///< Ids of tasks that run before the start.
  std::map<std::string, Tasks, std::less<>> tasks_;  ///< Keyed by workload's name.
};

/// Every instance, zone and task that an event names can be there at its time. What depends on the run itself (a task
/// that has not arrived, an instance that a group has not launched) is reported by the run.
/// `named`: by event, where the entry names its subject; absent for those that name nothing.
/// What an event names, where the scenario writes it.
struct NamedSubject {
  Value written;
  bool is_repetition = false;
};

void check_subjects(Loading& loading, const std::vector<NamedSubject>& named) {
  Subjects subjects(loading);
  const auto& events = loading.scenario.timetable.events;
  const auto place_of = [&](std::size_t i) { return EventPlace{events[i].at, i + 1, named[i].written}; };
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (const auto* added = std::get_if<AddInstances>(&events[i].event)) subjects.add(*added, place_of(i));
  }
  // What may be there at the first time may be there later.
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (named[i].is_repetition) continue;
    std::visit([&](const auto& event) { subjects.look_up(event, place_of(i)); }, events[i].event);
  }
}

template <class Member>
void take(const Member& from, Member& to) {
  if (from.present()) to = from;
}

/// The service as it is after the update.
void merge(const model::ServiceUpdate& update, model::Service& service) {
  take(update.task_definition, service.task_definition);
  take(update.desired_count, service.desired_count);
  take(update.minimum_healthy_percent, service.minimum_healthy_percent);
  take(update.maximum_percent, service.maximum_percent);
  take(update.placement_strategy, service.placement_strategy);
  take(update.placement_constraints, service.placement_constraints);
  take(update.capacity_provider_strategy, service.capacity_provider_strategy);
  take(update.start_delay, service.start_delay);
  take(update.duration, service.duration);
  if (update.network_configuration) service.subnets = update.subnets;
}

bool are_alike(const std::vector<Constraint>& a, const std::vector<Constraint>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Constraint& one, const Constraint& other) {
    return one.type == other.type && one.source == other.source;
  });
}

bool are_alike(const std::vector<ProviderShare>& a, const std::vector<ProviderShare>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const ProviderShare& one, const ProviderShare& other) {
    return one.capacity_provider == other.capacity_provider && one.base == other.base && one.weight == other.weight;
  });
}

/// What UpdateService starts a deployment for (API_UpdateService), as far as placement sees it.
bool starts_deployment(const Workload& wanted, const Workload& before) {
  return wanted.task_definition != before.task_definition || wanted.availability_zones != before.availability_zones;
}

/// The services as the events so far have left them.
class UpdatedServices {
 public:
  UpdatedServices(Loading& loading, const model::ScenarioFile& written)
      : loading_(loading), services_(written.services.items), newest_(services_.size()) {
    for (const auto& service : services_) settings_.push_back(model::deployment_settings(service.node));
    for (const auto& plan : loading.scenario.timetable.services) {
      const auto index = index_of(loading.scenario.workloads[plan.workload].name);
      if (index) newest_[*index] = plan.workload;
    }
  }

  /// Index into Timetable::services, or nothing with the error noted.
  std::optional<std::uint32_t> find(const model::StringField& name) {
    if (!name.known()) return std::nullopt;
    if (const auto index = index_of(*name)) return static_cast<std::uint32_t>(*index);
    fail_unknown(name);
    return std::nullopt;
  }

  /// The name of an alarm that the settings of some service watch by then; another one is an error.
  std::string watched_alarm(const model::StringField& name) {
    if (!name.known()) return {};
    std::vector<std::string_view> known;
    for (const auto& settings : settings_) {
      if (settings.alarms.enabled)
        known.insert(known.end(), settings.alarms.names.begin(), settings.alarms.names.end());
    }
    if (std::find(known.begin(), known.end(), *name) == known.end()) {
      fail(name.node, fmt::format("no service watches the alarm '{}' at that time", *name),
           known.empty() ? "name it under alarms.alarmNames of a deploymentConfiguration, with enable: true"
                         : help_among(loading_, *name, known, "alarms are"));
    }
    return std::string(*name);
  }

  /// The service is updated: later events see what it says.
  UpdateService update(const model::Event& event) {
    UpdateService made;
    const auto update = model::bind_service_update(event.member, loading_.placeholders);
    if (!update.service_name) return made;
    const auto index = index_of(*update.service_name);
    if (!index) {
      fail_unknown(update.service_name);
      return made;
    }
    auto& service = services_[*index];
    made.service = static_cast<std::uint32_t>(*index);
    made.desired_count = update.desired_count.value;
    made.minimum_healthy_percent = update.minimum_healthy_percent.value;
    made.maximum_percent = update.maximum_percent.value;
    const auto& rebalancing = update.availability_zone_rebalancing;
    if (rebalancing.known()) made.rebalances = *rebalancing != "DISABLED";
    if (update.circuit_breaker.node) made.circuit_breaker = circuit_breaker_of(update.circuit_breaker);
    settings_[*index] = model::deployment_settings(update.node, settings_[*index]);
    made.settings = settings_[*index];
    if (service.is_daemon() && update.desired_count.present()) {
      fail(update.desired_count.node,
           fmt::format("'{}' is a DAEMON service and has no desiredCount", *update.service_name),
           "it runs a task on each instance that its constraints allow");
    }
    merge(update, service);
    if (newest_[*index]) made.workload = deployment_workload(update, *index);
    return made;
  }

 private:
  std::optional<std::size_t> index_of(std::string_view service) const {
    const auto found = std::find_if(services_.begin(), services_.end(),
                                    [&](const auto& one) { return one.service_name.value == service; });
    if (found == services_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - services_.begin());
  }

  /// The workload of the deployment that the update starts, if it starts one.
  std::optional<std::uint32_t> deployment_workload(const model::ServiceUpdate& update, std::size_t index) {
    auto workload = service_workload(loading_, services_[index]);
    if (!workload) return std::nullopt;
    check_percents(loading_, services_[index], *workload);
    const Workload& before = loading_.scenario.workloads[*newest_[index]];
    if (!update.force_new_deployment.value.value_or(false) && !starts_deployment(*workload, before)) {
      refuse_without_deployment(update, *workload, before);
      return std::nullopt;
    }
    workload->origin = find_origin(loading_.sources, update.node);
    use_controller_percents(settings_[index], *workload);
    newest_[index] =
        add_workload(loading_, std::move(*workload), services_[index].start_delay, services_[index].duration);
    set_load_balancer(loading_.scenario.timetable, *newest_[index], settings_[index]);
    return newest_[index];
  }

  /// What asks for tasks that the update does not start.
  void refuse_without_deployment(const model::ServiceUpdate& update, const Workload& wanted, const Workload& before) {
    constexpr std::string_view kForce = "add forceNewDeployment: true";
    const auto& timing = update.start_delay.present() ? update.start_delay : update.duration;
    if (timing.present()) {
      fail(timing.node,
           fmt::format("{} is of the tasks of a new deployment, and this update starts none", timing.node.key()),
           std::string(kForce));
    }
    const auto check = [&](Value member, bool is_as_before) {
      if (!member || is_as_before) return;
      fail(
          member,
          fmt::format("ECS starts no deployment for a change of {}, and without one it is not simulated", member.key()),
          std::string(kForce));
    };
    check(update.placement_strategy.node, wanted.strategies == before.strategies);
    check(update.placement_constraints.node, are_alike(wanted.constraints, before.constraints));
    check(update.capacity_provider_strategy.node, are_alike(wanted.capacity_providers, before.capacity_providers));
  }

  void fail_unknown(const model::StringField& name) {
    std::vector<std::string_view> names;
    if (gives_hints(loading_)) {
      for (const auto& service : services_) names.push_back(service.service_name.value.value_or(""));
    }
    fail(name.node, fmt::format("no service '{}'", *name),
         services_.empty() ? "list it under services" : help_among(loading_, *name, names, "services are"));
  }

  void fail(Value at, std::string message, std::string help) {
    loading_.sources.fail(at, std::move(message), std::move(help));
  }

  Loading& loading_;
  std::vector<model::Service> services_;              ///< The services after the updates so far.
  std::vector<model::DeploymentSettings> settings_;   ///< Their settings after the updates so far.
  std::vector<std::optional<std::uint32_t>> newest_;  ///< Workload of the newest deployment; nothing when it has none.
};

/// What the entries of `events` are read with.
struct EventReading {
  Loading& loading;
  const model::ScenarioFile& file;
  UpdatedServices& services;
};

/// An event, and where its entry names its subject; absent where it names none.
struct LoadedEvent {
  TimelineEvent event;
  Value named;
};

LoadedEvent load_add(EventReading& reading, const model::Event& written) {
  auto& loading = reading.loading;
  const auto entry = model::bind_container_instance(written.member, loading.placeholders);
  if (entry.status && *entry.status != "ACTIVE") {
    loading.sources.fail(entry.status.node, fmt::format("instances that are added are ACTIVE, not {}", *entry.status),
                         "omit status; an event can drain them");
  }
  AddInstances added;
  const auto pattern = entry.instance_type ? pattern_of(loading, entry) : std::nullopt;
  if (!pattern) return {added, {}};
  for (const std::uint32_t profile : deal(loading, entry, *pattern))
    added.instances.push_back({pattern->ec2_instance_id, profile});
  return {added, entry.ec2_instance_id.node};
}

/// An event of which the entry says nothing but a name.
template <class Event, std::string Event::*kName>
LoadedEvent load_named(EventReading&, const model::Event& written) {
  Event event;
  if (!written.named.known()) return {std::move(event), {}};
  event.*kName = *written.named;
  return {std::move(event), written.named.node};
}

LoadedEvent load_update(EventReading& reading, const model::Event& written) {
  return {reading.services.update(written), {}};
}

LoadedEvent load_stop_deployment(EventReading& reading, const model::Event& written) {
  return {StopServiceDeployment{reading.services.find(written.named).value_or(0)}, {}};
}

LoadedEvent load_alarm(EventReading& reading, const model::Event& written) {
  return {RaiseAlarm{reading.services.watched_alarm(written.named)}, {}};
}

LoadedEvent load_task_protection(EventReading& reading, const model::Event& written) {
  constexpr std::int64_t kDefaultMinutes = 120;  // API_UpdateTaskProtection, expiresInMinutes
  const auto asked = model::bind_task_protection(written.member, reading.loading.placeholders);
  if (!asked.tasks.known() || !asked.enabled.known()) return {UpdateTaskProtection(), {}};
  const Seconds lasts = asked.expires_in_minutes.value.value_or(kDefaultMinutes) * 60;
  return {UpdateTaskProtection{std::string(*asked.tasks), *asked.enabled ? lasts : 0}, asked.tasks.node};
}

LoadedEvent load_desired_capacity(EventReading& reading, const model::Event& written) {
  auto& loading = reading.loading;
  const auto asked = model::bind_desired_capacity(written.member, loading.placeholders);
  if (!asked.capacity_provider.known() || !asked.desired_capacity.known()) return {SetDesiredCapacity(), {}};
  SetDesiredCapacity event{std::string(*asked.capacity_provider), *asked.desired_capacity};
  const auto& providers = reading.file.capacity_providers;
  const auto provider = std::find_if(providers.begin(), providers.end(),
                                     [&](const auto& one) { return one.name.value == event.capacity_provider; });
  if (provider == providers.end()) {
    std::vector<std::string_view> known;
    for (const auto& one : providers) known.push_back(one.name.value.value_or(""));
    loading.sources.fail(asked.capacity_provider.node,
                         fmt::format("no capacity provider '{}'", event.capacity_provider),
                         known.empty() ? "list it under capacityProviders, with its autoScalingGroup"
                                       : help_among(loading, event.capacity_provider, known, "capacity providers are"));
  } else if (!provider->auto_scaling_group.node) {
    loading.sources.fail(asked.capacity_provider.node,
                         fmt::format("'{}' has no Auto Scaling group", event.capacity_provider),
                         provider->managed_instances.present()
                             ? "Managed Instances have no desired capacity: they come for tasks that wait"
                             : "set its autoScalingGroup");
  } else if (const auto group = find_group(loading.scenario.timetable, event.capacity_provider)) {
    if (auto refused = loading.scenario.timetable.groups[*group].find_capacity_error(event.desired_capacity))
      loading.sources.fail_with(asked.desired_capacity.node, std::move(*refused));
  }
  return {std::move(event), asked.capacity_provider.node};
}

struct EventKey {
  std::string_view key;
  LoadedEvent (*load)(EventReading& reading, const model::Event& written);
};

/// What an entry of `events` can say, in the order in which an error lists it.
constexpr auto kEventKeys = std::to_array<EventKey>({
    {"addInstances", load_add},
    {"drain", load_named<DrainInstances, &DrainInstances::pattern>},
    {"terminate", load_named<TerminateInstances, &TerminateInstances::pattern>},
    {"loseAvailabilityZone", load_named<LoseAvailabilityZone, &LoseAvailabilityZone::zone>},
    {"updateService", load_update},
    {"stopTask", load_named<StopTasks, &StopTasks::pattern>},
    {"stopServiceDeployment", load_stop_deployment},
    {"raiseAlarm", load_alarm},
    {"interruptSpotInstances", load_named<InterruptSpotInstances, &InterruptSpotInstances::pattern>},
    {"recommendRebalance", load_named<RecommendRebalance, &RecommendRebalance::pattern>},
    {"setDesiredCapacity", load_desired_capacity},
    {"updateTaskProtection", load_task_protection},
});
static_assert(kEventKeys.size() == std::variant_size_v<TimelineEvent>, "each event of a run has one key");

/// The key of the one member that says what happens; null with the error noted.
const EventKey* key_of(Loading& loading, Value event) {
  const EventKey* found = nullptr;
  for (const Value member : event.children()) {
    const auto* const key = std::find_if(kEventKeys.begin(), kEventKeys.end(),
                                         [&](const EventKey& one) { return one.key == member.key(); });
    if (key == kEventKeys.end()) continue;
    if (found != nullptr) {
      loading.sources.fail(member,
                           fmt::format("an event must be one thing, but this is two: {} and {}", found->key, key->key),
                           "write an event for each; those of one time happen in the order of the file");
      return nullptr;
    }
    found = key;
  }
  if (found != nullptr) return found;
  std::vector<std::string_view> keys;
  for (const auto& one : kEventKeys) keys.push_back(one.key);
  loading.sources.fail(event, "the event does not say what happens", "add one of " + one_of(keys));
  return nullptr;
}

/// An entry whose key and time are known. A scheduled one is due several times.
struct DueEntry {
  Seconds at = 0;
  const EventKey* key = nullptr;
  model::Event written;
  bool is_repetition = false;
};

std::vector<DueEntry> in_time_order(Loading& loading, Value events) {
  std::vector<DueEntry> due;
  for (const Value node : events.children()) {
    const auto* key = key_of(loading, node);
    const auto written = model::bind_event(node, key == nullptr ? "" : key->key, loading.placeholders);
    const auto at = read_duration(loading, written.at, {});
    if (key == nullptr || !at) continue;
    const auto times = times_of(loading, *at, written.every);
    for (const Seconds time : times) due.push_back({time, key, written, time != times.front()});
  }
  std::stable_sort(due.begin(), due.end(), [](const DueEntry& a, const DueEntry& b) { return a.at < b.at; });
  return due;
}

}  // namespace

void add_events(Loading& loading, const model::ScenarioFile& written) {
  if (!written.events || written.events.size() == 0) return;
  UpdatedServices services(loading, written);
  EventReading reading{loading, written, services};
  std::vector<NamedSubject> named;
  for (const auto& due : in_time_order(loading, written.events)) {
    if (due.is_repetition && loading.sources.has_errors()) continue;  // which its first time may have
    auto loaded = due.key->load(reading, due.written);
    const auto origin = find_origin(loading.sources, due.written.node);
    loading.scenario.timetable.events.push_back({due.at, std::move(loaded.event), origin});
    named.push_back({loaded.named, due.is_repetition});
  }
  const auto& events = loading.scenario.timetable.events;
  const bool protects = std::any_of(events.begin(), events.end(), [](const TimedEvent& one) {
    return std::holds_alternative<UpdateTaskProtection>(one.event);
  });
  if (protects) {
    assume(loading.scenario, "protection-while-draining", {},
           "protected tasks move from a draining instance like others; ECS documents protection from scale-in and "
           "deployments only");
  }
  if (!loading.is_incomplete) check_subjects(loading, named);
}

}  // namespace bayplan::scenario

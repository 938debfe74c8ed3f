// events -> Timetable::events.
#include <algorithm>
#include <array>

#include "base/edit_distance.hpp"
#include "base/fill.hpp"
#include "base/strings.hpp"
#include "placement/event_subjects.hpp"
#include "placement/load_timetable.hpp"

namespace bayplan::placement {

using text::Value;

namespace {

constexpr std::array<std::string_view, 6> kKeys{"addInstances",         "drain",         "terminate",
                                                "loseAvailabilityZone", "updateService", "stopTask"};

/// The key of the one member that says what happens; nothing with the error noted.
std::optional<std::string_view> key_of(Loading& loading, Value event) {
  std::optional<std::string_view> found;
  for (const Value member : event.children()) {
    const auto* const key = std::find(kKeys.begin(), kKeys.end(), member.key());
    if (key == kKeys.end()) continue;
    if (found) {
      loading.sources.fail(member, fill("an event is one thing, and this is two: {} and {}", {*found, *key}),
                           "write an event for each; those of one time happen in the order of the file");
      return std::nullopt;
    }
    found = *key;
  }
  if (found) return found;
  loading.sources.fail(event, "the event does not say what happens",
                       "add one of " + one_of(std::vector(kKeys.begin(), kKeys.end())));
  return std::nullopt;
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

class EventLoader {
 public:
  EventLoader(Loading& loading, const model::Scenario& written)
      : loading_(loading), services_(written.services.items), newest_(services_.size()) {
    for (const auto& plan : loading.scenario.timetable.services) {
      const auto index = index_of(loading.scenario.workloads[plan.workload].name);
      if (index) newest_[*index] = plan.workload;
    }
  }

  void run(Value events) {
    for (const auto& due : in_time_order(events)) add(due);
    if (!loading_.is_incomplete) check_subjects(loading_, named_);
  }

 private:
  struct Due {
    Seconds at = 0;
    std::string_view key;
    model::Event written;
  };

  std::vector<Due> in_time_order(Value events) {
    std::vector<Due> due;
    for (const Value node : events.children()) {
      const auto key = key_of(loading_, node);
      const auto written = model::bind_event(node, loading_.placeholders);
      const auto at = read_duration(loading_, written.at, {});
      if (key && at) due.push_back({*at, *key, written});
    }
    std::stable_sort(due.begin(), due.end(), [](const Due& a, const Due& b) { return a.at < b.at; });
    return due;
  }

  void add(const Due& due) {
    const auto& written = due.written;
    Value named;
    const auto name = [&](const auto& member) {
      if (!member.known()) return std::string();
      named = member.node;
      return std::string(*member);
    };
    TimedEvent timed{due.at, {}, origin_of(loading_.sources, written.node)};
    if (due.key == "addInstances") {
      timed.event = instances_to_add(written, named);
    } else if (due.key == "drain") {
      timed.event = DrainInstances{{}, name(written.drain)};
    } else if (due.key == "terminate") {
      timed.event = TerminateInstances{{}, name(written.terminate)};
    } else if (due.key == "loseAvailabilityZone") {
      timed.event = LoseAvailabilityZone{name(written.lose_availability_zone)};
    } else if (due.key == "stopTask") {
      timed.event = StopTasks{name(written.stop_task)};
    } else {
      timed.event = service_update(written);
    }
    named_.push_back(named);
    loading_.scenario.timetable.events.push_back(std::move(timed));
  }

  /// `named`: where it names one of them, if it does.
  AddInstances instances_to_add(const model::Event& event, Value& named) {
    const auto entry = model::bind_container_instance(event.add_instances, loading_.placeholders);
    if (entry.status && *entry.status != "ACTIVE") {
      fail(entry.status.node, fill("instances that are added are ACTIVE, not {}", {*entry.status}),
           "leave status out; an event may drain them");
    }
    AddInstances added;
    const auto pattern = entry.instance_type ? pattern_of(loading_, entry) : std::nullopt;
    if (!pattern) return added;
    for (const std::uint32_t profile : deal(loading_, entry, *pattern))
      added.instances.push_back({pattern->ec2_instance_id, profile});
    named = entry.ec2_instance_id.node;
    return added;
  }

  std::optional<std::size_t> index_of(std::string_view service) const {
    const auto found = std::find_if(services_.begin(), services_.end(),
                                    [&](const auto& one) { return one.service_name.value == service; });
    if (found == services_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - services_.begin());
  }

  UpdateService service_update(const model::Event& event) {
    UpdateService made;
    const auto update = model::bind_service_update(event.update_service, loading_.placeholders);
    if (!update.service_name) return made;
    const auto index = index_of(*update.service_name);
    if (!index) {
      fail_unknown(update);
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
    if (service.is_daemon() && update.desired_count.present()) {
      fail(update.desired_count.node, fill("'{}' is a DAEMON service and has no desiredCount", {*update.service_name}),
           "it runs a task on each instance that its constraints allow");
    }
    merge(update, service);
    if (newest_[*index]) made.workload = deployment_workload(update, *index);
    return made;
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
    workload->origin = origin_of(loading_.sources, update.node);
    newest_[index] =
        add_workload(loading_, std::move(*workload), services_[index].start_delay, services_[index].duration);
    return newest_[index];
  }

  /// What asks for tasks that the update does not start.
  void refuse_without_deployment(const model::ServiceUpdate& update, const Workload& wanted, const Workload& before) {
    constexpr std::string_view kForce = "add forceNewDeployment: true";
    const auto& timing = update.start_delay.present() ? update.start_delay : update.duration;
    if (timing.present()) {
      fail(timing.node,
           fill("{} is of the tasks of a new deployment, and this update starts none", {timing.node.key()}),
           std::string(kForce));
    }
    const auto check = [&](Value member, bool is_as_before) {
      if (!member || is_as_before) return;
      fail(member,
           fill("ECS starts no deployment for a change of {}, and without one it is not simulated", {member.key()}),
           std::string(kForce));
    };
    check(update.placement_strategy.node, wanted.strategies == before.strategies);
    check(update.placement_constraints.node, are_alike(wanted.constraints, before.constraints));
    check(update.capacity_provider_strategy.node, are_alike(wanted.capacity_providers, before.capacity_providers));
  }

  void fail_unknown(const model::ServiceUpdate& update) {
    std::vector<std::string_view> names;
    if (gives_hints(loading_)) {
      for (const auto& service : services_) names.push_back(service.service_name.value.value_or(""));
    }
    fail(update.service_name.node, fill("no service '{}'", {*update.service_name}),
         services_.empty() ? "list it under services"
                           : help_among(loading_, *update.service_name, names, "services are"));
  }

  void fail(Value at, std::string message, std::string help) {
    loading_.sources.fail(at, std::move(message), std::move(help));
  }

  Loading& loading_;
  std::vector<model::Service> services_;              ///< As they are after the updates so far.
  std::vector<std::optional<std::uint32_t>> newest_;  ///< Workload of the newest deployment; nothing when it has none.
  std::vector<Value> named_;                          ///< By event: where it names what it is about.
};

}  // namespace

void add_events(Loading& loading, const model::Scenario& written) {
  if (!written.events || written.events.size() == 0) return;
  EventLoader(loading, written).run(written.events);
}

}  // namespace bayplan::placement

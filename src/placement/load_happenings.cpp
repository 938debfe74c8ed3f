// events -> Timetable::happenings.
#include <algorithm>
#include <array>

#include "base/edit_distance.hpp"
#include "base/fill.hpp"
#include "base/strings.hpp"
#include "placement/happening_subjects.hpp"
#include "placement/load_timetable.hpp"

namespace bayplan::placement {

using text::Value;

namespace {

struct HappeningEntry {
  HappeningKind kind;
  std::string_view key;
};
constexpr std::array kKinds{HappeningEntry{HappeningKind::kAddInstances, "addInstances"},
                            HappeningEntry{HappeningKind::kDrain, "drain"},
                            HappeningEntry{HappeningKind::kTerminate, "terminate"},
                            HappeningEntry{HappeningKind::kLoseAvailabilityZone, "loseAvailabilityZone"},
                            HappeningEntry{HappeningKind::kUpdateService, "updateService"},
                            HappeningEntry{HappeningKind::kStopTask, "stopTask"}};

/// The one member that says what happens; nothing with the error noted.
std::optional<HappeningEntry> kind_of(Loading& loading, Value event) {
  std::optional<HappeningEntry> found;
  for (const Value member : event.children()) {
    const auto kind =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const HappeningEntry& one) { return one.key == member.key(); });
    if (kind == kKinds.end()) continue;
    if (found) {
      loading.sources.fail(member, fill("an event is one thing, and this is two: {} and {}", {found->key, kind->key}),
                           "write an event for each; those of one time happen in the order of the file");
      return std::nullopt;
    }
    found = *kind;
  }
  if (found) return found;
  std::vector<std::string_view> keys;
  for (const auto& kind : kKinds) keys.push_back(kind.key);
  loading.sources.fail(event, "the event does not say what happens", "add one of " + one_of(keys));
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

class HappeningLoader {
 public:
  HappeningLoader(Loading& loading, const model::Scenario& written)
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
    HappeningKind kind = HappeningKind::kDrain;
    model::Event written;
  };

  std::vector<Due> in_time_order(Value events) {
    std::vector<Due> due;
    for (const Value node : events.children()) {
      const auto kind = kind_of(loading_, node);
      const auto written = model::bind_event(node, loading_.placeholders);
      const auto at = read_duration(loading_, written.at, {});
      if (kind && at) due.push_back({*at, kind->kind, written});
    }
    std::stable_sort(due.begin(), due.end(), [](const Due& a, const Due& b) { return a.at < b.at; });
    return due;
  }

  void add(const Due& due) {
    Happening happening;
    happening.at = due.at;
    happening.kind = due.kind;
    happening.origin = origin_of(loading_.sources, due.written.node);
    const auto& written = due.written;
    Value named;
    for (const auto* subject :
         {&written.drain, &written.terminate, &written.lose_availability_zone, &written.stop_task}) {
      if (!subject->known()) continue;
      happening.subject = **subject;
      named = subject->node;
    }
    if (due.kind == HappeningKind::kAddInstances) named = add_instances(written, happening);
    if (due.kind == HappeningKind::kUpdateService) update_service(written, happening);
    named_.push_back(named);
    loading_.scenario.timetable.happenings.push_back(std::move(happening));
  }

  /// Where it names one of them, if it does.
  Value add_instances(const model::Event& event, Happening& happening) {
    const auto entry = model::bind_container_instance(event.add_instances, loading_.placeholders);
    if (entry.status && *entry.status != "ACTIVE") {
      fail(entry.status.node, fill("instances that are added are ACTIVE, not {}", {*entry.status}),
           "leave status out; an event may drain them");
    }
    const auto pattern = entry.instance_type ? pattern_of(loading_, entry) : std::nullopt;
    if (!pattern) return {};
    happening.profiles = deal(loading_, entry, *pattern);
    happening.instance_id = pattern->ec2_instance_id;
    return entry.ec2_instance_id.node;
  }

  std::optional<std::size_t> index_of(std::string_view service) const {
    const auto found = std::find_if(services_.begin(), services_.end(),
                                    [&](const auto& one) { return one.service_name.value == service; });
    if (found == services_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - services_.begin());
  }

  void update_service(const model::Event& event, Happening& happening) {
    const auto update = model::bind_service_update(event.update_service, loading_.placeholders);
    if (!update.service_name) return;
    const auto index = index_of(*update.service_name);
    if (!index) return fail_unknown(update);
    auto& service = services_[*index];
    happening.service = static_cast<std::uint32_t>(*index);
    happening.desired_count = update.desired_count.value;
    happening.minimum_healthy_percent = update.minimum_healthy_percent.value;
    happening.maximum_percent = update.maximum_percent.value;
    const auto& rebalancing = update.availability_zone_rebalancing;
    if (rebalancing.known()) happening.rebalances = *rebalancing != "DISABLED";
    if (update.circuit_breaker.node) happening.circuit_breaker = circuit_breaker_of(update.circuit_breaker);
    if (service.is_daemon() && update.desired_count.present()) {
      fail(update.desired_count.node, fill("'{}' is a DAEMON service and has no desiredCount", {*update.service_name}),
           "it runs a task on each instance that its constraints allow");
    }
    merge(update, service);
    if (newest_[*index]) add_deployment(update, *index, happening);
  }

  void add_deployment(const model::ServiceUpdate& update, std::size_t index, Happening& happening) {
    auto workload = service_workload(loading_, services_[index]);
    if (!workload) return;
    check_percents(loading_, services_[index], *workload);
    const Workload& before = loading_.scenario.workloads[*newest_[index]];
    if (!update.force_new_deployment.value.value_or(false) && !starts_deployment(*workload, before))
      return refuse_without_deployment(update, *workload, before);
    workload->origin = origin_of(loading_.sources, update.node);
    newest_[index] =
        add_workload(loading_, std::move(*workload), services_[index].start_delay, services_[index].duration);
    happening.workload = newest_[index];
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
  std::vector<Value> named_;                          ///< By happening: where it names what it is about.
};

}  // namespace

void add_happenings(Loading& loading, const model::Scenario& written) {
  if (!written.events || written.events.size() == 0) return;
  HappeningLoader(loading, written).run(written.events);
}

}  // namespace bayplan::placement

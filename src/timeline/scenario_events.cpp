#include "timeline/scenario_events.hpp"

#include <algorithm>

#include "base/fill.hpp"
#include "base/glob.hpp"
#include "base/pattern.hpp"

namespace bayplan::timeline {
namespace {

/// What an event names: one thing by its name, which is the most frequent and is compared at once, or all that a glob
/// matches.
class NamedSubject {
 public:
  explicit NamedSubject(const std::string& pattern) : pattern_(pattern), is_glob_(is_glob(pattern)) {}
  bool is(const std::string& name) const { return is_glob_ ? glob_matches(pattern_, name) : pattern_ == name; }

 private:
  const std::string& pattern_;
  bool is_glob_;
};

/// The instances that an event is about: by index, or by name.
template <class Event>
class NamedInstances {
 public:
  NamedInstances(const Event& event, const History& history)
      : event_(event), history_(history), named_(event.pattern) {}
  bool include(std::uint32_t instance) const {
    if (event_.pattern.empty()) return std::binary_search(event_.instances.begin(), event_.instances.end(), instance);
    return named_.is(history_.instances[instance].id);
  }

 private:
  const Event& event_;
  const History& history_;
  NamedSubject named_;
};

}  // namespace

Seconds ScenarioEvents::next() const {
  const auto& all = cluster_.timetable().events;
  return next_ < all.size() ? all[next_].at : kNever;
}

bool ScenarioEvents::apply_due() {
  while (next() == cluster_.now) {
    const std::uint32_t index = next_++;
    const auto& timed = cluster_.timetable().events[index];
    if (!std::visit([&](const auto& event) { return apply(index, event); }, timed.event)) return false;
  }
  return true;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::AddInstances& event) {
  for (const auto& instance : event.instances) {
    const auto& zone = cluster_.scenario().profiles[instance.profile].availability_zone;
    if (groups_.is_lost(zone)) return contradict(index, fill("availability zone {} is lost by then", {zone}));
  }
  for (const auto& instance : event.instances) {
    const auto id = instance.id.empty() ? groups_.next_id(instance.profile) : instance.id;
    cluster_.activate(cluster_.launch(instance.profile, kNoIndex, id, kNoIndex));
  }
  return true;
}

bool ScenarioEvents::nothing_named(std::uint32_t index, bool was_there, std::string_view what) {
  const auto& subject = placement::named_subject(cluster_.timetable().events[index].event);
  if (was_there || is_glob(subject)) {
    cluster_.log({.kind = EventKind::kNothingNamed, .subject = index});
    return true;
  }
  return contradict(index, fill("{}: {}", {subject, what}));
}

bool ScenarioEvents::contradict(std::uint32_t index, std::string_view what) {
  const auto& at = cluster_.timetable().events[index].origin;
  cluster_.history().errors.push_back({.message = fill("at {}: {}", {placement::duration_text(cluster_.now), what}),
                                       .file = at.file,
                                       .line = at.line,
                                       .column = at.column,
                                       .help = "let the event happen at another time, or name what is there by then"});
  return false;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::DrainInstances& event) {
  const NamedInstances named(event, cluster_.history());
  bool found = false;
  bool was_there = false;
  bool boots = false;
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    if (!named.include(i)) continue;
    const auto stage = cluster_.instance(i).stage;
    boots |= stage == InstanceStage::kBooting;
    was_there |= stage != InstanceStage::kBooting;
    if (stage != InstanceStage::kActive) continue;
    found = true;
    cluster_.drain(i, kNoIndex);
  }
  return found || nothing_named(index, was_there, boots ? "this instance is not ACTIVE yet" : "no such instance yet");
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::TerminateInstances& event) {
  const NamedInstances named(event, cluster_.history());
  bool found = false;
  bool was_there = false;
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    if (!named.include(i)) continue;
    was_there = true;
    if (cluster_.instance(i).stage == InstanceStage::kGone) continue;
    found = true;
    cluster_.terminate(i, kNoIndex);
  }
  return found || nothing_named(index, was_there, "no such instance yet");
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::LoseAvailabilityZone& event) {
  if (groups_.is_lost(event.zone)) {
    cluster_.log({.kind = EventKind::kNothingNamed, .subject = index});
    return true;
  }
  groups_.lose_zone(event.zone);
  const std::uint32_t lost = cluster_.log({.kind = EventKind::kZoneLost, .subject = index});
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    const bool is_there = cluster_.instance(i).stage != InstanceStage::kGone;
    if (is_there && cluster_.profile(i).availability_zone == event.zone) cluster_.terminate(i, lost);
  }
  return true;
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::UpdateService& event) {
  const std::uint32_t updated = cluster_.log({.kind = EventKind::kServiceUpdated, .subject = index});
  services_[event.service]->update(event, updated);
  return true;
}

std::string ScenarioEvents::name_of_task(std::uint32_t task) const {
  const auto& own = cluster_.task(task);
  if (own.running != kNoIndex) return cluster_.scenario().running[own.running].id;
  return cluster_.scenario().workloads[own.workload].name + "#" + std::to_string(own.number);
}

bool ScenarioEvents::apply(std::uint32_t index, const placement::StopTasks& event) {
  const NamedSubject named(event.pattern);
  bool found = false;
  bool was_there = false;
  const auto count = static_cast<std::uint32_t>(cluster_.history().tasks.size());
  for (std::uint32_t task = 0; task < count; ++task) {
    if (!named.is(name_of_task(task))) continue;
    was_there = true;
    if (!cluster_.is_up(task) && !cluster_.wants_place(task)) continue;
    found = true;
    cluster_.stop(task, StopCause::kStopTask, kNoIndex);
  }
  return found || nothing_named(index, was_there, "no such task yet");
}

}  // namespace bayplan::timeline

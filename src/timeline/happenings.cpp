#include "timeline/happenings.hpp"

#include "base/fill.hpp"
#include "base/glob.hpp"
#include "base/pattern.hpp"

namespace bayplan::timeline {
namespace {

/// What an event names: one thing by its name, which is the most frequent and is compared at once, or all that a glob
/// matches.
class NamedSubject {
 public:
  explicit NamedSubject(const std::string& subject) : subject_(subject), is_glob_(is_glob(subject)) {}
  bool is(const std::string& name) const { return is_glob_ ? glob_matches(subject_, name) : subject_ == name; }

 private:
  const std::string& subject_;
  bool is_glob_;
};

}  // namespace

using placement::HappeningKind;

Seconds Happenings::next() const {
  const auto& all = cluster_.timetable().happenings;
  return next_ < all.size() ? all[next_].at : kNever;
}

bool Happenings::happen() {
  while (next() == cluster_.now) {
    if (!happen(next_++)) return false;
  }
  return true;
}

bool Happenings::happen(std::uint32_t index) {
  const auto& happening = cluster_.timetable().happenings[index];
  switch (happening.kind) {
    case HappeningKind::kAddInstances:
      return add_instances(index);
    case HappeningKind::kDrain:
      return drain(index);
    case HappeningKind::kTerminate:
      return terminate(index);
    case HappeningKind::kLoseAvailabilityZone:
      return lose_zone(index);
    case HappeningKind::kUpdateService:
      return update_service(index);
    case HappeningKind::kStopTask:
      return stop_tasks(index);
  }
  return true;
}

bool Happenings::add_instances(std::uint32_t index) {
  const auto& happening = cluster_.timetable().happenings[index];
  for (const std::uint32_t profile : happening.profiles) {
    const auto& zone = cluster_.scenario().profiles[profile].availability_zone;
    if (groups_.is_lost(zone)) return contradict(index, fill("availability zone {} is lost by then", {zone}));
  }
  for (const std::uint32_t profile : happening.profiles) {
    const bool is_named = !happening.instance_id.empty();
    const auto id = is_named ? happening.instance_id : groups_.next_id(profile);
    cluster_.activate(cluster_.launch(profile, kNoIndex, id, kNoIndex));
  }
  return true;
}

bool Happenings::nobody(std::uint32_t index, bool was_there, std::string_view what) {
  const auto& happening = cluster_.timetable().happenings[index];
  if (was_there || is_glob(happening.subject)) {
    cluster_.log({.kind = EventKind::kNothingNamed, .subject = index});
    return true;
  }
  return contradict(index, fill("{}: {}", {happening.subject, what}));
}

bool Happenings::contradict(std::uint32_t index, std::string_view what) {
  const auto& at = cluster_.timetable().happenings[index].origin;
  cluster_.history().errors.push_back({.message = fill("at {}: {}", {placement::duration_text(cluster_.now), what}),
                                       .file = at.file,
                                       .line = at.line,
                                       .column = at.column,
                                       .help = "let the event happen at another time, or name what is there by then"});
  return false;
}

bool Happenings::drain(std::uint32_t index) {
  const auto& happening = cluster_.timetable().happenings[index];
  const NamedSubject named(happening.subject);
  bool found = false;
  bool was_there = false;
  bool boots = false;
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    if (!named.is(cluster_.history().instances[i].id)) continue;
    const auto stage = cluster_.instance(i).stage;
    boots |= stage == InstanceStage::kBooting;
    was_there |= stage != InstanceStage::kBooting;
    if (stage != InstanceStage::kActive) continue;
    found = true;
    cluster_.drain(i, kNoIndex);
  }
  return found || nobody(index, was_there, boots ? "this instance is not ACTIVE yet" : "no such instance yet");
}

bool Happenings::terminate(std::uint32_t index) {
  const auto& happening = cluster_.timetable().happenings[index];
  const NamedSubject named(happening.subject);
  bool found = false;
  bool was_there = false;
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    if (!named.is(cluster_.history().instances[i].id)) continue;
    was_there = true;
    if (cluster_.instance(i).stage == InstanceStage::kGone) continue;
    found = true;
    cluster_.terminate(i, kNoIndex);
  }
  return found || nobody(index, was_there, "no such instance yet");
}

bool Happenings::lose_zone(std::uint32_t index) {
  const auto& zone = cluster_.timetable().happenings[index].subject;
  if (groups_.is_lost(zone)) {
    cluster_.log({.kind = EventKind::kNothingNamed, .subject = index});
    return true;
  }
  groups_.lose_zone(zone);
  const std::uint32_t event = cluster_.log({.kind = EventKind::kZoneLost, .subject = index});
  for (std::uint32_t i = 0; i < cluster_.instance_count(); ++i) {
    const bool is_there = cluster_.instance(i).stage != InstanceStage::kGone;
    if (is_there && cluster_.profile(i).availability_zone == zone) cluster_.terminate(i, event);
  }
  return true;
}

bool Happenings::update_service(std::uint32_t index) {
  const auto& happening = cluster_.timetable().happenings[index];
  const std::uint32_t event = cluster_.log({.kind = EventKind::kServiceUpdated, .subject = index});
  services_[happening.service]->update(happening, event);
  return true;
}

std::string Happenings::name_of_task(std::uint32_t task) const {
  const auto& own = cluster_.task(task);
  if (own.running != kNoIndex) return cluster_.scenario().running[own.running].id;
  return cluster_.scenario().workloads[own.workload].name + "#" + std::to_string(own.number);
}

bool Happenings::stop_tasks(std::uint32_t index) {
  const auto& happening = cluster_.timetable().happenings[index];
  const NamedSubject named(happening.subject);
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
  return found || nobody(index, was_there, "no such task yet");
}

}  // namespace bayplan::timeline

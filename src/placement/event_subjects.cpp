#include "placement/event_subjects.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/edit_distance.hpp"
#include "base/fill.hpp"
#include "base/glob.hpp"
#include "base/strings.hpp"
#include "placement/load_timetable.hpp"

namespace bayplan::placement {

using text::Value;

namespace {

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

std::string help_of(std::string_view word, const std::vector<std::string_view>& known, std::string otherwise) {
  const auto near = nearest(word, known);
  return near ? fill("did you mean '{}'?", {*near}) : std::move(otherwise);
}

std::string never_more(std::int64_t count, std::string_view what, std::string_view of) {
  return fill("there {} never more than {} of {}", {count == 1 ? "is" : "are", count_of(count, what), of});
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
  std::optional<std::size_t> position_of(std::string_view id) const {
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
    return help_of(id, known, "instances are named by id, or by a glob such as p3.2xlarge#*");
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
  std::map<std::string, Numbers, std::less<>> numbers_;  ///< By type.
};

class SubjectChecker {
 public:
  explicit SubjectChecker(Loading& loading)
      : loading_(loading), scenario_(loading.scenario), instances_(loading.scenario) {
    for (const auto& profile : scenario_.profiles) zones_.insert(profile.availability_zone);
    zones_.erase("");
    for (const auto& task : scenario_.running) running_.insert(task.id);
    for (const auto& workload : scenario_.workloads) {
      auto& tasks = tasks_[workload.name];
      tasks.count += workload.count.value_or(0);
      tasks.is_service |= workload.kind != WorkloadKind::kTasks;
    }
  }

  void run(const std::vector<Value>& named) {
    const auto& events = scenario_.timetable.events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      const auto* added = std::get_if<AddInstances>(&events[i].event);
      if (added == nullptr || added->instances.empty() || instances_.add(*added, i + 1, scenario_)) continue;
      fail(named[i], fill("ec2InstanceId '{}' is given twice", {added->instances.front().id}),
           "each instance has its own");
    }
    for (std::size_t i = 0; i < events.size(); ++i) check(events[i], i + 1, named[i]);
  }

 private:
  struct Tasks {
    std::int64_t count = 0;
    bool is_service = false;  ///< As many as its service starts.
  };

  void check(const TimedEvent& timed, std::size_t position, Value at) {
    const auto& event = timed.event;
    const auto& subject = named_subject(event);
    if (is_glob(subject)) return;
    if (std::holds_alternative<DrainInstances>(event) || std::holds_alternative<TerminateInstances>(event)) {
      check_instance(subject, timed.at, position, at);
    } else if (std::holds_alternative<LoseAvailabilityZone>(event)) {
      check_zone(subject, at);
    } else if (std::holds_alternative<StopTasks>(event)) {
      check_task(subject, at);
    }
  }

  void check_instance(const std::string& id, Seconds when, std::size_t position, Value at) {
    const auto from = instances_.position_of(id);
    if (!from) return fail(at, fill("no instance '{}'", {id}), instances_.help(id, gives_hints(loading_)));
    if (*from < position) return;
    const auto& added = scenario_.timetable.events[*from - 1];
    if (added.at == when) {
      fail(at, fill("instance '{}' is added by a later event of the same time", {id}),
           "events of one time happen in the order of the file");
    } else {
      fail(at, fill("instance '{}' is added only at {}", {id, duration_text(added.at)}),
           fill("this event is at {}", {duration_text(when)}));
    }
  }

  void check_zone(const std::string& zone, Value at) {
    if (zones_.contains(zone)) return;
    std::vector<std::string_view> known;
    if (gives_hints(loading_)) known.assign(zones_.begin(), zones_.end());
    fail(at, fill("no instance and no group is in zone '{}'", {zone}),
         zones_.empty() ? "none states its zone" : help_among(loading_, zone, known, "zones are"));
  }

  void check_task(const std::string& task, Value at) {
    if (running_.contains(task)) return;
    const auto parts = numbered(task);
    const auto found = parts ? tasks_.find(parts->name) : tasks_.find(task);
    if (found == tasks_.end()) {
      std::vector<std::string_view> names;
      for (auto one = tasks_.begin(); gives_hints(loading_) && one != tasks_.end(); ++one) names.push_back(one->first);
      return fail(at, fill("no task '{}'", {task}),
                  help_of(parts ? parts->name : std::string_view(task), names,
                          "tasks are named as in reports, for example train#1, or by a glob such as train#*"));
    }
    const auto& [name, tasks] = *found;
    if (!parts) return fail(at, fill("no task '{}'", {task}), fill("{}#1 is one of them, {}#* are all", {name, name}));
    if (tasks.is_service || parts->number <= tasks.count) return;
    fail(at, fill("no task '{}'", {task}), never_more(tasks.count, "task", name));
  }

  void fail(Value at, std::string message, std::string help) {
    loading_.sources.fail(at, std::move(message), std::move(help));
  }

  Loading& loading_;
  const Scenario& scenario_;
  InstanceNames instances_;
  std::set<std::string, std::less<>> zones_;
  std::set<std::string, std::less<>> running_;       ///< Ids of tasks that run before the start.
  std::map<std::string, Tasks, std::less<>> tasks_;  ///< By workload's name.
};

}  // namespace

void check_subjects(Loading& loading, const std::vector<Value>& named) {
  SubjectChecker(loading).run(named);
}

}  // namespace bayplan::placement

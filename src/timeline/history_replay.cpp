#include "timeline/history_replay.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "timeline/tasks.hpp"

namespace bayplan::timeline {

using placement::InstanceStatus;

namespace {

/// Goes through a log once and measures. Its state is that of tasks, instances and groups at the time of the event.
class HistoryReplay {
 public:
  HistoryReplay(const placement::Scenario& scenario, const History& history, Figures& figures);

  void run();

 private:
  enum class Stage : std::uint8_t { kNone, kWaiting, kProvisioning, kStarting, kInJob, kRunning, kStopping, kDone };
  enum class Standing : std::uint8_t { kNotYet, kBooting, kActive, kDraining, kElsewhere, kGone };

  struct Place {
    Standing standing = Standing::kNotYet;
    std::int64_t busy = 0;                       ///< Tasks that are no daemon's.
    std::int64_t cpu = 0, memory = 0, gpus = 0;  ///< Reserved.
    Seconds idle_since = 0;
  };
  struct Members {
    std::int64_t all = 0;
    std::int64_t idle = 0;
    std::int64_t provisioning = 0;  ///< Tasks of its capacity provider.
    bool changed = false;
    Surplus open;
  };

  static bool holds(Stage stage) { return stage >= Stage::kStarting && stage <= Stage::kStopping; }
  static bool takes_tasks(const Place& place) {
    return place.standing == Standing::kActive || place.standing == Standing::kDraining;
  }
  static bool is_idle(const Place& place) { return takes_tasks(place) && place.busy == 0; }
  /// What its group does not need: it is idle, or boots and never gets a task.
  bool is_spare(std::uint32_t instance) const {
    const Place& place = places_[instance];
    return is_idle(place) || (place.standing == Standing::kBooting && !is_used_[instance]);
  }
  std::int64_t& level(Level which) { return levels_[static_cast<std::size_t>(which)]; }
  const placement::InstanceProfile& profile_of(std::uint32_t instance) const {
    return scenario_.profiles[history_.instances[instance].profile];
  }

  void begin();
  void begin_use(std::uint32_t instance);
  void advance(Seconds to);
  void fill_buckets(Seconds to);
  void apply(const Event& event);
  void end();

  void change(std::uint32_t task, Stage stage);
  std::optional<std::size_t> group_of(const Task& task) const;
  void count_full(Seconds to);
  void count_queue(std::uint32_t task, Stage from, Stage to);
  void count(const Task& task, Stage stage, std::int64_t sign);
  void hold(const Task& task, std::int64_t sign);
  void reserve(Place& place, std::int64_t cpu, std::int64_t memory, std::int64_t gpus);
  void start_job(std::uint32_t job);

  void change(std::uint32_t instance, Standing standing);
  void count(std::uint32_t instance, Standing standing, std::int64_t sign);
  void end_idle(std::uint32_t instance, const Place& place);
  void add_busy(std::uint32_t instance, std::int64_t more);
  void add_member(std::uint32_t instance, std::int64_t all, std::int64_t idle);
  void look_at_groups();
  void close(GroupUse& use, Members& members);

  const placement::Scenario& scenario_;
  const History& history_;
  Figures& figures_;
  Requirements requirements_;
  Seconds now_ = 0;
  std::int64_t queue_ = 0;  ///< Tasks in the queue: those that wait and are no service's.
  std::array<std::int64_t, kLevels> levels_{};
  std::vector<Stage> stages_;    ///< One entry per task.
  std::vector<Seconds> since_;   ///< One entry per task: whether it has no place.
  std::vector<Place> places_;    ///< One entry per instance.
  std::vector<Members> groups_;  ///< One entry per group.
  std::vector<bool> is_used_;  ///< One entry per instance: whether it holds a task at some time, other than a daemon's.
};

HistoryReplay::HistoryReplay(const placement::Scenario& scenario, const History& history, Figures& figures)
    : scenario_(scenario),
      history_(history),
      figures_(figures),
      requirements_(scenario, history),
      stages_(history.tasks.size()),
      since_(history.tasks.size()),
      places_(history.instances.size()),
      groups_(scenario.timetable.groups.size()),
      is_used_(history.instances.size()) {
  const Seconds last = history.events.empty() ? history.end : std::max(history.end, history.events.back().at);
  figures.series.width = bucket_width(last);
  figures.series.end = last;
  const Seconds buckets = (last + figures.series.width - 1) / figures.series.width;
  figures.series.buckets.resize(static_cast<std::size_t>(std::max<Seconds>(1, buckets)));
  figures.cost.instances.resize(history.instances.size());
  figures.was_behind.resize(history.tasks.size());
  figures.groups.resize(groups_.size());
  for (std::uint32_t i = 0; i < groups_.size(); ++i) figures.groups[i].group = i;
  for (const auto& task : history.tasks) {
    if (task.instance != kNoIndex && !is_daemon(scenario, task)) is_used_[*task.instance] = true;
  }
}

void HistoryReplay::run() {
  begin();
  for (const auto& event : history_.events) {
    if (event.at > now_) advance(event.at);
    apply(event);
  }
  if (history_.end > now_) advance(history_.end);
  end();
}

/// What is there before the first event.
void HistoryReplay::begin() {
  for (std::uint32_t i = 0; i < places_.size(); ++i) {
    const Instance& instance = history_.instances[i];
    const bool is_of_scenario = i < scenario_.instances.size();
    if (!is_of_scenario && (instance.launched_at > 0 || instance.active_at != std::optional<Seconds>(0))) continue;
    const auto status = profile_of(i).status;
    change(i, status == InstanceStatus::kActive     ? Standing::kActive
              : status == InstanceStatus::kDraining ? Standing::kDraining
                                                    : Standing::kElsewhere);
    begin_use(i);
  }
  for (std::uint32_t i = 0; i < history_.tasks.size() && history_.tasks[i].running != kNoIndex; ++i) {
    const Task& task = history_.tasks[i];
    stages_[i] = scenario_.running[*task.running].stopping ? Stage::kStopping : Stage::kRunning;
    count(task, stages_[i], 1);
    if (!is_daemon(scenario_, task)) add_busy(*task.instance, 1);
  }
}

/// What is taken of a live cluster holds what its tasks hold.
void HistoryReplay::begin_use(std::uint32_t instance) {
  const auto* use = instance < scenario_.instances.size() ? scenario_.use_of(instance) : nullptr;
  if (use == nullptr) return;
  const auto& profile = profile_of(instance);
  std::int64_t gpus = 0;
  for (const auto& gpu : use->gpus) {
    if (profile.neuron_devices > 0) break;
    if (gpu.dedicated) {
      gpus += profile.gpu_fraction_millionths;
    } else if (gpu.share_millionths > 0) {
      gpus += gpu.share_millionths;
    } else if (profile.gpu_memory > 0) {
      gpus += gpu.shared_memory * 1'000'000 / profile.gpu_memory;
    }
  }
  reserve(places_[instance], use->cpu, use->memory, gpus);
}

void HistoryReplay::advance(Seconds to) {
  look_at_groups();
  const std::int64_t waiting = level(Level::kWaiting) + level(Level::kProvisioning);
  if (waiting > figures_.worst_waiting) {
    figures_.worst_waiting = waiting;
    figures_.worst_waiting_at = now_;
  }
  const std::int64_t instances = level(Level::kActive) + level(Level::kDraining) + level(Level::kBooting);
  figures_.most_instances = std::max(figures_.most_instances, instances);
  figures_.most_hourly_cost = std::max(figures_.most_hourly_cost, level(Level::kHourlyCost));
  figures_.levels.add(levels_, to - now_);
  count_full(to);
  fill_buckets(to);
  now_ = to;
}

void HistoryReplay::count_full(Seconds to) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (groups_[i].provisioning == 0 || groups_[i].all < scenario_.timetable.groups[i].max_size) continue;
    auto& use = figures_.groups[i];
    if (use.full_seconds == 0) use.full_from = now_;
    use.full_seconds += to - now_;
  }
}

void HistoryReplay::fill_buckets(Seconds to) {
  auto& series = figures_.series;
  const std::int64_t waiting = level(Level::kWaiting) + level(Level::kProvisioning);
  for (Seconds from = now_; from < to;) {
    const Seconds bucket = from / series.width;
    const Seconds until = std::min(to, (bucket + 1) * series.width);
    auto& row = series.buckets[static_cast<std::size_t>(bucket)];
    row.levels.add(levels_, until - from);
    row.worst_waiting = std::max(row.worst_waiting, waiting);
    from = until;
  }
}

void HistoryReplay::apply(const Event& event) {
  switch (event.kind) {
    case EventKind::kTaskPlaced: {
      const auto job = history_.tasks[event.subject].job;
      const bool waits = job != kNoIndex && (!history_.jobs[*job].started_at || *history_.jobs[*job].started_at > now_);
      return change(event.subject, waits ? Stage::kInJob : Stage::kStarting);
    }
    case EventKind::kTaskWaiting:
      return change(event.subject, Stage::kWaiting);
    case EventKind::kTaskProvisioning:
      return change(event.subject, Stage::kProvisioning);
    case EventKind::kTaskRunning:
      return change(event.subject, Stage::kRunning);
    case EventKind::kTaskStopping:
      if (holds(stages_[event.subject])) change(event.subject, Stage::kStopping);
      return;
    case EventKind::kTaskFailed:
    case EventKind::kTaskStopped:
      return change(event.subject, Stage::kDone);
    case EventKind::kJobStarted:
      return start_job(event.subject);
    case EventKind::kInstanceLaunched:
      if (places_[event.subject].standing == Standing::kNotYet) change(event.subject, Standing::kBooting);
      return;
    case EventKind::kInstanceActive:
      return change(event.subject, Standing::kActive);
    case EventKind::kInstanceDraining:
      return change(event.subject, Standing::kDraining);
    case EventKind::kInstanceTerminated:
      return change(event.subject, Standing::kGone);
    default:
      return;
  }
}

void HistoryReplay::end() {
  look_at_groups();
  for (std::uint32_t i = 0; i < stages_.size(); ++i) {
    const Stage stage = stages_[i];
    if (stage == Stage::kWaiting || stage == Stage::kProvisioning)
      figures_.waiting.push_back({i, since_[i], stage == Stage::kProvisioning});
  }
  for (std::uint32_t i = 0; i < places_.size(); ++i) end_idle(i, places_[i]);
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    close(figures_.groups[i], groups_[i]);
    figures_.groups[i].last = groups_[i].all;
  }
}

void HistoryReplay::change(std::uint32_t index, Stage stage) {
  const Task& task = history_.tasks[index];
  Stage& now = stages_[index];
  if (now == stage) return;
  if (stage == Stage::kWaiting || stage == Stage::kProvisioning) since_[index] = now_;
  count_queue(index, now, stage);
  count(task, now, -1);
  if (holds(now) && !holds(stage)) hold(task, -1);
  if (!holds(now) && holds(stage)) hold(task, 1);
  now = stage;
  count(task, now, 1);
}

std::optional<std::size_t> HistoryReplay::group_of(const Task& task) const {
  const auto provider = capacity_provider_of(scenario_, task);
  const auto& groups = scenario_.timetable.groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (!provider.empty() && groups[i].capacity_provider == provider) return i;
  }
  return std::nullopt;
}

void HistoryReplay::count_queue(std::uint32_t task, Stage from, Stage to) {
  const Task& own = history_.tasks[task];
  if (own.running != kNoIndex || scenario_.workloads[*own.workload].kind != placement::WorkloadKind::kTasks) return;
  if (to == Stage::kWaiting) figures_.was_behind[task] = queue_++ > 0;
  if (from == Stage::kWaiting) --queue_;
}

void HistoryReplay::count(const Task& task, Stage stage, std::int64_t sign) {
  const auto add = [&](Level tasks, std::optional<Level> gpus) {
    level(tasks) += sign;
    const auto& requirement = requirements_.of(task);
    if (gpus && requirement.wants_gpu()) level(*gpus) += sign * gpu_millionths(requirement, profile_of(*task.instance));
  };
  switch (stage) {
    case Stage::kWaiting:
      return add(Level::kWaiting, std::nullopt);
    case Stage::kProvisioning:
      if (const auto group = group_of(task)) groups_[*group].provisioning += sign;
      return add(Level::kProvisioning, std::nullopt);
    case Stage::kStarting:
      return add(Level::kPending, Level::kGpuStarting);
    case Stage::kInJob:
      return add(Level::kPending, Level::kGpuJob);
    case Stage::kRunning:
      return add(Level::kRunning, std::nullopt);
    case Stage::kStopping:
      return add(Level::kStopping, Level::kGpuStopping);
    default:
      return;
  }
}

void HistoryReplay::hold(const Task& task, std::int64_t sign) {
  Place& place = places_[*task.instance];
  if (place.standing == Standing::kGone) return;  // its resources went with it
  const auto& requirement = requirements_.of(task);
  reserve(place, sign * requirement.cpu, sign * requirement.memory,
          sign * gpu_millionths(requirement, profile_of(*task.instance)));
  if (!is_daemon(scenario_, task)) add_busy(*task.instance, sign);
}

void HistoryReplay::reserve(Place& place, std::int64_t cpu, std::int64_t memory, std::int64_t gpus) {
  place.cpu += cpu;
  place.memory += memory;
  place.gpus += gpus;
  level(Level::kCpuReserved) += cpu;
  level(Level::kMemoryReserved) += memory;
  level(Level::kGpuReserved) += gpus;
}

void HistoryReplay::start_job(std::uint32_t job) {
  for (const auto task : history_.jobs[job].tasks) {
    if (stages_[task] == Stage::kInJob) change(task, Stage::kStarting);
  }
}

void HistoryReplay::change(std::uint32_t index, Standing standing) {
  Place& place = places_[index];
  if (place.standing == standing || place.standing == Standing::kGone) return;
  const bool was_idle = is_idle(place);
  const bool was_spare = is_spare(index);
  const bool was_there = place.standing != Standing::kNotYet;
  count(index, place.standing, -1);
  if (standing == Standing::kGone) {
    reserve(place, -place.cpu, -place.memory, -place.gpus);
    end_idle(index, place);
  }
  place.standing = standing;
  count(index, standing, 1);
  if (!was_idle && is_idle(place)) place.idle_since = now_;
  const bool is_there = standing != Standing::kGone;
  add_member(index, static_cast<std::int64_t>(is_there) - static_cast<std::int64_t>(was_there),
             static_cast<std::int64_t>(is_spare(index)) - static_cast<std::int64_t>(was_spare));
}

void HistoryReplay::count(std::uint32_t instance, Standing standing, std::int64_t sign) {
  if (standing == Standing::kNotYet || standing == Standing::kGone) return;
  const auto& profile = profile_of(instance);
  const std::int64_t gpus = profile.gpu_count * profile.gpu_fraction_millionths;
  level(Level::kHourlyCost) += sign * profile.hourly_price.value_or(0);
  if (standing == Standing::kElsewhere) return;
  if (standing == Standing::kBooting) {
    level(Level::kBooting) += sign;
    level(Level::kGpuBooting) += sign * gpus;
    return;
  }
  level(standing == Standing::kActive ? Level::kActive : Level::kDraining) += sign;
  level(Level::kCpuRegistered) += sign * profile.cpu;
  level(Level::kMemoryRegistered) += sign * profile.memory;
  level(Level::kGpuRegistered) += sign * gpus;
}

void HistoryReplay::end_idle(std::uint32_t instance, const Place& place) {
  if (!is_idle(place)) return;
  figures_.cost.instances[instance].idle_seconds += now_ - place.idle_since;
}

void HistoryReplay::add_busy(std::uint32_t instance, std::int64_t more) {
  Place& place = places_[instance];
  const bool was_idle = is_idle(place);
  end_idle(instance, place);
  place.busy += more;
  place.idle_since = now_;
  if (was_idle != is_idle(place)) add_member(instance, 0, was_idle ? -1 : 1);
}

void HistoryReplay::add_member(std::uint32_t instance, std::int64_t all, std::int64_t idle) {
  const auto group = history_.instances[instance].group;
  if (group == kNoIndex || (all == 0 && idle == 0)) return;
  groups_[*group].all += all;
  groups_[*group].idle += idle;
  groups_[*group].changed = true;
}

/// An instant is over: how many instances each group has, and how many of them it needs.
void HistoryReplay::look_at_groups() {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    auto& members = groups_[i];
    auto& use = figures_.groups[i];
    if (now_ == 0) use.least = members.all;
    if (!members.changed) continue;
    members.changed = false;
    use.least = std::min(use.least, members.all);
    use.most = std::max(use.most, members.all);
    const std::int64_t needed = members.all - members.idle;
    if (members.open.needed == needed && members.open.paid == members.all) continue;
    close(use, members);
    members.open = {now_, now_, needed, members.all};
  }
}

void HistoryReplay::close(GroupUse& use, Members& members) {
  Surplus& open = members.open;
  if (open.paid == open.needed || now_ == open.from) return;
  open.to = now_;
  ++use.surpluses;
  const auto weight = [](const Surplus& one) { return (one.to - one.from) * (one.paid - one.needed); };
  if (!use.longest || weight(open) > weight(*use.longest)) use.longest = open;
}

}  // namespace

Figures replay_history(const placement::Scenario& scenario, const History& history) {
  Figures figures;
  HistoryReplay replay(scenario, history, figures);
  replay.run();
  return figures;
}

}  // namespace bayplan::timeline

#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "timeline/run_figures.hpp"
#include "timeline/tasks.hpp"

namespace bayplan::timeline {

/// Goes through a log once and measures: levels, idle instances, groups with more than they need.
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

}  // namespace bayplan::timeline

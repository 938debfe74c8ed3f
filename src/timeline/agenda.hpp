#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <vector>

#include "placement/timetable.hpp"

namespace bayplan::timeline {

using placement::Seconds;

/// What falls due by itself, in the order in which one instant takes it up.
enum class Step : std::uint8_t {
  kStop,     ///< A task ends, or has finished stopping.
  kActive,   ///< An instance has booted.
  kRunning,  ///< A task's containers run.
  kHealthy,  ///< A task counts as healthy.
  kTimeout,  ///< A task has been PROVISIONING for too long.
  kRetry,    ///< A service tries again.
};
inline constexpr std::size_t kStepCount = 6;

inline constexpr Seconds kNever = std::numeric_limits<Seconds>::max();

/// What is due and when. Entries are never taken back: whoever takes one up asks whether it still holds.
class Agenda {
 public:
  void add(Step step, Seconds at, std::uint32_t index) { of(step).push({at, index}); }

  /// The next entry of the step that is due at `now`, by index.
  std::optional<std::uint32_t> take(Step step, Seconds now) {
    auto& queue = of(step);
    if (queue.empty() || queue.top().at > now) return std::nullopt;
    const std::uint32_t index = queue.top().index;
    queue.pop();
    return index;
  }

  /// When the first entry is due that holds; `holds(step, at, index)`.
  template <class Holds>
  Seconds next(Holds holds) {
    Seconds first = kNever;
    for (std::size_t step = 0; step < kStepCount; ++step) {
      auto& queue = queues_[step];
      while (!queue.empty() && !holds(static_cast<Step>(step), queue.top().at, queue.top().index)) queue.pop();
      if (!queue.empty()) first = std::min(first, queue.top().at);
    }
    return first;
  }

  /// Whether one of the first entries is due at `at` and `is_one(step, index)`.
  template <class IsOne>
  bool has_due(Seconds at, IsOne is_one) const {
    for (std::size_t step = 0; step < kStepCount; ++step) {
      const auto& queue = queues_[step];
      if (!queue.empty() && queue.top().at == at && is_one(static_cast<Step>(step), queue.top().index)) return true;
    }
    return false;
  }

 private:
  struct Entry {
    Seconds at = 0;
    std::uint32_t index = 0;
    bool operator>(const Entry& other) const { return at != other.at ? at > other.at : index > other.index; }
  };
  using Queue = std::priority_queue<Entry, std::vector<Entry>, std::greater<>>;

  Queue& of(Step step) { return queues_[static_cast<std::size_t>(step)]; }

  std::array<Queue, kStepCount> queues_;
};

}  // namespace bayplan::timeline

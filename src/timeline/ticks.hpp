#pragma once
#include <algorithm>
#include <cstdint>

#include "timeline/cluster.hpp"
#include "timeline/instance_groups.hpp"

namespace bayplan::timeline {

/// The data points of managed groups, as long as one can lead to something.
class Ticks {
 public:
  Ticks(const Cluster& cluster, const InstanceGroups& groups)
      : cluster_(cluster), is_needed_(groups.has_managed()), most_quiet_(groups.quiet_ticks()) {}

  Seconds next() const {
    if (!is_needed_ || (is_off_ && !has_news())) return kNever;
    const Seconds period = cluster_.timetable().timing.metric_period;
    return (std::max(cluster_.now, last_) / period + 1) * period;
  }
  /// Whether there is one now.
  bool is_now() const {
    const Seconds now = cluster_.now;
    return is_needed_ && !(is_off_ && !has_news()) && now > 0 && now % cluster_.timetable().timing.metric_period == 0;
  }
  /// To be called before the data points.
  void begin() {
    quiet_ = has_news() ? 0 : quiet_ + 1;
    is_off_ = quiet_ >= most_quiet_;
    seen_ = cluster_.history().events.size();
    last_ = cluster_.now;
  }

 private:
  bool has_news() const { return cluster_.history().events.size() != seen_; }

  const Cluster& cluster_;
  bool is_needed_;
  std::int64_t most_quiet_;
  std::int64_t quiet_ = 0;
  bool is_off_ = false;
  std::size_t seen_ = 0;
  Seconds last_ = 0;
};

}  // namespace bayplan::timeline

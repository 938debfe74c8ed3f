#pragma once
#include <cstdint>
#include <map>

namespace bayplan::placement {

/// Distribution of a number that differs from run to run.
struct Distribution {
  std::int64_t min = 0;
  std::int64_t median = 0;  ///< The lower of the two in the middle.
  std::int64_t max = 0;
  bool operator==(const Distribution&) const = default;
};

/// How often each number came up. Made for numbers that differ little: a thousand runs hardly differ in more than a
/// few.
class Histogram {
 public:
  void add(std::int64_t number) {
    ++times_[number];
    ++count_;
  }

  /// All zero when nothing was added.
  Distribution distribution() const {
    if (times_.empty()) return {};
    std::int64_t below = 0;
    auto median = times_.begin();
    while ((below += median->second) * 2 < count_) ++median;
    return {times_.begin()->first, median->first, times_.rbegin()->first};
  }

 private:
  std::map<std::int64_t, std::int64_t> times_;
  std::int64_t count_ = 0;
};

}  // namespace bayplan::placement

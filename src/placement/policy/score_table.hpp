#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

namespace bayplan::placement {

/// The score of every instance for one kind of task. Only instances that changed are scored again.
class ScoreTable {
 public:
  explicit ScoreTable(std::size_t instances) : scores_(instances) {}

  /// Nothing: the instance has no room.
  void set(std::size_t instance, std::optional<std::int64_t> score) { scores_[instance] = score; }

  struct Best {
    std::uint32_t instance = 0;
    bool tied = false;  ///< Other instances have the same score.
  };
  /// The instance with the highest score, nothing if none has room. Among equals the first, or with a generator a
  /// drawn one.
  std::optional<Best> best(std::mt19937_64* generator) const;

 private:
  std::vector<std::optional<std::int64_t>> scores_;  ///< By instance.
};

}  // namespace bayplan::placement

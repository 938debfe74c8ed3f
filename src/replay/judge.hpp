#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "placement/engine/checks.hpp"
#include "replay/recorded_cluster.hpp"

namespace bayplan::replay {

/// What a recorded choice is by the rules that bayplan simulates.
enum class Verdict : std::uint8_t {
  kHit,   ///< Among the best instances.
  kMiss,  ///< Eligible, and another instance is better.
  kOut,   ///< Not eligible.
};

/// A choice that AWS does not document, made otherwise (docs/placement.md).
enum class Variation : std::uint8_t {
  kAsSimulated,
  kDrainingTasksIgnored,  ///< Spread does not count tasks on DRAINING instances.
  kStoppingTasksCounted,  ///< Spread counts tasks until they are STOPPED.
  kNoSecondKey,           ///< A service that states only the zone spread has no second key.
};

/// What one strategy did to the candidates.
struct LevelResult {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  bool is_kept = false;  ///< The chosen instance is among those after it.
};

struct Ruling {
  Verdict verdict = Verdict::kOut;
  std::uint32_t eligible = 0;
  std::uint32_t best = 0;
  std::uint32_t better = 0;  ///< Instances that rank before the chosen one.
  std::uint32_t equal = 0;   ///< Instances that rank like it, itself included.
  std::int64_t regret = 0;  ///< Key of the chosen one above the best, under the first strategy in which it is not best.
  std::int32_t missed_level = -1;  ///< That strategy.
  CheckSet failed;                 ///< Checks that the chosen instance fails.
  std::vector<LevelResult> levels;

  bool is_informative() const { return best < eligible; }
  double chance() const { return eligible == 0 ? 0 : static_cast<double>(best) / eligible; }
};

/// Judges choices in a cluster at the time at hand.
class Judge {
 public:
  explicit Judge(RecordedCluster& cluster) : cluster_(cluster) {}

  Ruling judge(std::uint32_t task_class, std::string_view provider, std::uint32_t chosen);
  /// The best instances of the last ruling, in order of instances.
  const std::vector<std::uint32_t>& best() const { return best_; }
  const std::vector<std::uint32_t>& eligible() const { return eligible_; }

  /// The best among the eligible instances of the last ruling if ECS decides otherwise what it does not document.
  std::vector<std::uint32_t> best_under(std::uint32_t task_class, Variation variation);

  /// Whether any instance passes every check.
  bool is_placeable(std::uint32_t task_class, std::string_view provider);

  /// Tasks of the group that are to stop and have not stopped, by instance; null where it is not needed.
  const std::vector<std::vector<GroupTasks>>* stopping = nullptr;
  /// Tasks that may run or not, by instance: an instance that has any is left out of every choice. Null: none has.
  const std::vector<std::uint32_t>* doubts = nullptr;

 private:
  void find_eligible(std::uint32_t task_class, std::string_view provider);
  /// Fills `keys_`: one for each of `candidates`.
  void find_keys(const Strategy& strategy, std::uint32_t group, const std::vector<std::uint32_t>& candidates,
                 Variation variation);
  std::int64_t tasks_of(std::uint32_t instance, std::uint32_t group, Variation variation) const;
  /// Follows the chosen instance down the strategies.
  void rank(const PlacementClass& what, std::uint32_t chosen, Ruling& ruling);

  RecordedCluster& cluster_;
  std::vector<std::uint32_t> eligible_;
  std::vector<std::uint32_t> best_;
  std::vector<std::uint32_t> like_chosen_;
  std::vector<std::int64_t> keys_;
  std::vector<std::int64_t> sums_;
};

}  // namespace bayplan::replay

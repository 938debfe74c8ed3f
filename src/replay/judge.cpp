#include "replay/judge.hpp"

#include <algorithm>

#include "placement/engine/strategy_key.hpp"

namespace bayplan::replay {
namespace {

std::int64_t smallest_of(const std::vector<std::int64_t>& keys) {
  return *std::min_element(keys.begin(), keys.end());
}

/// Keeps the candidates whose key is `wanted`.
void keep_equal(std::vector<std::uint32_t>& candidates, const std::vector<std::int64_t>& keys, std::int64_t wanted) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (keys[i] == wanted) candidates[kept++] = candidates[i];
  }
  candidates.resize(kept);
}

bool contains(const std::vector<std::uint32_t>& sorted, std::uint32_t instance) {
  return std::binary_search(sorted.begin(), sorted.end(), instance);
}

}  // namespace

void Judge::find_eligible(std::uint32_t task_class, std::string_view provider) {
  eligible_.clear();
  for (std::uint32_t i = 0; i < cluster_.size(); ++i) {
    const bool is_known = doubts == nullptr || (*doubts)[i] == 0;
    if (is_known && cluster_.passes(task_class, i, provider)) eligible_.push_back(i);
  }
}

std::int64_t Judge::tasks_of(std::uint32_t instance, std::uint32_t group, Variation variation) const {
  if (variation == Variation::kDrainingTasksIgnored && cluster_.profile(instance).status == InstanceStatus::kDraining)
    return 0;
  std::int64_t tasks = cluster_.states()[instance].tasks_of(group);
  if (variation != Variation::kStoppingTasksCounted || stopping == nullptr) return tasks;
  for (const auto& own : (*stopping)[instance]) {
    if (own.group == group) tasks += own.tasks;
  }
  return tasks;
}

void Judge::find_keys(const Strategy& strategy, std::uint32_t group, const std::vector<std::uint32_t>& candidates,
                      Variation variation) {
  keys_.clear();
  if (const auto attribute = strategy.attribute(); !attribute.empty()) {
    const auto& values = cluster_.values_of(attribute);
    sums_.assign(cluster_.value_count(attribute), 0);
    for (std::uint32_t i = 0; i < cluster_.size(); ++i) sums_[values[i]] += tasks_of(i, group, variation);
    for (const auto instance : candidates) keys_.push_back(sums_[values[instance]]);
    return;
  }
  for (const auto instance : candidates) {
    const bool spreads = strategy.type == StrategyType::kSpread;
    keys_.push_back(spreads ? tasks_of(instance, group, variation)
                            : strategy_key(strategy, cluster_.states()[instance], group));
  }
}

void Judge::rank(const PlacementClass& what, std::uint32_t chosen, Ruling& ruling) {
  like_chosen_ = eligible_;
  for (std::size_t level = 0; level < what.strategies.size(); ++level) {
    const auto& strategy = what.strategies[level];
    if (strategy.type == StrategyType::kRandom || like_chosen_.size() < 2) continue;
    find_keys(strategy, what.group, like_chosen_, Variation::kAsSimulated);
    const auto at = std::lower_bound(like_chosen_.begin(), like_chosen_.end(), chosen) - like_chosen_.begin();
    const std::int64_t own = keys_[static_cast<std::size_t>(at)];
    const std::int64_t best = smallest_of(keys_);
    ruling.better += static_cast<std::uint32_t>(
        std::count_if(keys_.begin(), keys_.end(), [own](std::int64_t key) { return key < own; }));
    if (own > best && ruling.missed_level < 0) {
      ruling.missed_level = static_cast<std::int32_t>(level);
      ruling.regret = own - best;
    }
    keep_equal(like_chosen_, keys_, own);
  }
  ruling.equal = static_cast<std::uint32_t>(like_chosen_.size());
}

Ruling Judge::judge(std::uint32_t task_class, std::string_view provider, std::uint32_t chosen) {
  const auto& what = cluster_.placement_class(task_class);
  Ruling ruling;
  find_eligible(task_class, provider);
  best_ = eligible_;
  ruling.eligible = static_cast<std::uint32_t>(eligible_.size());
  const bool is_eligible = contains(eligible_, chosen);
  for (const auto& strategy : what.strategies) {
    LevelResult level{static_cast<std::uint32_t>(best_.size()), 0, false};
    if (strategy.type != StrategyType::kRandom && best_.size() > 1) {
      find_keys(strategy, what.group, best_, Variation::kAsSimulated);
      keep_equal(best_, keys_, smallest_of(keys_));
    }
    level.after = static_cast<std::uint32_t>(best_.size());
    level.is_kept = contains(best_, chosen);
    ruling.levels.push_back(level);
  }
  ruling.best = static_cast<std::uint32_t>(best_.size());
  if (!is_eligible) {
    ruling.failed = cluster_.filter(task_class).failing(chosen, cluster_.states()[chosen], provider);
    return ruling;
  }
  ruling.verdict = contains(best_, chosen) ? Verdict::kHit : Verdict::kMiss;
  rank(what, chosen, ruling);
  return ruling;
}

std::vector<std::uint32_t> Judge::best_under(std::uint32_t task_class, Variation variation) {
  const auto& what = cluster_.placement_class(task_class);
  std::vector<std::uint32_t> best = eligible_;
  std::size_t levels = what.strategies.size();
  if (variation == Variation::kNoSecondKey) levels = 1;
  for (std::size_t i = 0; i < levels && best.size() > 1; ++i) {
    if (what.strategies[i].type == StrategyType::kRandom) continue;
    find_keys(what.strategies[i], what.group, best, variation);
    keep_equal(best, keys_, smallest_of(keys_));
  }
  return best;
}

bool Judge::is_placeable(std::uint32_t task_class, std::string_view provider) {
  for (std::uint32_t i = 0; i < cluster_.size(); ++i) {
    if (cluster_.passes(task_class, i, provider)) return true;
  }
  return false;
}

}  // namespace bayplan::replay

#include "placement/level_sets.hpp"

#include <algorithm>

namespace bayplan::placement {

bool LevelSets::has(std::size_t position) const {
  return std::any_of(sets_.begin(), sets_.end(), [&](const auto& entry) { return entry.second.has(position); });
}

void LevelSets::put(std::size_t position, std::int64_t level) {
  auto own = sets_.find(level);
  if (own == sets_.end()) own = sets_.emplace(level, PositionSet(bound_, counted_)).first;
  if (own->second.has(position)) return;
  erase(position);
  own->second.insert(position);
}

void LevelSets::erase(std::size_t position) {
  for (auto& [level, set] : sets_) set.erase(position);
}

void LevelSets::tidy() {
  constexpr std::size_t kUsual = 16;
  if (sets_.size() <= kUsual) return;
  std::erase_if(sets_, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace bayplan::placement

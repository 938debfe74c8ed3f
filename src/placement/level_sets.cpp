#include "placement/level_sets.hpp"

namespace bayplan::placement {

void LevelSets::put(std::size_t position, std::int64_t level) {
  auto place = place_of(level);
  if (place == sets_.end() || place->level != level) place = sets_.insert(place, {level, {bound_, counted_}});
  if (place->positions.has(position)) return;
  erase(position);
  sets_[static_cast<std::size_t>(place - sets_.begin())].positions.insert(position);
}

void LevelSets::erase(std::size_t position) {
  for (auto& own : sets_) own.positions.erase(position);
}

void LevelSets::tidy() {
  constexpr std::size_t kUsual = 16;
  if (sets_.size() > kUsual) std::erase_if(sets_, [](const auto& own) { return own.positions.empty(); });
}

}  // namespace bayplan::placement

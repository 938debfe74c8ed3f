#include "placement/policy/score_table.hpp"

#include <algorithm>

#include "placement/model/random.hpp"

namespace bayplan::placement {

std::optional<ScoreTable::Best> ScoreTable::best(std::mt19937_64* generator) const {
  if (scores_.empty()) return std::nullopt;
  const auto highest = std::max_element(scores_.begin(), scores_.end());
  if (!*highest) return std::nullopt;
  const auto equal = static_cast<std::uint64_t>(std::count(highest, scores_.end(), *highest));
  auto chosen = highest;
  if (generator != nullptr) {
    for (std::uint64_t left = draw(*generator, equal); left > 0; --left) {
      chosen = std::find(chosen + 1, scores_.end(), *highest);
    }
  }
  return Best{static_cast<std::uint32_t>(chosen - scores_.begin()), equal > 1};
}

}  // namespace bayplan::placement

#include "base/edit_distance.hpp"

#include <algorithm>
#include <array>

#include "base/strings.hpp"

namespace bayplan {

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::array<std::vector<std::size_t>, 3> rows;  // of a: two above, above, current
  for (auto& row : rows) row.resize(a.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) rows[1][i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    rows[2][0] = j;
    std::size_t smallest = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      const std::size_t substitution = rows[1][i - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      std::size_t cost = std::min({rows[1][i] + 1, rows[2][i - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) cost = std::min(cost, rows[0][i - 2] + 1);
      rows[2][i] = cost;
      smallest = std::min(smallest, cost);
    }
    if (smallest > limit) return limit + 1;
    std::rotate(rows.begin(), rows.begin() + 1, rows.end());
  }
  return std::min(rows[1][a.size()], limit + 1);
}

std::optional<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string wanted = lower(word);
  std::optional<std::string_view> best;
  std::size_t best_distance = 0;
  for (const auto candidate : candidates) {
    const std::size_t longer = std::max(wanted.size(), candidate.size());
    // Of three letters, two changed ones are another word.
    const std::size_t limit = longer < 4 ? 1 : std::max<std::size_t>(2, longer / 3);
    const std::size_t distance = edit_distance(wanted, lower(candidate), limit);
    if (distance <= limit && (!best || distance < best_distance)) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::optional<std::string_view> containing(std::string_view word, const std::vector<std::string_view>& candidates) {
  constexpr std::size_t kFewestLetters = 4;
  const auto part = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  if (part.size() < kFewestLetters) return std::nullopt;
  const auto found = std::find_if(candidates.begin(), candidates.end(), [&](std::string_view candidate) {
    return candidate.find(part) != std::string_view::npos;
  });
  return found == candidates.end() ? std::nullopt : std::optional(*found);
}

std::optional<std::string_view> nearest_or_containing(std::string_view word,
                                                      const std::vector<std::string_view>& candidates) {
  const auto near = nearest(word, candidates);
  return near ? near : containing(word, candidates);
}

}  // namespace bayplan

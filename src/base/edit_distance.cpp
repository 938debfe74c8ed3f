#include "base/edit_distance.hpp"

#include <algorithm>
#include <array>

#include "base/strings.hpp"

namespace bayplan {

namespace {

constexpr std::size_t kShort = 32;  ///< Words below take no memory of their own.

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  while (!a.empty() && a.back() == b.back()) {
    a.remove_suffix(1);
    b.remove_suffix(1);
  }
  while (!a.empty() && a.front() == b.front()) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  const std::size_t width = a.size() + 1;
  std::array<std::size_t, 3 * kShort> room{};
  std::vector<std::size_t> more_room(width > kShort ? 3 * width : 0);
  std::size_t* above = width > kShort ? more_room.data() : room.data();
  std::size_t* current = above + width;
  std::size_t* two_above = current + width;
  for (std::size_t i = 0; i < width; ++i) above[i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    // Further from the diagonal than the limit is beyond the limit: there is no need to know how far.
    const std::size_t first = j > limit ? j - limit : 1;
    const std::size_t last = std::min(a.size(), j + limit);
    current[first - 1] = first == 1 ? j : limit + 1;
    std::size_t smallest = current[first - 1];
    for (std::size_t i = first; i <= last; ++i) {
      std::size_t cost = above[i - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost = std::min({cost, above[i] + 1, current[i - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) cost = std::min(cost, two_above[i - 2] + 1);
      current[i] = cost;
      smallest = std::min(smallest, cost);
    }
    if (last < a.size()) current[last + 1] = limit + 1;
    if (smallest > limit) return limit + 1;
    std::swap(two_above, above);
    std::swap(above, current);
  }
  return std::min(above[a.size()], limit + 1);
}

std::optional<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& candidates) {
  const std::string wanted = lower(word);
  std::optional<std::string_view> best;
  std::size_t best_distance = 0;
  for (const auto candidate : candidates) {
    const std::size_t longer = std::max(wanted.size(), candidate.size());
    // Of three letters, two changed ones are another word.
    std::size_t limit = longer < 4 ? 1 : std::max<std::size_t>(2, longer / 3);
    if (best) limit = std::min(limit, best_distance - 1);
    if (longer - std::min(wanted.size(), candidate.size()) > limit) continue;
    const std::size_t distance = edit_distance(wanted, lower(candidate), limit);
    if (distance > limit) continue;
    best = candidate;
    best_distance = distance;
    if (distance == 0) break;
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

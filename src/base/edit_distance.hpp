#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace bayplan {

/// Damerau-Levenshtein distance (optimal string alignment) in bytes: insertions, deletions, substitutions and swaps of
/// neighbors cost 1 each. Gives `limit + 1` as soon as the distance is known to exceed `limit`.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit = 16);

/// The nearest candidate, if it is near enough to be what was meant: distance at most 2, or at most a third of the
/// longer word's length. Case costs nothing. Ties go to the earlier candidate.
std::optional<std::string_view> nearest(std::string_view word, const std::vector<std::string_view>& candidates);

/// The first candidate that has the word, without the dashes before it, as a part: `warn` of `warning`. None for fewer
/// than four letters, which many words share.
std::optional<std::string_view> containing(std::string_view word, const std::vector<std::string_view>& candidates);

/// The nearest, else one that contains it.
std::optional<std::string_view> nearest_or_containing(std::string_view word,
                                                      const std::vector<std::string_view>& candidates);

}  // namespace bayplan

#pragma once
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan {

std::string_view trim(std::string_view text);  ///< Removes ASCII blanks at both ends.
std::string lower(std::string_view text);      ///< ASCII only; no locale.
bool equal_ignoring_case(std::string_view a, std::string_view b);
std::vector<std::string_view> split(std::string_view text, char separator);  ///< Keeps empty parts.
std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// Whole text as a decimal integer of 64 bits, or nothing.
std::optional<std::int64_t> to_integer(std::string_view text);
/// Whole text as a finite decimal number, or nothing.
std::optional<double> to_number(std::string_view text);

/// `1 instance`, `2 instances`.
std::string count_of(std::int64_t count, std::string_view singular, std::string_view plural = {});

/// "a, b or c".
std::string one_of(const std::vector<std::string_view>& words, std::string_view conjunction = "or");

/// Compares so that "g4dn.2xlarge" comes before "g4dn.12xlarge": digit runs by value, the rest by bytes.
bool natural_less(std::string_view a, std::string_view b);

/// Whether the text is a pattern for `glob_matches` (pattern.hpp) rather than a plain name.
inline bool is_glob(std::string_view text) {
  return text.find_first_of("*?[") != std::string_view::npos;
}

/// Whether one of `words` is the word, letter by letter.
template <class Words>
bool is_among(std::string_view word, const Words& words) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

}  // namespace bayplan

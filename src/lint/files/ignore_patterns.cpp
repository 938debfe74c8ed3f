#include "lint/files/ignore_patterns.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace bayplan::lint {
namespace {

constexpr std::string_view kAnyFolders = "**";

/// Whether `c` is in the class that begins after `[` at `at`; moves `at` past its `]`. Nothing when it never closes.
std::optional<bool> in_class(std::string_view pattern, std::size_t& at, char c) {
  std::size_t i = at;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool found = false;
  for (bool is_first = true; i < pattern.size(); is_first = false) {
    if (pattern[i] == ']' && !is_first) {
      at = i + 1;
      return found != negated;
    }
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    const char low = pattern[i++];
    char high = low;
    if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
      high = pattern[i + 1] == '\\' && i + 2 < pattern.size() ? pattern[++i + 1] : pattern[i + 1];
      i += 2;
    }
    if (static_cast<unsigned char>(low) <= static_cast<unsigned char>(c) &&
        static_cast<unsigned char>(c) <= static_cast<unsigned char>(high)) {
      found = true;
    }
  }
  return std::nullopt;
}

/// Whether the piece of pattern at `at`, which is no `*`, matches `c`; moves `at` past it.
bool matches_one(std::string_view pattern, std::size_t& at, char c) {
  const char p = pattern[at++];
  if (p == '?') return true;
  if (p == '\\' && at < pattern.size()) return pattern[at++] == c;
  if (p == '[') return in_class(pattern, at, c).value_or(false);
  return p == c;
}

/// One name against one segment: `*`, `?`, `[a-z]`, `\`. On a mismatch only the last `*` takes one character more.
bool matches_name(std::string_view pattern, std::string_view name) {
  std::size_t p = 0;
  std::size_t n = 0;
  std::optional<std::size_t> after_star;
  std::size_t star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      while (p < pattern.size() && pattern[p] == '*') ++p;
      after_star = p;
      star_name = n;
      continue;
    }
    std::size_t next = p;
    if (p < pattern.size() && matches_one(pattern, next, name[n])) {
      p = next;
      ++n;
      continue;
    }
    if (!after_star) return false;
    p = *after_star;
    n = ++star_name;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// Segments against names; the same scheme a level up, where `**` is the star.
bool matches_path(const std::vector<std::string>& segments, const std::vector<std::string_view>& names) {
  std::size_t s = 0;
  std::size_t n = 0;
  std::optional<std::size_t> after_star;
  std::size_t star_name = 0;
  while (n < names.size()) {
    if (s < segments.size() && segments[s] == kAnyFolders) {
      if (s + 1 == segments.size()) return true;  // a last "/**": everything inside
      after_star = ++s;
      star_name = n;
      continue;
    }
    if (s < segments.size() && matches_name(segments[s], names[n])) {
      ++s;
      ++n;
      continue;
    }
    if (!after_star) return false;
    s = *after_star;
    n = ++star_name;
  }
  return s == segments.size();
}

/// Removes blanks at the end unless a backslash keeps them.
std::string_view without_trailing_blanks(std::string_view line) {
  while (line.ends_with(' ') && !line.ends_with("\\ ")) line.remove_suffix(1);
  return line;
}

}  // namespace

std::optional<IgnorePatterns::Pattern> IgnorePatterns::parse_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  line = without_trailing_blanks(line);
  if (line.empty() || line.front() == '#') return std::nullopt;
  Pattern pattern;
  if (line.front() == '!') {
    pattern.negated = true;
    line.remove_prefix(1);
  }
  if (line.ends_with('/')) {
    pattern.folders_only = true;
    line.remove_suffix(1);
  }
  if (line.empty()) return std::nullopt;
  const bool is_anchored = line.find('/') != std::string_view::npos;
  if (line.front() == '/') line.remove_prefix(1);
  if (!is_anchored) pattern.segments.emplace_back(kAnyFolders);
  for (const auto segment : split(line, '/')) pattern.segments.emplace_back(segment);
  return pattern;
}

IgnorePatterns IgnorePatterns::parse(std::string_view text) {
  IgnorePatterns result;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (const auto line : split(text, '\n')) {
    if (auto pattern = parse_line(line)) result.patterns_.push_back(std::move(*pattern));
  }
  return result;
}

std::optional<bool> IgnorePatterns::ignores(std::string_view path, bool is_folder) const {
  const auto names = split(path, '/');
  const auto last = std::find_if(patterns_.rbegin(), patterns_.rend(), [&](const Pattern& pattern) {
    return (is_folder || !pattern.folders_only) && matches_path(pattern.segments, names);
  });
  if (last == patterns_.rend()) return std::nullopt;
  return !last->negated;
}

}  // namespace bayplan::lint

#pragma once
#include <cassert>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace bayplan {

/// Where a pattern was found, in bytes, and what its named groups held; groups that took no part are left out.
struct PatternMatch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::map<std::string, std::string> groups;
};

/// A regular expression with Java's meaning where RE2 shares it; linear time. What RE2 reads differently from Java
/// without a word is refused by name, so a match here is a match there.
class Pattern {
 public:
  /// `java`: refuse the constructs whose meaning differs between java.util.regex and RE2.
  enum class Dialect { kRe2, kJava };

  static Result<Pattern> compile(std::string_view expression, Dialect dialect = Dialect::kRe2);

  bool matches_whole(std::string_view text) const;
  bool matches_part(std::string_view text) const;
  /// The leftmost place at or after `from`; groups are named as in `(?P<name>...)`.
  std::optional<PatternMatch> find(std::string_view text, std::size_t from = 0) const;

 private:
  friend class PatternSet;
  struct Program;
  explicit Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

/// A pattern of our own code or data, which compiles; the tests see to that.
inline Pattern own_pattern(std::string_view expression) {
  auto pattern = Pattern::compile(expression);
  assert(pattern.ok());
  return *pattern;
}

/// Patterns of which a text may match any. Thousands of them take about as long as one.
class PatternSet {
 public:
  PatternSet() = default;
  explicit PatternSet(std::vector<Pattern> patterns);

  bool any_matches_part(std::string_view text) const;

 private:
  struct Programs;
  std::vector<Pattern> patterns_;
  std::shared_ptr<const Programs> together_;  ///< Null where the patterns are few, or too large together.
};

/// Shell-like match of a whole text: `*` any run, `?` one byte, `[a-c]` a set.
bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace bayplan

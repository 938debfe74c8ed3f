#pragma once
#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace bayplan {

/// A regular expression with Java's meaning where RE2 shares it; linear time. What RE2 reads differently from Java
/// without a word is refused by name, so a match here is a match there.
class Pattern {
 public:
  /// `java`: refuse the constructs whose meaning differs between java.util.regex and RE2.
  enum class Dialect { kRe2, kJava };

  static Result<Pattern> compile(std::string_view expression, Dialect dialect = Dialect::kRe2);

  bool matches_whole(std::string_view text) const;
  bool matches_part(std::string_view text) const;

 private:
  struct Program;
  explicit Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

/// Shell-like match of a whole text: `*` any run, `?` one byte, `[a-c]` a set.
bool glob_matches(std::string_view glob, std::string_view text);

}  // namespace bayplan

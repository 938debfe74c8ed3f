#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::lint {

/// Patterns in the syntax of .gitignore (https://git-scm.com/docs/gitignore). Matching takes time in proportion to the
/// length of pattern and path, whatever they hold.
class IgnorePatterns {
 public:
  static IgnorePatterns parse(std::string_view text);

  bool empty() const { return patterns_.empty(); }
  /// What the last matching pattern says of `path`, which is relative to the folder of the patterns, with
  /// `/` between names: true = ignored, false = taken back by `!`, nothing = no pattern matches.
  std::optional<bool> ignores(std::string_view path, bool is_folder) const;

 private:
  struct Pattern {
    std::vector<std::string> segments;  ///< The parts between the slashes; "**" matches any number of folders.
    bool negated = false;
    bool folders_only = false;
  };
  static std::optional<Pattern> parse_line(std::string_view line);

  std::vector<Pattern> patterns_;
};

}  // namespace bayplan::lint

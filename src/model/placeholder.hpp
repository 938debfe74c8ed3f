#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern.hpp"
#include "text/document.hpp"

namespace bayplan::model {

/// Finds text in place of a value that is not known yet: `${X}`, `{{ x }}`, `<X>`, `%X%`, `__X__`, `#{X}#`, `$VAR`,
/// `$$$X$$$`, `{INSERT x}`, `XXXXXXXXXXXX` in an ARN, `REPLACE_ME`, and the patterns of the user's config. In a text
/// without other signs than those of an image, an ARN or a name also `[X]`, `{X}`, `((X))`, `[[X]]`, `%{X}`, `@{X}`,
/// `%(X)s`, `$[X]`, `##X##`, `$$X$$` and `{0}`.
class Placeholders {
 public:
  Placeholders() = default;
  explicit Placeholders(std::vector<Pattern> own) : own_(std::move(own)) {}

  /// The first placeholder in `text`, or nothing. `shell_text`: command lines, where `$VAR` and `${VAR}` belong to the
  /// shell.
  std::optional<std::string_view> find(std::string_view text, bool shell_text = false) const;

  /// A scalar that is, or holds, a placeholder; an intrinsic function.
  bool holds(text::Value value) const;

 private:
  PatternSet own_;
};

/// Inside command (healthCheck.command too) and entryPoint `$X` is the shell's; so it is in a healthCheck that is
/// written as one command line.
bool is_shell_text(text::Value value);

/// `{"Ref": ...}` or `{"Fn::...": ...}`: the value is known when CloudFormation runs.
bool is_intrinsic(text::Value value);

}  // namespace bayplan::model

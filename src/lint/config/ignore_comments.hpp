#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"
#include "lint/config/ignore.hpp"
#include "text/document.hpp"

namespace bayplan::lint {

/// One comment `bayplan: ignore=BAY113,security until=2027-01-31 reason`.
struct CommentIgnore {
  Ignore ignore;
  Span covers;  ///< The findings that begin in it are meant.
};

struct IgnoreComments {
  std::vector<CommentIgnore> ignores;
  std::vector<Error> faults;  ///< Comments that were meant to be one and cannot be understood.
};

/// Comments of YAML, of Terraform code, and of JSON where the name of the file allows them (.jsonc, .json5). A comment
/// applies to what begins on its line; alone on a line, for what begins on the next; before everything else, for the
/// whole file.
IgnoreComments read_ignore_comments(const text::Document& document, const std::string& file);

/// Whether the file may have comments, by its format and its name.
bool allows_comments(const text::Document& document, std::string_view file);

/// A finding that a comment is to suppress.
struct UnwantedFinding {
  std::string_view rule;
  std::uint32_t offset;  ///< Where it begins.
};

/// Insertions of comments that suppress the findings, one a line: alone above the line; in the first line with content,
/// behind it. Nothing for a finding that no comment can suppress.
std::vector<Edit> ignore_comments(const text::Document& document, std::string_view file,
                                  const std::vector<UnwantedFinding>& findings);

}  // namespace bayplan::lint

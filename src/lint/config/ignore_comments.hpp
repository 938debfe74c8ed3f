#pragma once
#include <string>
#include <vector>

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

/// Comments of YAML, and of JSON where the name of the file allows them (.jsonc, .json5). A comment applies to what
/// begins on its line; alone on a line, for what begins on the next; before everything else, for the whole file.
IgnoreComments read_ignore_comments(const text::Document& document, const std::string& file);

/// JSON with comments, by the name of the file.
bool allows_comments(std::string_view file);

}  // namespace bayplan::lint

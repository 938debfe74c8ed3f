#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "text/document.hpp"

namespace bayplan::rules {

struct ExampleFile {
  std::string_view name;
  std::string_view notation;  ///< The notation in data/rules.json; `text()` expands it.

  /// The file whole: repeats written out, JSON of one line laid out for reading. `<<11x TEXT>>` means TEXT eleven
  /// times, `<<11x, TEXT>>` with commas between; `#` inside is the number of the repeat, from 1.
  std::string text() const;
};

/// Input that shows a rule: what `bayplan lint ARGUMENTS FILES` is given.
struct Example {
  std::vector<ExampleFile> files;
  std::vector<std::string_view> arguments;

  /// Reads a row's `bad` or `good`: a text, or {"files": {NAME: TEXT}, "arguments": [...]}.
  static Example read(text::Value value);
};

}  // namespace bayplan::rules

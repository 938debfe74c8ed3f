#pragma once
#include <ostream>
#include <string>
#include <string_view>

#include "base/span.hpp"
#include "report/document/terminal.hpp"
#include "text/location.hpp"

namespace bayplan::report {

/// A line of source with a mark below the place in question:
///   14 |   {"type": "GPU", "value": "1"}
///      |            ^^^^^ note
struct Frame {
  Span span;
  char mark = '^';
  std::string note;  ///< Written next to the mark if it fits, otherwise below it; may be empty.
  Severity severity = Severity::kInfo;
};

/// `gutter` is the width of the line numbers. Tabs count one column, wide characters two; a long line is cut around the
/// mark.
void write_frame(std::ostream& out, const text::LineIndex& lines, const Frame& frame, std::size_t gutter,
                 const Style& style);

/// The note alone, where the line of source is not to be shown.
void write_note(std::ostream& out, std::string_view note, std::size_t gutter, const Style& style);

}  // namespace bayplan::report

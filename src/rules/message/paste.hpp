#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::rules {

/// A paste on one line, with plain quotes and single blanks: it is wrapped, quoted and escaped by whatever it came
/// through.
struct Paste {
  struct Line {
    std::size_t offset;    ///< Offset in `text` at which the line begins.
    std::uint32_t number;  ///< Line of the paste, from 1.
  };
  std::string text;
  std::vector<Line> lines;  ///< Ascending.

  /// Line of the paste, from 1, that contains the byte at `offset` of the text.
  std::uint32_t line_at(std::size_t offset) const;
};

/// Reads a paste of any size: first with a blank between its lines and then, where lines look cut in the middle of
/// words (terminals, the table of Copilot), with these joined. Of a large paste only lines of a new shape are kept, and
/// if these are still too many those that report trouble, the beginning and the end.
std::vector<Paste> read_paste(std::string_view pasted);

/// Whether a line has a word of trouble: error, failed, denied, timed out ...
bool reports_trouble(std::string_view line);

}  // namespace bayplan::rules

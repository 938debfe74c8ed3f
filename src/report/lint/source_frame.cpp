#include "report/lint/source_frame.hpp"

#include <algorithm>

#include "base/excerpt.hpp"
#include "base/utf8.hpp"

namespace bayplan::report {
namespace {

constexpr std::size_t kSourceColumns = 100;  ///< Columns of source shown.
constexpr std::size_t kColumnsBefore = 50;   ///< Minimum number of columns before the mark if the line is cut.

/// The part of a line around its mark; `begin` and `end` are bytes in it.
struct Excerpt {
  std::string before;
  std::string marked;
  std::string after;
};

/// The longest beginning of `text` that takes at most `columns`.
std::string_view fitting(std::string_view text, std::size_t columns) {
  std::size_t offset = 0;
  std::size_t used = 0;
  while (offset < text.size()) {
    std::size_t next = offset;
    decode_utf8(text, next);
    used += display_width(text.substr(offset, next - offset));
    if (used > columns) break;
    offset = next;
  }
  return text.substr(0, offset);
}

/// The longest end of `text`, which is well-formed, that takes at most `columns`.
std::string_view fitting_end(std::string_view text, std::size_t columns) {
  std::size_t from = text.size();
  for (std::size_t used = 0; from > 0;) {
    const std::size_t begin = beginning_of_character(text, from - 1);
    used += display_width(text.substr(begin, from - begin));
    if (used > columns) break;
    from = begin;
  }
  return text.substr(from);
}

/// The neighborhood of a mark in a line that may be a whole plan: no more can be shown.
struct Neighborhood {
  std::string_view text;
  std::size_t offset;  ///< Offset in the line.
};

Neighborhood around(std::string_view line, std::size_t begin, std::size_t end) {
  constexpr std::size_t kNear = 1024;
  begin = std::min(begin, line.size());
  const std::size_t from = beginning_of_character(line, begin > kNear ? begin - kNear : 0);
  const std::size_t near_end = std::min({end, begin + kNear, line.size()});
  const std::size_t to = beginning_of_character(line, std::min(near_end + kNear, line.size()));
  return {line.substr(from, to - from), from};
}

Excerpt cut_excerpt(std::string_view line, std::size_t begin, std::size_t end) {
  begin = std::min(begin, line.size());
  end = std::clamp(end, begin, line.size());
  Excerpt part{printable(line.substr(0, begin)), printable(line.substr(begin, end - begin)),
               printable(line.substr(end))};
  const auto width = [](const std::string& text) { return display_width(text); };
  if (width(part.before) + width(part.marked) + width(part.after) <= kSourceColumns) return part;
  const std::size_t room = std::max(kColumnsBefore, kSourceColumns - std::min(kSourceColumns, width(part.marked)));
  if (width(part.before) > room) part.before = "…" + std::string(fitting_end(part.before, room - 1));
  const std::size_t left = kSourceColumns + 1 - std::min(kSourceColumns, width(part.before));
  if (width(part.marked) > left) {
    part.marked = std::string(fitting(part.marked, left - 1)) + "…";
    part.after.clear();
  }
  const std::size_t rest = kSourceColumns + 1 - std::min(kSourceColumns, width(part.before) + width(part.marked));
  if (width(part.after) > rest) part.after = std::string(fitting(part.after, rest - 1)) + "…";
  return part;
}

}  // namespace

void write_frame(std::ostream& out, const text::LineIndex& lines, const Frame& frame, std::size_t gutter,
                 const Style& style) {
  const auto at = lines.location(frame.span.begin);
  const std::size_t begin = frame.span.begin - lines.line_start(at.line);
  const std::size_t end = begin + std::max<std::size_t>(1, frame.span.length());
  const auto near = around(lines.line(at.line), begin, end);
  const auto part = cut_excerpt(near.text, begin - near.offset, end - near.offset);
  const std::string number = std::to_string(at.line);

  out << "  " << std::string(gutter - std::min(gutter, number.size()), ' ') << style.dim(number + " |") << ' '
      << part.before << part.marked << part.after << '\n';
  const std::size_t indent = display_width(part.before);
  const std::size_t length = std::max<std::size_t>(1, display_width(part.marked));
  out << std::string(gutter + 3, ' ') << style.dim("|") << ' ' << std::string(indent, ' ')
      << style.of(frame.severity, std::string(length, frame.mark));
  const std::string note = printable(frame.note);
  if (!note.empty() && indent + length + display_width(note) > kSourceColumns) {
    out << '\n' << std::string(gutter + 3, ' ') << style.dim("=");
  }
  if (!note.empty()) out << ' ' << note;
  out << '\n';
}

void write_note(std::ostream& out, std::string_view note, std::size_t gutter, const Style& style) {
  out << std::string(gutter + 3, ' ') << style.dim("=") << ' ' << printable(note) << '\n';
}

}  // namespace bayplan::report

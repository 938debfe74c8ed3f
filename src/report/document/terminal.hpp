#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "base/finding.hpp"

namespace bayplan::report {

/// How text reports look: escape codes or none. Color never carries meaning alone.
class Style {
 public:
  explicit Style(bool colored) : colored_(colored) {}

  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string red(std::string_view text) const { return wrap("31", text); }
  std::string green(std::string_view text) const { return wrap("32", text); }
  std::string yellow(std::string_view text) const { return wrap("33", text); }
  /// Colors the text by its severity.
  std::string of(Severity severity, std::string_view text) const;

  /// "YES ..." or "NO  ...": the first word in bold, green or red.
  std::string answer(std::string_view text) const;

  bool colored() const { return colored_; }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
  bool colored_;
};

/// `choice` is auto, always or never; `environment` may be null. NO_COLOR and FORCE_COLOR count under auto.
bool wants_color(std::string_view choice, bool is_terminal, const char* (*environment)(const char* name));

/// Signs of bars and slots: block characters where the environment says UTF-8, ASCII elsewhere.
struct Glyphs {
  std::string_view full = "\u2588";
  std::string_view empty = "\u2591";
  std::string_view slot_taken = "\u25a0";
  std::string_view slot_free = "\u25a1";
  std::string_view slot_shared = "\u25a3";
  std::string_view ellipsis = "\u2026";
  /// Heights of a chart of one line, from nothing to all.
  std::array<std::string_view, 9> heights = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                             "\u2585", "\u2586", "\u2587", "\u2588"};
  std::string_view slot_several = "\u25a3";  ///< Next to slots with letters.

  static Glyphs ascii() { return {"#", ".", "#", ".", "m", "...", {" ", ".", ":", "-", "=", "+", "*", "%", "#"}, "+"}; }
};

/// Chooses glyphs by LC_ALL, else LC_CTYPE, else LANG, like the C library. `environment` may be null: ASCII then.
Glyphs glyphs_for(const char* (*environment)(const char* name));

inline constexpr std::int64_t kBarWidth = 6;

/// Six signs (or `width`) and the per cent: "##....  12%". Anything above nothing shows one sign, anything below full
/// leaves one.
std::string bar(std::int64_t part, std::int64_t whole, const Glyphs& glyphs, std::int64_t width = kBarWidth);

/// `sign`, repeated.
std::string repeated(std::string_view sign, std::int64_t times);

/// Bytes of the longest beginning that takes at most `columns`.
std::size_t beginning_within(std::string_view text, std::size_t columns);

/// `text` within `columns`, cut with an ellipsis where it is longer.
std::string cut(std::string_view text, std::size_t columns, const Glyphs& glyphs);

/// Does the same with the ellipsis in the middle: names that begin alike differ at their ends.
std::string cut_middle(std::string_view text, std::size_t columns, const Glyphs& glyphs);

/// How a text report looks, and how much of it there is. Reports that know more options derive from it.
struct TextOptions {
  Style style{false};
  Glyphs glyphs;
  bool quiet = false;    ///< Print only the answer.
  bool verbose = false;  ///< Every row, reason and assumption.
};

/// Columns of a text report, where the names allow it: 80 unless a TextWidth says otherwise.
std::size_t text_columns();

/// The width of text reports in this thread, as long as it lives. A terminal has one, a report to a file does not.
class TextWidth {
 public:
  explicit TextWidth(std::size_t columns);
  TextWidth(const TextWidth&) = delete;
  TextWidth& operator=(const TextWidth&) = delete;
  ~TextWidth();

 private:
  std::size_t before_;
};

/// Broken at blanks to fit the width; every line but the first is indented, the caller indents the first. A number
/// and its unit stay together ("730 h").
std::string wrapped(std::string_view text, std::size_t indent);

/// The lines of a text that is broken at spaces to fit into `width` columns; longer words exceed it.
std::vector<std::string> lines_within(std::string_view text, std::size_t width);

/// A line of a text report, made printable and broken to fit; what follows is indented by two more.
void print_line(std::ostream& out, std::size_t indent, std::string_view text);

/// "YES ..." or "NO  ...", broken under the sentence; in one line for scripts (`--quiet`).
std::string answer_lines(const std::string& answer, bool in_one_line);

/// The lines of a text as a reader wants them: of a very long line its two ends, of a very long text its first lines
/// and its last, with a note of what is omitted.
std::vector<std::string> elided_lines(std::string_view text);

}  // namespace bayplan::report

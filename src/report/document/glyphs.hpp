#pragma once
#include <array>
#include <string>
#include <string_view>

namespace bayplan::report {

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
  std::string_view slot_several = "\u25a3";  ///< Where letters stand beside it.

  static Glyphs ascii() { return {"#", ".", "#", ".", "m", "...", {" ", ".", ":", "-", "=", "+", "*", "%", "#"}, "+"}; }
};

/// By LC_ALL, else LC_CTYPE, else LANG, as the C library decides. `environment` may be null: ASCII then.
Glyphs glyphs_for(const char* (*environment)(const char* name));

inline constexpr std::int64_t kBarWidth = 6;

/// Six signs (or `width`) and the per cent: "##....  12%". Anything above nothing shows one sign, anything below full
/// leaves one.
std::string bar(std::int64_t part, std::int64_t whole, const Glyphs& glyphs, std::int64_t width = kBarWidth);

/// `sign` so many times.
std::string repeated(std::string_view sign, std::int64_t times);

/// Bytes of the longest beginning that takes at most so many columns.
std::size_t beginning_within(std::string_view text, std::size_t columns);

/// `text` within `columns`, cut with an ellipsis where it is longer.
std::string cut(std::string_view text, std::size_t columns, const Glyphs& glyphs);

/// The same, but the ellipsis stands in the middle: names that begin alike differ at their ends.
std::string cut_middle(std::string_view text, std::size_t columns, const Glyphs& glyphs);

}  // namespace bayplan::report

#include "report/document/glyphs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/figures.hpp"

namespace bayplan::report {
namespace {

/// First byte of the longest end that takes at most so many columns.
std::size_t end_within(std::string_view text, std::size_t columns) {
  std::size_t width = display_width(text);
  std::size_t offset = 0;
  while (offset < text.size() && width > columns) {
    const std::size_t begin = offset;
    decode_utf8(text, offset);
    width -= display_width(text.substr(begin, offset - begin));
  }
  return offset;
}

}  // namespace

std::size_t beginning_within(std::string_view text, std::size_t columns) {
  std::size_t kept = 0;
  std::size_t used = 0;
  for (std::size_t offset = 0; offset < text.size();) {
    const std::size_t begin = offset;
    decode_utf8(text, offset);
    used += display_width(text.substr(begin, offset - begin));
    if (used > columns) break;
    kept = offset;
  }
  return kept;
}

std::string repeated(std::string_view sign, std::int64_t times) {
  std::string text;
  for (std::int64_t i = 0; i < times; ++i) text += sign;
  return text;
}

Glyphs glyphs_for(const char* (*environment)(const char* name)) {
  if (environment == nullptr) return Glyphs::ascii();
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = environment(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string locale = lower(value);
    const bool utf8 = locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    return utf8 ? Glyphs{} : Glyphs::ascii();
  }
  return Glyphs::ascii();
}

std::string bar(std::int64_t part, std::int64_t whole, const Glyphs& glyphs, std::int64_t width) {
  if (whole <= 0) return "-";
  std::int64_t signs = width;
  if (part < whole) signs = std::min(width - 1, (part * width + whole - 1) / whole);
  return fmt::format("{}{} {:>4}", repeated(glyphs.full, signs), repeated(glyphs.empty, width - signs),
                     percent(part, whole));
}

std::string cut(std::string_view text, std::size_t columns, const Glyphs& glyphs) {
  if (display_width(text) <= columns) return std::string(text);
  const std::size_t room = columns - std::min(columns, display_width(glyphs.ellipsis));
  return std::string(text.substr(0, beginning_within(text, room))) + std::string(glyphs.ellipsis);
}

std::string cut_middle(std::string_view text, std::size_t columns, const Glyphs& glyphs) {
  if (display_width(text) <= columns) return std::string(text);
  const std::size_t room = columns - std::min(columns, display_width(glyphs.ellipsis));
  const auto beginning = text.substr(0, beginning_within(text, room - room / 2));
  const auto end = text.substr(end_within(text, room / 2));
  return std::string(beginning) + std::string(glyphs.ellipsis) + std::string(end);
}

}  // namespace bayplan::report

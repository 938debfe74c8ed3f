#include "report/glyphs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::report {
namespace {

constexpr std::int64_t kBarWidth = 6;

std::string repeated(std::string_view sign, std::int64_t times) {
  std::string text;
  for (std::int64_t i = 0; i < times; ++i) text += sign;
  return text;
}

}  // namespace

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

std::string bar(std::int64_t part, std::int64_t whole, const Glyphs& glyphs) {
  if (whole <= 0) return "-";
  std::int64_t signs = kBarWidth;
  if (part < whole) signs = std::min(kBarWidth - 1, (part * kBarWidth + whole - 1) / whole);
  return fmt::format("{}{} {:>3}%", repeated(glyphs.full, signs), repeated(glyphs.empty, kBarWidth - signs),
                     part * 100 / whole);
}

std::string cut(std::string_view text, std::size_t columns, const Glyphs& glyphs) {
  if (display_width(text) <= columns) return std::string(text);
  const std::size_t room = columns - std::min(columns, display_width(glyphs.ellipsis));
  std::string kept;
  std::size_t offset = 0;
  while (offset < text.size()) {
    const std::size_t begin = offset;
    decode_utf8(text, offset);
    if (display_width(text.substr(0, offset)) > room) break;
    kept += text.substr(begin, offset - begin);
  }
  return kept + std::string(glyphs.ellipsis);
}

}  // namespace bayplan::report

#include "report/document/terminal.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "report/document/figures.hpp"

namespace bayplan::report {

std::string Style::wrap(std::string_view code, std::string_view text) const {
  if (!colored_ || text.empty()) return std::string(text);
  std::string result = "\x1b[";
  ((result += code) += 'm') += text;
  return result += "\x1b[0m";
}

std::string Style::of(Severity severity, std::string_view text) const {
  switch (severity) {
    case Severity::kError:
      return wrap("1;31", text);
    case Severity::kWarning:
      return wrap("1;33", text);
    case Severity::kInfo:
      return wrap("1;34", text);
    case Severity::kStyle:
      return wrap("1;36", text);
  }
  return std::string(text);
}

std::string Style::answer(std::string_view text) const {
  constexpr std::size_t kWord = 3;
  const auto word = text.substr(0, kWord);
  return bold(word == "NO " ? red(word) : green(word)) + std::string(text.substr(kWord));
}

bool wants_color(std::string_view choice, bool is_terminal, const char* (*environment)(const char* name)) {
  if (choice == "always") return true;
  if (choice == "never") return false;
  const auto set = [&](const char* name) {
    const char* value = environment ? environment(name) : nullptr;
    return value != nullptr && *value != '\0';
  };
  if (set("NO_COLOR")) return false;
  if (set("FORCE_COLOR")) return true;
  const char* term = environment ? environment("TERM") : nullptr;
  return is_terminal && !(term != nullptr && std::string_view(term) == "dumb");
}

namespace {

/// First byte of the longest end that takes at most `columns`.
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

namespace {

constexpr std::size_t kDefaultColumns = 80;

std::size_t& columns_of_thread() {
  thread_local std::size_t columns = kDefaultColumns;
  return columns;
}

/// Whether `next` is the unit of the number that `word` ends with: "730 h", "47 %,".
bool is_unit_of(std::string_view word, std::string_view next) {
  constexpr std::array<std::string_view, 12> kUnits = {"h",   "%",    "s",     "min", "MiB",  "GiB",
                                                       "TiB", "vCPU", "vCPUs", "GPU", "GPUs", "ENI"};
  if (word.empty() || word.back() < '0' || word.back() > '9') return false;
  const auto unit = next.substr(0, next.find_first_of(".,;:)]"));
  return std::find(kUnits.begin(), kUnits.end(), unit) != kUnits.end();
}

/// Words that stay on one line.
std::vector<std::string> unbreakable_words(std::string_view text) {
  std::vector<std::string> words;
  for (const auto word : split(text, ' ')) {
    if (!words.empty() && is_unit_of(words.back(), word)) {
      (words.back() += ' ') += word;
    } else {
      words.emplace_back(word);
    }
  }
  return words;
}

}  // namespace

std::size_t text_columns() {
  return columns_of_thread();
}

TextWidth::TextWidth(std::size_t columns) : before_(columns_of_thread()) {
  columns_of_thread() = columns;
}

TextWidth::~TextWidth() {
  columns_of_thread() = before_;
}

std::vector<std::string> lines_within(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::size_t used = 0;
  for (const auto& word : unbreakable_words(text)) {
    const auto columns = display_width(word);
    if (used == 0 || used + 1 + columns > width) {
      if (used == 0 && !lines.empty()) {
        lines.back() += word;
      } else {
        if (!lines.empty()) lines.back().erase(lines.back().find_last_not_of(' ') + 1);  // two blanks in the text
        lines.push_back(word);
      }
      used = columns;
    } else {
      (lines.back() += ' ') += word;
      used += 1 + columns;
    }
  }
  return lines;
}

std::string wrapped(std::string_view text, std::size_t indent) {
  return join(lines_within(text, text_columns() - std::min(text_columns(), indent)), "\n" + std::string(indent, ' '));
}

void print_line(std::ostream& out, std::size_t indent, std::string_view text) {
  out << std::string(indent, ' ') << wrapped(printable(text), indent + 2) << '\n';
}

std::string answer_lines(const std::string& answer, bool in_one_line) {
  constexpr std::size_t kWord = 4;
  if (in_one_line || answer.size() < kWord) return answer;
  return answer.substr(0, kWord) + wrapped(std::string_view(answer).substr(kWord), kWord);
}

namespace {

constexpr std::size_t kLongestLine = 200;
constexpr std::size_t kLineHead = 50;
constexpr std::size_t kLineTail = 12;
constexpr std::size_t kMostLines = 36;
constexpr std::size_t kFirstLines = 8;
constexpr std::size_t kLastLines = 5;

/// A byte order mark would show as nothing.
std::string with_visible_mark(std::string line) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return line.starts_with(kMark) ? "<U+FEFF>" + line.substr(kMark.size()) : line;
}

std::string elided_line(std::string_view line) {
  if (line.size() <= kLongestLine) return std::string(line);
  const auto head = beginning_of_character(line, kLineHead);
  const auto tail = beginning_of_character(line, line.size() - kLineTail);
  return std::string(line.substr(0, head)) + " ... " + std::to_string(tail - head) + " bytes ... " +
         std::string(line.substr(tail));
}

}  // namespace

std::vector<std::string> elided_lines(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  const auto lines = split(text, '\n');
  const bool is_long = lines.size() > kMostLines;
  std::vector<std::string> result;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (is_long && i == kFirstLines) {
      const auto indent = lines[i].substr(0, lines[i].find_first_not_of(' '));
      result.push_back(std::string(indent) + "... " + std::to_string(lines.size() - kFirstLines - kLastLines) +
                       " more lines ...");
      i = lines.size() - kLastLines;
    }
    result.push_back(with_visible_mark(elided_line(lines[i])));
  }
  return result;
}

}  // namespace bayplan::report

#include "rules/message/paste.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>

#include "base/ascii.hpp"
#include "base/hexadecimal.hpp"
#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::rules {
namespace {

constexpr std::size_t kLargePaste = 256u << 10;  ///< From here, lines of a shape that was seen are left out.
constexpr std::size_t kKeptText = 384u << 10;    ///< Bytes of a large paste that are searched for messages.
constexpr std::size_t kKeptStart = 64u << 10;    ///< Of these, bytes of its beginning.
constexpr std::size_t kLongestLine = 8u << 10;   ///< Longer lines are read in pieces.

struct NumberedLine {
  std::string_view text;
  std::uint32_t number;
};

/// Lines of the text; an endless one in pieces, cut at blanks where it has any.
std::vector<NumberedLine> split_lines(std::string_view text) {
  std::vector<NumberedLine> lines;
  std::uint32_t number = 1;
  for (auto line : split(text, '\n')) {
    while (line.size() > kLongestLine) {
      const auto blank = line.substr(0, kLongestLine).find_last_of(" \t,");
      const auto end = blank == std::string_view::npos || blank == 0 ? kLongestLine : blank;
      lines.push_back({line.substr(0, end), number});
      line.remove_prefix(end);
    }
    lines.push_back({line, number++});
  }
  return lines;
}

/// Hash of a line in which words with digits (times, IDs, addresses, counts) are equal: two lines of one shape report
/// the same.
std::uint64_t shape_of(std::string_view line) {
  constexpr std::uint64_t kPrime = 1099511628211u;
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < line.size();) {
    std::size_t end = i;
    bool has_digit = false;
    while (end < line.size() && (is_letter(line[end]) || is_digit(line[end])))
      has_digit = is_digit(line[end++]) || has_digit;
    if (has_digit) {
      hash = (hash ^ '0') * kPrime;
    } else {
      for (std::size_t at = i; at < std::max(end, i + 1); ++at)
        hash = (hash ^ static_cast<unsigned char>(line[at])) * kPrime;
    }
    i = std::max(end, i + 1);
  }
  return hash;
}

/// The lines of a large paste that may say something: each shape once, then those that report trouble, then the
/// beginning and the end, where the error of a log is.
std::vector<NumberedLine> reduce(const std::vector<NumberedLine>& lines) {
  std::vector<NumberedLine> kept;
  std::unordered_set<std::uint64_t> shapes;
  std::size_t size = 0;
  for (const auto& line : lines) {
    if (!shapes.insert(shape_of(line.text)).second) continue;
    kept.push_back(line);
    size += line.text.size() + 1;
  }
  if (size <= kKeptText) return kept;
  std::erase_if(kept, [](const NumberedLine& line) { return !reports_trouble(line.text); });
  std::size_t from_start = 0;
  std::size_t start = 0;
  while (start < kept.size() && from_start + kept[start].text.size() <= kKeptStart)
    from_start += kept[start++].text.size() + 1;
  std::size_t from_end = 0;
  std::size_t end = kept.size();
  while (end > start && from_end + kept[end - 1].text.size() <= kKeptText - kKeptStart)
    from_end += kept[--end].text.size() + 1;
  kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(start), kept.begin() + static_cast<std::ptrdiff_t>(end));
  return kept;
}

/// Returns the text without the escape sequences that color a terminal, whether as bytes or as text ("\u001b[31m").
std::string without_colors(std::string_view text) {
  constexpr std::string_view kWritten[] = {"\x1b[", "\\u001b[", "\\x1b[", "\\033["};
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto rest = text.substr(i);
    const auto* lead = rest.front() == '\x1b' || rest.front() == '\\'
                           ? std::find_if(std::begin(kWritten), std::end(kWritten),
                                          [&](std::string_view one) { return rest.starts_with(one); })
                           : std::end(kWritten);
    if (lead != std::end(kWritten)) {
      const auto end = rest.find_first_not_of("0123456789;", lead->size());
      if (end != std::string_view::npos && rest[end] == 'm') {
        i += end;
        continue;
      }
    }
    plain += text[i];
  }
  return plain;
}

/// What tools write before each line: the bar of Terraform, quotation marks of mail, times, levels, names in brackets,
/// steps of a build, names of containers.
const Pattern& line_lead() {
  static const auto pattern = own_pattern(
      R"(^[ \t]*(?:(?:\xE2\x94\x82|\xE2\x95\xB7|\xE2\x95\xB5|\|)[ \t]?|)"
      R"(\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d:\d\d[-+.,:\dZ]*[ \t]+|\d\d:\d\d:\d\d[.,\d]*[ \t]+|)"
      R"([A-Z][a-z][a-z] [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,64} [\w./-]{1,40}(?:\[\d+\])?:[ \t]+|(?:>[ \t]?)+|)"
      R"(\[[^\]\n]{1,40}\][ \t]+|#\d+ \d+\.\d+ |[\w.-]{1,40} +\| |(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)[: \t]+)+)");
  return pattern;
}

/// The number that a viewer wrote before a line: `  17  text`, `17: text`, `17 | text`; nothing when there is none.
struct WrittenNumber {
  std::int64_t number = 0;
  std::size_t length = 0;  ///< Bytes of the line up to its text.
};

std::optional<WrittenNumber> written_number(std::string_view line) {
  const auto begin = std::min(line.find_first_not_of(" \t"), line.size());
  const auto end = std::min(line.find_first_not_of("0123456789", begin), line.size());
  const auto number = end - begin > 7 ? std::nullopt : to_integer(line.substr(begin, end - begin));
  const auto text = std::min(line.find_first_not_of(" \t:|", end), line.size());
  if (!number || text == end) return std::nullopt;
  return WrittenNumber{*number, text};
}

struct CleanLine {
  std::string text;  ///< Without what a viewer or a log wrote before it and without blanks at its ends.
  std::size_t indent;
  std::uint32_t number;
};

/// A number before a line counts as a line number only if the previous or next line has the adjacent number.
std::vector<CleanLine> without_line_leads(const std::vector<NumberedLine>& lines) {
  std::vector<std::optional<WrittenNumber>> numbers;
  for (const auto& line : lines) numbers.push_back(written_number(line.text));
  const auto follows = [&](std::size_t i) {
    return i > 0 && i < lines.size() && numbers[i] && numbers[i - 1] &&
           numbers[i]->number == numbers[i - 1]->number + 1;
  };
  std::vector<CleanLine> clean;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    auto text = without_colors(lines[i].text);
    if ((follows(i) || follows(i + 1)) && numbers[i]->length <= text.size()) text.erase(0, numbers[i]->length);
    if (const auto lead = line_lead().find(text, 0)) text.erase(0, lead->end);
    const auto indent = std::min(text.find_first_not_of(" \t"), text.size());
    clean.push_back({std::string(trim(text)), indent, lines[i].number});
  }
  return clean;
}

/// Which lines go on in the next one in the middle of a word: those as wide as the widest of their block (lines in a
/// row with the same indent), or of a width that is the most frequent one there. A line that was cut before a blank
/// begins with it, so it is one column further in, and the words stay apart.
std::vector<bool> find_cut_lines(const std::vector<CleanLine>& lines) {
  constexpr std::size_t kNarrowest = 30;
  std::vector<bool> cut(lines.size(), false);
  for (std::size_t begin = 0; begin < lines.size();) {
    std::size_t end = begin + 1;
    const auto indent = lines[begin].indent;
    const auto is_of_block = [&](const CleanLine& line) {
      return !line.text.empty() && (line.indent == indent || line.indent == indent + 1);
    };
    const auto width_of = [&](const CleanLine& line) { return line.indent - indent + code_points(line.text); };
    while (end < lines.size() && is_of_block(lines[end])) ++end;
    std::size_t widest = 0;
    std::map<std::size_t, std::size_t> frequencies;
    for (std::size_t i = begin; i < end; ++i) {
      const auto columns = width_of(lines[i]);
      widest = std::max(widest, columns);
      ++frequencies[columns];
    }
    const auto usual = std::max_element(frequencies.begin(), frequencies.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    for (std::size_t i = begin; i + 1 < end; ++i) {
      const auto columns = width_of(lines[i]);
      const bool is_full =
          columns >= kNarrowest && (columns == widest || (columns == usual->first && usual->second > 1));
      cut[i] = is_full && lines[i + 1].indent == indent;
    }
    begin = end;
  }
  return cut;
}

/// A character that is written in another form, and how many bytes the form takes.
struct Spelled {
  std::string_view meant;
  std::size_t length;
};

/// The character of a code point, where it is ASCII or a typographic quote.
std::string_view plain_character(std::int64_t code) {
  static constexpr std::string_view kAscii =
      " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
  if (code >= ' ' && code <= '~') return kAscii.substr(static_cast<std::size_t>(code - ' '), 1);
  if (code == 0x2018 || code == 0x2019) return "'";
  if (code == 0x201C || code == 0x201D) return "\"";
  if (code == '\n' || code == '\r') return "\n";
  return code == '\t' || code == 0xA0 ? " " : std::string_view();
}

/// A backslash before a quote, a letter or a code point; each layer of escaping doubles the backslashes.
std::optional<Spelled> unescape_backslash(std::string_view text) {
  const auto after = text.find_first_not_of('\\');
  if (after == std::string_view::npos) return std::nullopt;
  switch (text[after]) {
    case '"':
      return Spelled{"\"", after + 1};
    case '\'':
      return Spelled{"'", after + 1};
    case 'n':
    case 'r':
      return Spelled{"\n", after + 1};
    case 't':
      return Spelled{" ", after + 1};
    case '/':
      return Spelled{"/", after + 1};
    case 'u': {
      const auto code = parse_hex(text.substr(after + 1, 4));
      const auto meant = code ? plain_character(*code) : std::string_view();
      if (!meant.empty()) return Spelled{meant, after + 5};
      break;
    }
    default:
      break;
  }
  if (after > 1) return Spelled{"\\", after};
  return std::nullopt;
}

/// An entity of HTML, itself perhaps escaped: &#x27; &quot; &amp;quot;
std::optional<Spelled> unescape_entity(std::string_view text) {
  std::size_t lead = 1;
  while (text.substr(lead).starts_with("amp;")) lead += 4;
  const auto end = text.substr(0, lead + 8).find(';', lead);
  const auto name = end == std::string_view::npos ? std::string_view() : text.substr(lead, end - lead);
  static constexpr std::pair<std::string_view, std::string_view> kNamed[] = {
      {"quot", "\""}, {"apos", "'"}, {"lt", "<"}, {"gt", ">"}, {"nbsp", " "}};
  for (const auto& [entity, meant] : kNamed)
    if (name == entity) return Spelled{meant, end + 1};
  if (name.size() > 1 && name.front() == '#') {
    const bool is_hexadecimal = name[1] == 'x' || name[1] == 'X';
    const auto code =
        is_hexadecimal ? std::optional<std::int64_t>(parse_hex(name.substr(2))) : to_integer(name.substr(1));
    const auto meant = code ? plain_character(*code) : std::string_view();
    if (!meant.empty()) return Spelled{meant, end + 1};
  }
  if (lead > 1) return Spelled{"&", lead};
  return std::nullopt;
}

/// Quotes in a row, as CSV and SQL double them: one is meant, unless they quote nothing.
std::optional<Spelled> unescape_doubled_quotes(std::string_view text, std::string_view before) {
  const auto end = std::min(text.find_first_not_of(text.front()), text.size());
  if (end < 2) return std::nullopt;
  const auto is_part = [](char c) { return is_letter(c) || is_digit(c) || c == '.' || c == ')' || c == '%'; };
  const bool is_beside_word = (!before.empty() && is_part(before.back())) || (end < text.size() && is_part(text[end]));
  if (!is_beside_word && end == 2) return std::nullopt;
  return Spelled{text.substr(0, 1), end};
}

std::optional<Spelled> find_spelled(std::string_view text, std::string_view before) {
  static constexpr std::pair<std::string_view, std::string_view> kTypographic[] = {
      {"\xE2\x80\x98", "'"},  {"\xE2\x80\x99", "'"}, {"\xE2\x80\x9C", "\""},
      {"\xE2\x80\x9D", "\""}, {"\xE2\x94\x82", " "}, {"\xC2\xA0", " "}};
  switch (text.front()) {
    case '\\':
      return unescape_backslash(text);
    case '&':
      return unescape_entity(text);
    case '"':
    case '\'':
      return unescape_doubled_quotes(text, before);
    case '\xE2':
    case '\xC2':
      for (const auto& [form, meant] : kTypographic)
        if (text.starts_with(form)) return Spelled{meant, form.size()};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

bool is_blank_in_paste(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == '`';
}

/// "target-" at the end of a line: what follows belongs to the same word.
bool ends_in_hyphen(std::string_view line) {
  return line.size() > 1 && line.back() == '-' && is_letter(line[line.size() - 2]);
}

/// The lines as one, with a blank between two of them unless the first is cut inside of a word.
Paste join_lines(const std::vector<CleanLine>& lines, const std::vector<bool>& cut) {
  Paste paste;
  std::string& out = paste.text;
  const auto add_blank = [&] {
    if (!out.empty() && out.back() != ' ') out += ' ';
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    paste.lines.push_back({out.size(), lines[i].number});
    std::string_view text = lines[i].text;
    while (!text.empty()) {
      const auto spelled = find_spelled(text, out);
      for (const char c : spelled ? spelled->meant : text.substr(0, 1)) {
        if (!is_blank_in_paste(c)) {
          out += c;
        } else if (c != '\n' || !ends_in_hyphen(out)) {
          add_blank();
        }
      }
      text.remove_prefix(spelled ? spelled->length : 1);
    }
    if (!cut[i] && !ends_in_hyphen(out)) add_blank();
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return paste;
}

}  // namespace

std::uint32_t Paste::line_at(std::size_t offset) const {
  const auto after = std::upper_bound(lines.begin(), lines.end(), offset,
                                      [](std::size_t at, const Line& line) { return at < line.offset; });
  return after == lines.begin() ? 1 : std::prev(after)->number;
}

bool reports_trouble(std::string_view line) {
  static const auto pattern = own_pattern(
      "(?i)error|fail|exception|denied|refused|timed? ?out|timeout|cannot|can't|could not|couldn't|unable|invalid|"
      "not (?:found|valid|supported|authorized|exist)|unexpected|unknown|missing|must |exceed|exhausted|insufficient|"
      "unhealthy|killed|exited|critical|fatal|panic|abort|reject|forbidden|unauthorized|stopped|RESOURCE:");
  return pattern.matches_part(line);
}

std::vector<Paste> read_paste(std::string_view pasted) {
  auto lines = split_lines(pasted);
  const bool is_large = pasted.size() > kLargePaste;
  if (is_large) lines = reduce(lines);
  const auto clean = without_line_leads(lines);
  const std::vector<bool> whole(clean.size(), false);
  std::vector<Paste> readings{join_lines(clean, whole)};
  const auto cut = find_cut_lines(clean);
  if (!is_large && std::find(cut.begin(), cut.end(), true) != cut.end()) readings.push_back(join_lines(clean, cut));
  return readings;
}

}  // namespace bayplan::rules

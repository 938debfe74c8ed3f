#include "model/placeholder.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/strings.hpp"

namespace bayplan::model {
namespace {

bool is_name_start(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
bool is_name(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}
bool is_upper_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

using Found = std::optional<std::string_view>;

/// The ASCII characters that a text holds. Every kind of placeholder begins with one of a few, most values hold none of
/// them, and `lint` asks for each value many times.
class Characters {
 public:
  explicit Characters(std::string_view text) {
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 128) held_[byte / 64] |= std::uint64_t{1} << (byte % 64);
    }
  }
  bool holds(char c) const {
    const auto byte = static_cast<unsigned char>(c);
    return (held_[byte / 64] >> (byte % 64) & 1) != 0;
  }
  bool holds_any(std::string_view characters) const {
    return std::any_of(characters.begin(), characters.end(), [&](char c) { return holds(c); });
  }

 private:
  std::array<std::uint64_t, 2> held_{};
};

Found between(std::string_view text, std::string_view open, std::string_view close) {
  const auto begin = text.find(open);
  if (begin == std::string_view::npos) return std::nullopt;
  const auto end = text.find(close, begin + open.size());
  if (end == std::string_view::npos || end == begin + open.size()) return std::nullopt;
  return text.substr(begin, end + close.size() - begin);
}

/// `open` NAME `close`, where NAME is letters, digits, `_`, and `more`.
Found enclosed_name(std::string_view text, std::string_view open, std::string_view close, std::string_view more) {
  for (auto begin = text.find(open); begin != std::string_view::npos; begin = text.find(open, begin + 1)) {
    std::size_t at = begin + open.size();
    if (at >= text.size() || !is_name_start(text[at])) continue;
    // A group of a regular expression has its name so: (?<name>...), (?P<name>...).
    if (text.substr(0, begin).ends_with("(?") || text.substr(0, begin).ends_with("(?P")) continue;
    while (at < text.size() && (is_name(text[at]) || more.find(text[at]) != std::string_view::npos)) ++at;
    if (text.substr(at, close.size()) == close) return text.substr(begin, at + close.size() - begin);
  }
  return std::nullopt;
}

/// "ap-northeast-1", "us-gov-west-1"
bool begins_like_region(std::string_view text) {
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  std::size_t at = 0;
  while (at < text.size() && is_letter(text[at])) ++at;
  if (at != 2) return false;
  int words = 0;
  while (at + 1 < text.size() && text[at] == '-' && is_letter(text[at + 1])) {
    for (++at; at < text.size() && is_letter(text[at]); ++at) continue;
    ++words;
  }
  return words > 0 && at + 1 < text.size() && text[at] == '-' && text[at + 1] >= '1' && text[at + 1] <= '9';
}

/// `$NAME` of the shell, not `$$` and not at the end of a word such as `a$b`.
Found dollar_name(std::string_view text) {
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] != '$' || !is_name_start(text[i + 1])) continue;
    if (i > 0 && (text[i - 1] == '$' || text[i - 1] == '\\')) continue;
    std::size_t end = i + 1;
    while (end < text.size() && is_name(text[end])) ++end;
    if (begins_like_region(text.substr(i + 1))) continue;  // "$ap-northeast-1": a letter too many
    return text.substr(i, end - i);
  }
  return std::nullopt;
}

/// `%NAME`, which sed replaces: in capitals, not all of them those of hexadecimal digits, as in `%20` and `%E3` of
/// URLs; a shorter name only as the whole value, as `%CPU` is.
Found percent_name(std::string_view text) {
  constexpr std::size_t kShortestPart = 5;
  constexpr std::size_t kShortestWhole = 3;
  for (auto begin = text.find('%'); begin != std::string_view::npos; begin = text.find('%', begin + 1)) {
    std::size_t end = begin + 1;
    while (end < text.size() && is_upper_name(text[end])) ++end;
    const auto word = text.substr(begin, end - begin);
    const bool is_name = word.find_first_not_of("0123456789ABCDEF%") != std::string_view::npos;
    if (word.size() >= (word == text ? kShortestWhole : kShortestPart) && is_name &&
        (begin == 0 || text[begin - 1] != '%'))
      return word;
  }
  return std::nullopt;
}

/// `%/app/github-token%`: a whole value between percent signs, which scripts replace that fetch parameters by their
/// names.
Found percent_path(std::string_view text) {
  if (text.size() < 3 || text.front() != '%' || text.back() != '%') return std::nullopt;
  const auto name = text.substr(1, text.size() - 2);
  const bool begins_so = is_name_start(name.front()) || name.front() == '/';
  const auto is_part = [](char c) { return is_name(c) || c == '/' || c == '.' || c == '-'; };
  return begins_so && std::all_of(name.begin(), name.end(), is_part) ? Found(text) : std::nullopt;
}

/// `arn:aws:secretsmanager:...`: an ARN of which a part was left out.
Found elided_arn(std::string_view text) {
  if (!text.starts_with("arn:")) return std::nullopt;
  for (const std::string_view dots : {"...", "\u2026"}) {
    if (const auto at = text.find(dots); at != std::string_view::npos) return text.substr(at, dots.size());
  }
  return std::nullopt;
}

/// `__NAME__`, as whole words: `__X__` but not the underscores inside `a__b`.
Found double_underscore(std::string_view text) {
  for (auto begin = text.find("__"); begin != std::string_view::npos; begin = text.find("__", begin + 1)) {
    if (begin > 0 && is_name(text[begin - 1])) continue;
    std::size_t end = begin + 2;
    while (end < text.size() && is_name(text[end])) ++end;
    const auto word = text.substr(begin, end - begin);
    if (word.size() > 4 && word.substr(word.size() - 2) == "__") return word;
  }
  return std::nullopt;
}

/// Words that template authors write for "your value here", whole words only.
Found fill_in_word(std::string_view text) {
  for (const std::string_view word : {"REPLACE_ME", "ACCOUNT_ID", "YOUR_ACCOUNT_ID", "AWS_ACCOUNT_ID", "CHANGE_ME",
                                      "CHANGEME", "REPLACEME", "YOUR_AWS_ACCOUNT_ID"}) {
    for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      const std::size_t end = at + word.size();
      if ((at == 0 || !is_name(text[at - 1])) && (end == text.size() || !is_name(text[end]))) return word;
    }
  }
  if (text.size() > 10 && text.substr(0, 8) == "REPLACE_") {
    for (const char c : text) {
      if (!is_upper_name(c)) return std::nullopt;
    }
    return text;
  }
  return std::nullopt;
}

/// The same in small letters, only as the whole value, for they may be a part of a name.
bool is_fill_in_value(std::string_view text) {
  constexpr std::size_t kLongest = 11;
  if (text.size() > kLongest) return false;
  const std::string_view word = text.starts_with('/') ? text.substr(1) : text;
  constexpr std::array<std::string_view, 6> kWords{"changeme",  "change-me",  "change_me",
                                                   "replaceme", "replace-me", "replace_me"};
  return std::find(kWords.begin(), kWords.end(), word) != kWords.end();
}

/// Placeholders of documentation: YOUR_ECR_REPO, MY_BUCKET, REPLACE_WITH_ARN, PLACEHOLDER_image, TODO, and
/// TARGET_GROUP_ARN as the whole value.
Found documentation_word(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_name(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const bool is_capital = !word.empty() && std::all_of(word.begin(), word.end(), is_upper_name);
    const bool is_addressed = word.starts_with("YOUR_") || (is_capital && word.starts_with("MY_"));
    const bool is_variable = is_capital && word == text && (word.ends_with("_ARN") || word.ends_with("_URI"));
    const bool is_replaced = is_capital && word.starts_with("REPLACE_");
    if (is_addressed || is_variable || is_replaced || word.starts_with("PLACEHOLDER") ||
        word.ends_with("_PLACEHOLDER") || word == "TODO" || word == "FIXME")
      return word;
    at = std::max(end, at + 1);
  }
  return std::nullopt;
}

/// "producer container name", "task role arn", "Image URL": what is to be written there, in words.
bool is_description_of_value(std::string_view text) {
  constexpr std::size_t kLongest = 60;
  const auto is_part = [](char c) { return is_name(c) || c == ' ' || c == '-'; };
  if (text.size() > kLongest || !std::all_of(text.begin(), text.end(), is_part)) return false;
  const std::string words = lower(text);
  // "bad name" may be meant so.
  const bool has_three_words = std::count(text.begin(), text.end(), ' ') >= 2;
  return (has_three_words && words.ends_with(" name")) || words.ends_with(" arn") || words.ends_with(" uri") ||
         words.ends_with(" url") || words.ends_with(" here");
}

/// Instructions to the reader: FILL-IN-YOUR-TARGET-GROUP, a value of capitals alone, "ARN of the role", "replace with
/// your role" and "change me/web:1".
Found instruction(std::string_view text) {
  constexpr std::size_t kLongestBegin = 16;
  const std::string begin_of_text = lower(trim(text).substr(0, kLongestBegin));
  for (const std::string_view begin :
       {"arn of ", "arn for ", "your ", "to be ", "replace with ", "replace by ", "replace me", "replace this",
        "replace the ", "replace arn ", "replace your ", "change me", "insert your ", "insert the ", "enter your ",
        "enter the ", "fill in ", "put your "}) {
    if (begin_of_text.starts_with(begin)) return text;
  }
  if (is_description_of_value(text)) return text;
  const auto is_part = [](char c) { return is_upper_name(c) || c == '-'; };
  if (!std::all_of(text.begin(), text.end(), is_part)) return std::nullopt;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of("-_", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (word == "YOUR" || word == "FILL" || word == "INSERT" || word == "REPLACE") return text;
    at = end + 1;
  }
  return std::nullopt;
}

/// REGION and ACCOUNT in an ARN or a registry, where a region is in lower case and an account has digits.
Found capitals_for_region_or_account(std::string_view text) {
  const auto capitals_at = [&](std::size_t at) -> Found {
    std::size_t end = at;
    while (end < text.size() && ((text[end] >= 'A' && text[end] <= 'Z') || text[end] == '_')) ++end;
    return end - at >= 3 && (end == text.size() || !is_name(text[end])) ? Found(text.substr(at, end - at))
                                                                        : std::nullopt;
  };
  if (text.starts_with("arn:")) {
    std::size_t at = 0;
    for (int part = 0; part < 5 && at != std::string_view::npos; ++part) {
      if (part >= 3) {
        if (const auto found = capitals_at(at)) return found;
      }
      const auto colon = text.find(':', at);
      at = colon == std::string_view::npos ? colon : colon + 1;
    }
  }
  if (const auto registry = text.find(".dkr.ecr."); registry != std::string_view::npos) {
    if (const auto found = capitals_at(0)) return found;
    if (const auto found = capitals_at(registry + 9)) return found;
  }
  return std::nullopt;
}

/// `<アカウント>`: angle brackets around a word of any script, which nothing else in a value is. `<default>` is what
/// consoles print.
Found foreign_angle_brackets(std::string_view text) {
  const auto begin = text.find('<');
  const auto end = begin == std::string_view::npos ? begin : text.find('>', begin);
  if (end == std::string_view::npos || end == begin + 1) return std::nullopt;
  const auto inside = text.substr(begin + 1, end - begin - 1);
  const bool is_foreign = std::any_of(inside.begin(), inside.end(), [](char c) { return (c & 0x80) != 0; });
  return is_foreign ? Found(text.substr(begin, end + 1 - begin)) : std::nullopt;
}

/// `<image of your app`: an instruction whose closing bracket was forgotten.
Found unclosed_angle_bracket(std::string_view text) {
  if (text.size() < 2 || text.front() != '<' || !is_name_start(text[1])) return std::nullopt;
  const auto is_part = [](char c) { return is_name(c) || c == ' ' || c == '-' || c == '.'; };
  return std::all_of(text.begin() + 1, text.end(), is_part) ? Found(text) : std::nullopt;
}

/// Xs or other signs where an ARN or a registry wants the 12 digits of an account, or a subnet or security group its
/// own.
Found crossed_out(std::string_view text) {
  const bool is_id = text.starts_with("subnet-") || text.starts_with("sg-");
  if (!is_id && text.find("arn:") == std::string_view::npos && text.find(".dkr.ecr.") == std::string_view::npos)
    return std::nullopt;
  for (const char x : {'X', 'x', '*', '#'}) {
    for (auto at = text.find(x); at != std::string_view::npos; at = text.find(x, at)) {
      std::size_t end = at;
      while (end < text.size() && text[end] == x) ++end;
      const bool whole = (at == 0 || !is_name(text[at - 1])) && (end == text.size() || !is_name(text[end]));
      if (whole && end - at >= (x == '*' ? 3 : 4)) return text.substr(at, end - at);  // CI logs print secrets as ***
      at = end;
    }
  }
  return std::nullopt;
}

struct Marks {
  std::string_view open;
  std::string_view close;
};

/// What replacement tools and people put around a name, the longer before its beginning. Each has other meanings too
/// (a class of a regular expression, a format of curl), so it counts only in a text that is made of nothing but such
/// names and what an image, an ARN or a name is made of.
constexpr std::array<Marks, 11> kMarks{{{"[[", "]]"},
                                        {"[", "]"},
                                        {"((", "))"},
                                        {"{", "}"},
                                        {"%{", "}"},
                                        {"%(", ")s"},
                                        {"@{", "}"},
                                        {"$[", "]"},
                                        {"##", "##"},
                                        {"$$", "$$"},
                                        {"&&", "&&"}}};

constexpr std::string_view kFirstOfMarks = "[({%@$#&";

/// `X`, `your image`; no colon, for `[fd00::8]` is an address.
bool is_marked_name(std::string_view inside, bool is_numbered) {
  const std::string_view name = trim(inside);
  if (name.empty()) return false;
  if (is_numbered && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) return true;
  return is_name_start(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_name(c) || c == ' ' || c == '.' || c == '-'; });
}

/// `{account}.dkr.ecr.{region}.amazonaws.com/web:[tag]`; numbers count as names where they begin with {0}.
Found marked_name(std::string_view text) {
  const bool is_numbered = text.find("{0}") != std::string_view::npos;
  Found first;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_plain = is_name(text[at]) || std::string_view("./:@-").find(text[at]) != std::string_view::npos;
    std::size_t length = 0;
    for (const auto& [open, close] : kMarks) {
      if (text[at] != open.front() || !text.substr(at).starts_with(open)) continue;
      const std::size_t begin = at + open.size();
      const std::size_t end = text.find(close, begin);
      if (end == std::string_view::npos || !is_marked_name(text.substr(begin, end - begin), is_numbered)) continue;
      length = end + close.size() - at;
      break;
    }
    if (length > 0 && !first) first = text.substr(at, length);
    if (length == 0 && !is_plain) return std::nullopt;
    at += std::max<std::size_t>(length, 1);
  }
  return first;
}

}  // namespace

std::optional<std::string_view> Placeholders::find(std::string_view text, bool shell_text) const {
  if (own_.any_matches_part(text) || is_fill_in_value(text)) return text;
  const Characters held(text);
  const bool is_arn_or_registry = text.starts_with("arn:") || text.find(".dkr.ecr.") != std::string_view::npos;
  if (!is_arn_or_registry && !held.holds_any("${<%@_#[(&RACYXxPTF* ")) return std::nullopt;
  if (text == "<default>" || text == "<none>") return std::nullopt;  // what consoles print
  if (held.holds('{')) {
    if (const auto found = between(text, "{{", "}}")) return found;
    if (const auto found = between(text, "{%", "%}")) return found;
    if (const auto found = between(text, "{INSERT ", "}")) return found;
  }
  if (held.holds('$')) {
    if (const auto found = enclosed_name(text, "$$$", "$$$", "")) return found;
  }
  if (held.holds('#')) {
    if (const auto found = between(text, "#{", "}#")) return found;
    if (const auto found = enclosed_name(text, "#{", "}", ".-")) return found;
  }
  if (held.holds('<')) {
    if (const auto found = between(text, "<%", "%>")) return found;
    if (const auto found = between(text, "<+", ">")) return found;
  }
  if (!shell_text) {
    if (held.holds('$')) {
      if (const auto found = between(text, "${", "}")) return found;
      if (const auto found = between(text, "$(", ")")) return found;
      if (const auto found = dollar_name(text)) return found;
    }
    if (held.holds_any(kFirstOfMarks)) {
      if (const auto found = marked_name(text)) return found;
    }
  }
  if (held.holds('<')) {
    if (const auto found = enclosed_name(text, "<", ">", "-. ")) return found;
  }
  if (held.holds('%')) {
    if (const auto found = enclosed_name(text, "%", "%", "")) return found;
    if (const auto found = percent_path(text)) return found;
    if (const auto found = percent_name(text); found && !shell_text) return found;
  }
  if (held.holds('@')) {
    if (const auto found = enclosed_name(text, "@", "@", "")) return found;
  }
  if (held.holds('_')) {
    if (const auto found = double_underscore(text)) return found;
  }
  if (held.holds('<')) {
    if (const auto found = foreign_angle_brackets(text)) return found;
    if (const auto found = unclosed_angle_bracket(text); found && !shell_text) return found;
  }
  if (held.holds_any("_ETFY ")) {  // Each of their words has one of these, and a sentence has blanks.
    if (const auto found = fill_in_word(text)) return found;
    if (!shell_text) {
      if (const auto found = documentation_word(text)) return found;
      if (const auto found = instruction(text)) return found;
    }
  }
  if (is_arn_or_registry) {
    if (const auto found = capitals_for_region_or_account(text)) return found;
    if (const auto found = elided_arn(text)) return found;
  }
  return held.holds_any("Xx*#") ? crossed_out(text) : std::nullopt;
}

bool is_intrinsic(text::Value value) {
  if (!value || !value.is_object() || value.size() != 1) return false;
  const auto key = value.at(0).key();
  return key == "Ref" || key.substr(0, 4) == "Fn::";
}

bool Placeholders::holds(text::Value value) const {
  if (!value) return false;
  if (value.kind() == text::Kind::kPlaceholder) return true;
  if (!value.tag().empty() && value.tag().front() == '!' && value.tag().size() > 1) return true;  // !Ref, !Sub ...
  if (value.is_object()) return is_intrinsic(value);
  if (!value.is_string()) return false;
  const auto found = find(value.text());
  if (!found) return false;  // most values, and a shell has no more placeholders
  // One placeholder in place of a whole list or object, even where words of it would be the shell's.
  const bool is_left_open = !value.key().empty() && *found == value.text();
  return is_left_open || !is_shell_text(value) || find(value.text(), true).has_value();
}

bool is_shell_text(text::Value value) {
  if (value.key() == "healthCheck") return true;  // Written as one command line.
  for (text::Value at = value; at; at = at.parent()) {
    const auto key = at.key();
    if (key == "command" || key == "entryPoint") return true;
  }
  return false;
}

}  // namespace bayplan::model

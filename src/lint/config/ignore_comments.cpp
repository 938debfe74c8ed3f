#include "lint/config/ignore_comments.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "text/location.hpp"

namespace bayplan::lint {
namespace {

using text::Value;

constexpr std::string_view kMarker = "bayplan:";
constexpr std::string_view kIgnore = "ignore";
constexpr std::string_view kDisable = "disable";  ///< What pylint and shellcheck call it.
constexpr std::string_view kBlanks = " \t\r";

bool is_blank(char c) {
  return kBlanks.find(c) != std::string_view::npos;
}

std::string_view without_blanks_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kBlanks), text.size()));
}

std::string_view take_word(std::string_view& text) {
  const std::string_view word = text.substr(0, text.find_first_of(" \t\r=,"));
  text.remove_prefix(word.size());
  return word;
}

/// Where values begin and end, and which bytes belong to scalars and keys: a `#` in them begins no comment.
class Places {
 public:
  explicit Places(const text::Document& document) : source_(document.source()) {
    for (std::uint32_t i = 0; i < document.node_count(); ++i) add(document.node(i));
    const auto by_begin = [](const Span& a, const Span& b) { return a.begin < b.begin; };
    std::sort(words_.begin(), words_.end(), by_begin);
    std::sort(values_.begin(), values_.end(), by_begin);
  }

  bool is_in_word(std::uint32_t offset) const {
    const auto next = std::upper_bound(words_.begin(), words_.end(), offset,
                                       [](std::uint32_t at, const Span& span) { return at < span.begin; });
    return next != words_.begin() && offset < std::prev(next)->end;
  }

  /// The line and all that begins on it.
  Span block_of(Span line) const {
    auto value = std::lower_bound(values_.begin(), values_.end(), line.begin,
                                  [](const Span& span, std::uint32_t at) { return span.begin < at; });
    for (; value != values_.end() && value->begin < line.end; ++value) line.end = std::max(line.end, value->end);
    return line;
  }

 private:
  void add(Value value) {
    if (value.key_span().length() > 0) words_.push_back(value.key_span());
    const bool is_collection = value.is_object() || value.is_array();
    if (!is_collection) words_.push_back(word_of(value));
    const std::uint32_t begin = value.key_span().length() > 0 ? value.key_span().begin : value.span().begin;
    if (!is_collection || value.key_span().length() > 0 || is_marked(value.span().begin)) {
      values_.push_back({begin, value.span().end});
    }
  }

  /// What follows `|` or `>` on its line may be a comment.
  Span word_of(Value value) const {
    Span span = value.span();
    if (value.style() != text::Style::kBlock) return span;
    span.begin = std::min(static_cast<std::uint32_t>(source_.find('\n', span.begin)), span.end);
    return span;
  }

  /// Whether a bracket or a dash says that a collection begins here; its first key alone means itself.
  bool is_marked(std::uint32_t begin) const {
    if (begin < source_.size() && (source_[begin] == '{' || source_[begin] == '[')) return true;
    while (begin > 0 && (source_[begin - 1] == ' ' || source_[begin - 1] == '\t')) --begin;
    return begin > 0 && source_[begin - 1] == '-';
  }

  std::string_view source_;
  std::vector<Span> words_;
  std::vector<Span> values_;
};

class CommentReader {
 public:
  CommentReader(const text::Document& document, const std::string& file)
      : source_(document.source()),
        file_(file),
        is_yaml_(document.format() == text::Format::kYaml),
        lines_(source_),
        places_(document),
        first_content_(next_content(0)) {}

  IgnoreComments read() && {
    for (auto at = source_.find(kMarker); at != std::string_view::npos; at = source_.find(kMarker, at + 1)) {
      const auto offset = static_cast<std::uint32_t>(at);
      const std::size_t opener = opener_before(offset);
      if (opener != std::string_view::npos && !places_.is_in_word(offset)) read_comment(opener, offset);
    }
    return std::move(found_);
  }

 private:
  // --- the text around a comment

  Span line_span(std::uint32_t line) const {
    const std::uint32_t begin = lines_.line_start(line);
    return {begin, begin + static_cast<std::uint32_t>(lines_.line(line).size())};
  }

  /// Where the comment opens whose text begins with the marker; npos when none does.
  std::size_t opener_before(std::uint32_t marker) const {
    std::size_t at = marker;
    while (at > 0 && is_blank(source_[at - 1])) --at;
    if (is_yaml_) {
      if (at == 0 || source_[at - 1] != '#') return std::string_view::npos;
      while (at > 0 && source_[at - 1] == '#') --at;
      const bool is_apart = at == 0 || is_blank(source_[at - 1]) || source_[at - 1] == '\n';
      return is_apart ? at : std::string_view::npos;
    }
    const std::string_view before = source_.substr(0, at);
    if (before.ends_with("//") || before.ends_with("/*")) return at - 2;
    return before.ends_with("/**") ? at - 3 : std::string_view::npos;
  }

  bool is_comment_or_blank(std::string_view text) const {
    text = without_blanks_before(text);
    if (text.empty()) return true;
    return is_yaml_ ? text.front() == '#' : text.starts_with("//") || text.starts_with("/*");
  }

  bool is_content(std::uint32_t line) const {
    const std::string_view text = lines_.line(line);
    if (is_comment_or_blank(text)) return false;
    const bool is_head_of_yaml = is_yaml_ && (text.front() == '%' || trim(text) == "---");
    return !is_head_of_yaml;
  }

  /// The first line with content after `line`; one past the last without. Comments that follow each other ask for the
  /// same one.
  std::uint32_t next_content(std::uint32_t line) {
    if (line >= asked_from_ && line < answer_) return answer_;
    asked_from_ = line;
    answer_ = line + 1;
    while (answer_ <= lines_.line_count() && !is_content(answer_)) ++answer_;
    return answer_;
  }

  Span covered_by(std::size_t opener, std::uint32_t line, std::string_view rest_of_line) {
    const Span own = line_span(line);
    const bool is_alone =
        is_comment_or_blank(source_.substr(own.begin, opener - own.begin)) && is_comment_or_blank(rest_of_line);
    if (is_alone && line < first_content_) return {0, static_cast<std::uint32_t>(source_.size() + 1)};
    const std::uint32_t target = is_alone ? next_content(line) : line;
    if (target > lines_.line_count()) return {};
    const auto [known, is_new] = blocks_.try_emplace(target);
    if (is_new) known->second = places_.block_of(line_span(target));
    return known->second;
  }

  // --- what a comment says

  Error place(std::string_view part) const {
    const auto where = lines_.location(static_cast<std::uint32_t>(part.data() - source_.data()));
    return {.file = file_, .line = where.line, .column = where.column};
  }

  void fail(std::string_view part, std::string message, std::string help) {
    Error error = place(part);
    error.message = std::move(message);
    error.help = std::move(help);
    found_.faults.push_back(std::move(error));
  }

  std::string example() const {
    return fmt::format("use {} bayplan: ignore=BAY113 and the reason", is_yaml_ ? "#" : "//");
  }

  void read_comment(std::size_t opener, std::uint32_t marker) {
    const std::uint32_t line = lines_.location(marker).line;
    const Span own = line_span(line);
    std::string_view text = source_.substr(marker, own.end - marker);
    std::string_view rest;
    if (source_[opener] == '/' && source_[opener + 1] == '*') {
      const std::size_t end = std::min(text.find("*/"), text.size());
      rest = text.substr(std::min(end + 2, text.size()));
      text = text.substr(0, end);
    }
    std::string_view body = without_blanks_before(text.substr(kMarker.size()));
    const std::string_view word = take_word(body);
    const bool is_directive = body.starts_with('=');
    if (word != kIgnore && word != kDisable) {
      if (is_directive && nearest(word, {kIgnore})) fail(word, fmt::format("unknown directive '{}'", word), example());
      return;
    }
    if (!is_directive) return fail(word, "ignore without a rule", example());
    body.remove_prefix(1);
    Ignore ignore = read_rules(body);
    if (ignore.rules.empty()) return fail(word, "ignore without a rule", example());
    if (read_reason(trim(body), ignore)) found_.ignores.push_back({std::move(ignore), covered_by(opener, line, rest)});
  }

  Ignore read_rules(std::string_view& body) const {
    Ignore ignore;
    for (bool goes_on = true; goes_on;) {
      body = without_blanks_before(body);
      const std::string_view selector = take_word(body);
      if (!selector.empty()) ignore.rules.push_back({std::string(selector), place(selector)});
      const std::string_view after = without_blanks_before(body);
      goes_on = !selector.empty() && after.starts_with(',');
      if (goes_on) body = after.substr(1);
    }
    return ignore;
  }

  /// False when the day cannot be understood: then nothing is silenced.
  bool read_reason(std::string_view text, Ignore& ignore) {
    constexpr std::string_view kUntil = "until=";
    for (std::string_view word; !text.empty(); text = without_blanks_before(text.substr(word.size()))) {
      word = text.substr(0, text.find_first_of(kBlanks));
      if (!word.starts_with(kUntil)) {
        (ignore.reason += ignore.reason.empty() ? "" : " ") += word;
        continue;
      }
      ignore.until = parse_day(word.substr(kUntil.size()));
      ignore.until_place = place(word);
      if (ignore.until) continue;
      fail(word, fmt::format("'{}' is not a date", word.substr(kUntil.size())), "use until=2027-01-31");
      return false;
    }
    if (ignore.reason.starts_with("-- ")) ignore.reason.erase(0, 3);
    return true;
  }

  std::string_view source_;
  const std::string& file_;
  bool is_yaml_;
  text::LineIndex lines_;
  Places places_;
  std::uint32_t asked_from_ = 0;
  std::uint32_t answer_ = 0;
  std::uint32_t first_content_;
  std::map<std::uint32_t, Span> blocks_;  ///< Keyed by line.
  IgnoreComments found_;
};

}  // namespace

bool allows_comments(std::string_view file) {
  return file.ends_with(".jsonc") || file.ends_with(".json5");
}

IgnoreComments read_ignore_comments(const text::Document& document, const std::string& file) {
  if (document.source().find(kMarker) == std::string::npos) return {};
  if (document.format() != text::Format::kYaml && !allows_comments(file)) return {};
  return CommentReader(document, file).read();
}

}  // namespace bayplan::lint

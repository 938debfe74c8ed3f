#include "lint/config/ignore_comments.hpp"

#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "text/hcl.hpp"
#include "text/line_ends.hpp"
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

/// How a comment may begin in a file.
struct CommentSigns {
  bool hash = false;     ///< `#`
  bool slashes = false;  ///< `//` and `/*`
};

CommentSigns comment_signs(const text::Document& document, std::string_view file) {
  if (document.format() == text::Format::kHcl) return {.hash = true, .slashes = true};
  return {.hash = document.format() == text::Format::kYaml,
          .slashes = file.ends_with(".jsonc") || file.ends_with(".json5")};
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
    if (document.format() == text::Format::kHcl) {
      // The tree has only what resources come to; comments are anywhere.
      add(text::read_hcl(source_).body);
    } else {
      for (std::uint32_t i = 0; i < document.node_count(); ++i) add(document.node(i));
    }
    const auto by_begin = [](const Span& a, const Span& b) { return a.begin < b.begin; };
    std::sort(words_.begin(), words_.end(), by_begin);
    std::sort(values_.begin(), values_.end(), by_begin);
  }

  bool is_in_word(std::uint32_t offset) const {
    const auto next = std::upper_bound(words_.begin(), words_.end(), offset,
                                       [](std::uint32_t at, const Span& span) { return at < span.begin; });
    return next != words_.begin() && offset < std::prev(next)->end;
  }

  /// The offset, or where the scalar begins that it is in.
  std::uint32_t begin_of_word(std::uint32_t offset) const {
    const auto next = std::upper_bound(words_.begin(), words_.end(), offset,
                                       [](std::uint32_t at, const Span& span) { return at < span.begin; });
    const bool is_inside = next != words_.begin() && offset < std::prev(next)->end;
    return is_inside ? std::prev(next)->begin : offset;
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

  void add(const text::HclBody& body) {
    for (const auto& attribute : body.attributes) {
      values_.push_back({attribute.name_span.begin, attribute.value.span.end});
      add(attribute.value);
    }
    for (const auto& block : body.blocks) {
      words_.push_back(block.header);
      values_.push_back({block.type_span.begin, block.body.span.end});
      add(block.body);
    }
  }

  void add(const text::HclExpression& expression) {
    using Form = text::HclExpression::Kind;
    values_.push_back(expression.span);
    if (expression.kind == Form::kTemplate) return words_.push_back(expression.span);
    const auto& parts = expression.children;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const bool is_key = expression.kind == Form::kObject && i % 2 == 0 && i + 1 < parts.size();
      if (is_key) values_.push_back({parts[i].span.begin, parts[i + 1].span.end});
      add(parts[i]);
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

/// The lines of a file, and where comments are and may be in it.
class CommentedText {
 public:
  CommentedText(const text::Document& document, CommentSigns signs)
      : source_(document.source()),
        is_yaml_(document.format() == text::Format::kYaml),
        signs_(signs),
        lines_(source_),
        places_(document),
        first_content_(next_content(0)) {}

  std::string_view source() const { return source_; }
  const text::LineIndex& lines() const { return lines_; }
  const Places& places() const { return places_; }
  std::string_view sign() const { return signs_.hash ? "#" : "//"; }
  std::uint32_t first_content() const { return first_content_; }

  Span line_span(std::uint32_t line) const {
    const std::uint32_t begin = lines_.line_start(line);
    return {begin, begin + static_cast<std::uint32_t>(lines_.line(line).size())};
  }

  /// Where the comment opens whose text begins with the marker; npos when none does.
  std::size_t opener_before(std::uint32_t marker) const {
    std::size_t at = marker;
    while (at > 0 && is_blank(source_[at - 1])) --at;
    if (signs_.hash && at > 0 && source_[at - 1] == '#') {
      while (at > 0 && source_[at - 1] == '#') --at;
      const bool is_apart = at == 0 || is_blank(source_[at - 1]) || source_[at - 1] == '\n';
      return is_apart || !is_yaml_ ? at : std::string_view::npos;
    }
    if (!signs_.slashes) return std::string_view::npos;
    const std::string_view before = source_.substr(0, at);
    if (before.ends_with("//") || before.ends_with("/*")) return at - 2;
    return before.ends_with("/**") ? at - 3 : std::string_view::npos;
  }

  bool is_comment_or_blank(std::string_view text) const {
    text = without_blanks_before(text);
    return text.empty() || begins_comment(text);
  }

  /// Whether the line has a comment behind its content.
  bool has_comment(Span line) const {
    for (std::uint32_t at = line.begin; at < line.end; ++at) {
      if (!places_.is_in_word(at) && begins_comment(source_.substr(at, line.end - at))) return true;
    }
    return false;
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

 private:
  bool begins_comment(std::string_view text) const {
    if (signs_.hash && text.starts_with('#')) return true;
    return signs_.slashes && (text.starts_with("//") || text.starts_with("/*"));
  }

  bool is_content(std::uint32_t line) const {
    const std::string_view text = lines_.line(line);
    if (is_comment_or_blank(text)) return false;
    const bool is_head_of_yaml = is_yaml_ && (text.front() == '%' || trim(text) == "---");
    return !is_head_of_yaml;
  }

  std::string_view source_;
  bool is_yaml_;
  CommentSigns signs_;
  text::LineIndex lines_;
  Places places_;
  std::uint32_t asked_from_ = 0;
  std::uint32_t answer_ = 0;
  std::uint32_t first_content_;
};

class CommentReader {
 public:
  CommentReader(const text::Document& document, CommentSigns signs, const std::string& file)
      : text_(document, signs), source_(text_.source()), file_(file) {}

  IgnoreComments read() && {
    for (auto at = source_.find(kMarker); at != std::string_view::npos; at = source_.find(kMarker, at + 1)) {
      const auto offset = static_cast<std::uint32_t>(at);
      const std::size_t opener = text_.opener_before(offset);
      if (opener != std::string_view::npos && !text_.places().is_in_word(offset)) read_comment(opener, offset);
    }
    return std::move(found_);
  }

 private:
  Span covered_by(std::size_t opener, std::uint32_t line, std::string_view rest_of_line) {
    const Span own = text_.line_span(line);
    const bool is_alone = text_.is_comment_or_blank(source_.substr(own.begin, opener - own.begin)) &&
                          text_.is_comment_or_blank(rest_of_line);
    if (is_alone && line < text_.first_content()) return {0, static_cast<std::uint32_t>(source_.size() + 1)};
    const std::uint32_t target = is_alone ? text_.next_content(line) : line;
    if (target > text_.lines().line_count()) return {};
    const auto [known, is_new] = blocks_.try_emplace(target);
    if (is_new) known->second = text_.places().block_of(text_.line_span(target));
    return known->second;
  }

  // --- what a comment says

  Error place(std::string_view part) const {
    const auto where = text_.lines().location(static_cast<std::uint32_t>(part.data() - source_.data()));
    return {.file = file_, .line = where.line, .column = where.column};
  }

  void fail(std::string_view part, std::string message, std::string help) {
    Error error = place(part);
    error.message = std::move(message);
    error.help = std::move(help);
    found_.faults.push_back(std::move(error));
  }

  std::string example() const { return fmt::format("use {} bayplan: ignore=BAY113 and the reason", text_.sign()); }

  void read_comment(std::size_t opener, std::uint32_t marker) {
    const std::uint32_t line = text_.lines().location(marker).line;
    const Span own = text_.line_span(line);
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
      if (is_directive && !word.empty()) fail(word, fmt::format("unknown directive '{}'", word), example());
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

  CommentedText text_;
  std::string_view source_;
  const std::string& file_;
  std::map<std::uint32_t, Span> blocks_;  ///< Keyed by line.
  IgnoreComments found_;
};

}  // namespace

bool allows_comments(const text::Document& document, std::string_view file) {
  const auto signs = comment_signs(document, file);
  return signs.hash || signs.slashes;
}

IgnoreComments read_ignore_comments(const text::Document& document, const std::string& file) {
  if (document.source().find(kMarker) == std::string::npos) return {};
  if (!allows_comments(document, file)) return {};
  return CommentReader(document, comment_signs(document, file), file).read();
}

std::vector<Edit> ignore_comments(const text::Document& document, std::string_view file,
                                  const std::vector<UnwantedFinding>& findings) {
  std::vector<Edit> edits;
  if (findings.empty() || !allows_comments(document, file)) return edits;
  const CommentedText text(document, comment_signs(document, file));
  std::map<std::uint32_t, std::vector<std::string>> rules_by_line;
  for (const auto& finding : findings) {
    // Inside of a text of several lines, the comment belongs above the line where it begins.
    std::uint32_t line = text.lines().location(finding.offset).line;
    while (true) {
      const std::uint32_t start = text.lines().line_start(line);
      const std::uint32_t begin = start == 0 ? 0 : text.places().begin_of_word(start);
      if (begin >= start) break;
      line = text.lines().location(begin).line;
    }
    auto& rules = rules_by_line[line];
    if (std::find(rules.begin(), rules.end(), finding.rule) == rules.end()) rules.emplace_back(finding.rule);
  }
  for (const auto& [line, rules] : rules_by_line) {
    const std::string comment = fmt::format("{} bayplan: ignore={}", text.sign(), join(rules, ","));
    const Span span = text.line_span(line);
    // Above the first line, it would apply to the whole file.
    if (line > text.first_content()) {
      const std::string_view content = text.lines().line(line);
      const std::string indent(content.substr(0, content.size() - without_blanks_before(content).size()));
      edits.push_back(
          {{span.begin, span.begin}, text::with_matching_line_ends(text.source(), indent + comment + "\n")});
    } else if (!text.places().is_in_word(span.end) && !text.has_comment(span)) {
      edits.push_back({{span.end, span.end}, "  " + comment});
    }
  }
  return edits;
}

}  // namespace bayplan::lint

#include "text/yaml_reader.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/excerpt.hpp"
#include "base/span.hpp"
#include "base/strings.hpp"
#include "text/document.hpp"
#include "text/placeholder_syntax.hpp"
#include "text/template_language.hpp"
#include "text/yaml_blocks.hpp"
#include "text/yaml_events.hpp"

namespace bayplan::text {

namespace {

/// A text in which the template expressions where a YAML value may be are hidden from the parser (`image: {{ repo
/// }}:x` is two nested maps to YAML). Every byte keeps its place.
struct MaskedYaml {
  std::string text;
  std::vector<Span> hidden;  ///< Listed in text order.
};

/// `- !Sub |`: yaml-cpp 0.7 measures the lines of such a block against the column of the tag, not of the dash, and
/// refuses what every other reader takes.
struct UntaggedYaml {
  struct Tag {
    std::uint32_t block;  ///< Offset of the `|` or `>`.
    Span span;            ///< Span of the tag, which is blanks in `text`.
  };
  std::string text;
  std::vector<Tag> tags;  ///< Listed in text order.
};

/// Replaces a hidden byte. No text holds DEL; one that does is not masked.
constexpr char kMask = '\x7F';

bool may_begin_template(char c) {
  return c == '$' || c == '{' || c == '<' || c == '#' || c == '%' || c == '@' || c == '_';
}

/// A scanner with a cursor: it keeps the open quote and the last characters.
class Masker {
 public:
  explicit Masker(std::string_view text) : text_(text), blocks_(text) { masked_.text = text; }

  MaskedYaml run() && {
    for (std::size_t i = 0; i < text_.size();) i = step(i);
    return std::move(masked_);
  }

 private:
  /// Handles what is at `i` and returns where to go on.
  std::size_t step(std::size_t i) {
    const char c = text_[i];
    if (c == '\n' || c == '\r') return begin_line(i);
    if (quote_ != '\0') {
      if (const std::size_t length = quoting_expression_length(text_, i); length > 0) return mask(i, length);
      if (c == quote_) quote_ = '\0';
      return i + (c == '\\' && quote_ == '"' ? 2 : 1);
    }
    if ((c == '"' || c == '\'') && at_value()) {
      quote_ = before_ = last_ = c;
      return i + 1;
    }
    if (may_begin_template(c)) {
      if (const std::size_t end = hide(i); end != i) return end;
    }
    if (c == '#' && (before_ == '\n' || (i > 0 && text_[i - 1] == ' ')))
      return std::min(text_.find_first_of("\r\n", i), text_.size());
    if (c != ' ' && c != '\t') before_ = last_ = c;
    return i + 1;
  }

  std::size_t begin_line(std::size_t line_end) {
    quote_ = '\0';
    before_ = '\n';
    return text_[line_end] == '\r' ? line_end + 1 : blocks_.after_line(line_end);
  }

  /// A scalar may begin here, or goes on after an expression.
  bool at_value() const {
    return before_ == '\n' || before_ == ':' || before_ == '-' || before_ == ',' || before_ == '[' || before_ == '{';
  }

  std::size_t hide(std::size_t i) {
    if (const std::size_t length = template_statement_length(text_, i); length > 0 && before_ == '\n') {
      return blank(i, length);
    }
    const std::size_t length = placeholder_length(text_, i);
    if (length == 0 || (text_[i] == '#' && !at_value())) return i;
    const bool goes_on = i > 0 && text_[i - 1] != ' ' && text_[i - 1] != '\t';
    if (!at_value() && !goes_on) return i;
    if (before_ == '\n' && stands_for_lines(i, length)) return blank(i, length);
    before_ = last_ = kMask;
    return mask(i, length);
  }

  std::size_t mask(std::size_t i, std::size_t length) {
    std::fill_n(masked_.text.begin() + static_cast<std::ptrdiff_t>(i), length, kMask);
    masked_.hidden.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + length)});
    return i + length;
  }

  /// Lines stay lines.
  std::size_t blank(std::size_t i, std::size_t length) {
    const auto begin = masked_.text.begin() + static_cast<std::ptrdiff_t>(i);
    std::replace_if(
        begin, begin + static_cast<std::ptrdiff_t>(length), [](char c) { return c != '\n' && c != '\r'; }, ' ');
    return i + length;
  }

  /// `{{ include "labels" . }}` alone on its line, and no value of the key before it.
  bool stands_for_lines(std::size_t i, std::size_t length) const {
    if (text_.substr(i, 2) != "{{") return false;
    const std::size_t after = std::min(text_.find_first_not_of(" \t", i + length), text_.size());
    if (after < text_.size() && text_[after] != '\n' && text_[after] != '\r') return false;
    return last_ != ':';
  }

  std::string_view text_;
  YamlBlocks blocks_;
  MaskedYaml masked_;
  char quote_ = '\0';
  char last_ = '\n';    ///< Last character including the lines before.
  char before_ = '\n';  ///< The last character that is no blank; a line end at the start of a line.
};

/// The tag of a line such as `  - !Sub |-`.
std::optional<UntaggedYaml::Tag> block_tag(std::string_view text, std::size_t line, std::size_t line_end) {
  std::size_t i = text.find_first_not_of(" -", line);
  if (i >= line_end || text[i] != '!' || i == line || text[i - 1] != ' ') return std::nullopt;
  if (text.substr(line, i - line).find('-') == std::string_view::npos) return std::nullopt;
  const std::size_t tag_end = std::min(text.find_first_of(" \t", i), line_end);
  const std::size_t block = std::min(text.find_first_not_of(" \t", tag_end), line_end);
  if (block == line_end || (text[block] != '|' && text[block] != '>')) return std::nullopt;
  return UntaggedYaml::Tag{static_cast<std::uint32_t>(block),
                           {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(tag_end)}};
}

/// The text with the tags of blocks in lists taken away; nothing when there is none.
std::optional<UntaggedYaml> hide_block_tags(std::string_view text) {
  UntaggedYaml result;
  for (std::size_t line = 0; line < text.size();) {
    const std::size_t line_end = std::min(text.find_first_of("\r\n", line), text.size());
    if (const auto tag = block_tag(text, line, line_end)) result.tags.push_back(*tag);
    line = line_end + 1;
  }
  if (result.tags.empty()) return std::nullopt;
  result.text = text;
  for (const auto& tag : result.tags) std::fill_n(result.text.begin() + tag.span.begin, tag.span.length(), ' ');
  return result;
}

/// Nothing when the text holds no template.
std::optional<MaskedYaml> mask_templates(std::string_view text) {
  if (text.find(kMask) != std::string_view::npos) return std::nullopt;
  const bool has_template = text.find("{{") != std::string_view::npos || text.find("{%") != std::string_view::npos ||
                            text.find("{#") != std::string_view::npos || text.find("${") != std::string_view::npos ||
                            text.find("#{") != std::string_view::npos ||
                            text.find("{INSERT ") != std::string_view::npos ||
                            text.find_first_of("%@") != std::string_view::npos;
  if (!has_template) return std::nullopt;
  auto masked = Masker(text).run();
  return masked.text == text ? std::nullopt : std::optional(std::move(masked));
}

/// Whether `decoded` holds hidden bytes.
bool holds_mask(std::string_view decoded) {
  return decoded.find(kMask) != std::string_view::npos;
}

/// The scalar's text as it was written, from events read off the masked text. Owned by the caller when it is no slice.
std::string unmask(std::string_view decoded, Span span, std::string_view source, const MaskedYaml& masked) {
  std::string written;
  const auto first = std::lower_bound(masked.hidden.begin(), masked.hidden.end(), span.begin,
                                      [](Span hidden, std::uint32_t begin) { return hidden.begin < begin; });
  for (auto hidden = first; hidden != masked.hidden.end() && hidden->end <= span.end; ++hidden) {
    written += source.substr(hidden->begin, hidden->length());
  }
  std::string result(decoded);
  std::size_t next = 0;
  for (char& c : result) {
    if (c == kMask && next < written.size()) c = written[next++];
  }
  return result;
}

constexpr std::string_view kUnclosedQuote = "unclosed quote";

struct YamlLibraryMessage {
  std::string_view beginning;  ///< How the library's message begins.
  std::string_view message;
  std::string_view help;
};

constexpr YamlLibraryMessage kYamlMessages[] = {
    {"end of sequence flow not found", "unclosed '['", "close it with ']'"},
    {"end of map flow not found", "unclosed '{'", "close it with '}'"},
    {"illegal EOF in scalar", kUnclosedQuote, "close the string"},
    {"illegal map value", "unexpected ':'",
     "check the indentation of this line; quote the text if the ':' belongs to it"},
    {"illegal map key", "unexpected key", "check the indentation of this line"},
    {"illegal block entry", "unexpected '- '", "check the indentation of this line; separate items in [ ] with ','"},
    {"end of map not found", "indentation does not match any outer level",
     "use the same indentation for all keys of an object"},
    {"end of sequence not found", "indentation does not match any outer level",
     "use the same indentation for all items of a list"},
    {"illegal flow end", "unmatched closing bracket", "delete it, or quote the text"},
    {"unknown token", "a value cannot start with this character", "quote the text"},
    {"illegal tab", "tab used for indentation", "indent with spaces"},
    {"illegal document indicator", "'---' or '...' inside a string", "indent it, or close the string before"},
    {"illegal character in scalar", "character is not allowed in unquoted text", "quote the text"},
    {"the referenced anchor is not defined", "undefined anchor",
     "define it with '&' first, or quote the text if it is not an alias"},
    {"alias not found", "'*' without a name", "quote the text if it is not an alias"},
    {"anchor not found", "'&' without a name", "quote the text if it is not an anchor"},
    {"illegal character found while scanning alias", "invalid character in an alias name",
     "quote the text if it is not an alias"},
    {"illegal character found while scanning anchor", "invalid character in an anchor name",
     "quote the text if it is not an anchor"},
    {"illegal character found while scanning tag", "invalid character in a tag", "quote the text if it is not a tag"},
    {"tag handle with no suffix", "tag without a name", "quote the text if it is not a tag"},
    {"end of verbatim tag", "'!<' without '>'", "quote the text if it is not a tag"},
    {"cannot assign multiple tags", "two tags on one value", "keep one"},
    {"cannot assign multiple anchors", "two anchors on one value", "keep one"},
    {"cannot assign multiple aliases", "two aliases for one value", "keep one"},
    {"aliases can't have any content", "an alias cannot have its own value, tag or anchor",
     "move it to a separate line"},
    {"bad character found while scanning hex", "\\x, \\u and \\U escapes require hexadecimal digits",
     "use \\\\ for a backslash"},
    {"invalid unicode", "\\u escape is not a valid character",
     "use the character itself, or \\U and eight digits; YAML has no surrogate pairs"},
    {"unknown escape character", "invalid backslash escape in YAML", "use \\\\ for a backslash, or single quotes"},
    {"cannot set zero indentation", "a text block cannot be indented by 0", "use a number from 1 to 9, or none"},
    {"unexpected character in block scalar", "only an indentation number, '+' or '-' may follow '|' or '>'",
     "start the text on the next line"},
    {"YAML directives", "a %YAML line requires one version", "use %YAML 1.2, or delete the line"},
    {"bad YAML version", "a %YAML line requires one version", "use %YAML 1.2, or delete the line"},
    {"YAML major version", "unknown YAML version", "use %YAML 1.2, or delete the line"},
    {"repeated", "duplicate directive", "keep one"},
    {"TAG directives", "a %TAG line requires a handle and a prefix", "delete the line"},
};

YamlLibraryMessage split_library_message(std::string_view said) {
  for (const YamlLibraryMessage& wording : kYamlMessages) {
    if (said.starts_with(wording.beginning)) return wording;
  }
  return {{}, "invalid YAML", "check the indentation and the quotes of this line"};
}

Fault syntax_fault(Span span, std::string_view message, std::string_view help) {
  return {FaultKind::kYamlSyntax, span, std::string(message), std::string(help), {}, {}};
}

/// The tab in the indentation of the line of `offset` or the line before, which the library notices only later.
std::optional<Span> indenting_tab(std::string_view text, std::uint32_t offset) {
  std::size_t end = offset;
  for (int line = 0; line < 2; ++line) {
    const std::size_t line_end = end == 0 ? std::string_view::npos : text.find_last_of("\r\n", end - 1);
    const std::size_t start = line_end == std::string_view::npos ? 0 : line_end + 1;
    for (std::size_t i = start; i < text.size() && (text[i] == ' ' || text[i] == '\t'); ++i) {
      if (text[i] == '\t') return Span{static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(i + 1)};
    }
    if (start == 0) break;
    end = start - 1;
  }
  return std::nullopt;
}

/// Whether the line of `offset` goes on with the text of a `- &anchor text` above and is no deeper than that
/// anchor: good YAML, which the library measures against the anchor and not against the dash.
bool goes_on_behind_anchor(std::string_view text, std::uint32_t offset) {
  constexpr auto kNone = std::string_view::npos;
  const auto line_of = [&](std::size_t at) { return at == 0 ? 0 : text.find_last_of("\r\n", at - 1) + 1; };
  const std::size_t column = offset - line_of(offset);
  const std::size_t end = text.substr(0, line_of(offset)).find_last_not_of(" \r\n");
  if (end == kNone) return false;
  const std::size_t line = line_of(end);
  const std::size_t dash = text.find_first_not_of(' ', line);
  const std::size_t anchor = text.find_first_not_of(' ', dash + 1);
  if (text[dash] != '-' || anchor > end || text[anchor] != '&') return false;
  const std::size_t behind = text.find_first_of(" \r\n", anchor);
  return behind < end && dash - line < column && column <= anchor - line;
}

/// The word at `offset`, at least one character of it.
Span word_at(std::string_view text, std::uint32_t offset) {
  const auto size = static_cast<std::uint32_t>(text.size());
  const std::uint32_t begin = std::min(offset, size);
  const auto end = static_cast<std::uint32_t>(std::min(text.find_first_of(" \t\r\n,]}", begin), text.size()));
  const auto least = static_cast<std::uint32_t>(end_of_character(text, std::min(begin + 1, size)));
  return {begin, std::max(end, least)};
}

/// What the YAML library says, and the byte at which it stopped, as the place and the words of a fault. `open_bracket`:
/// the innermost `[` or `{` that is open there.
Fault fault_of_library(std::string_view message, std::int64_t position, std::string_view text,
                       std::optional<std::uint32_t> open_bracket) {
  const YamlLibraryMessage wording = split_library_message(message);
  const auto offset =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(position, 0, static_cast<std::int64_t>(text.size())));
  if (const auto tab = indenting_tab(text, offset)) {
    return syntax_fault(*tab, "tab used for indentation", "indent with spaces");
  }
  if (goes_on_behind_anchor(text, offset)) {
    return syntax_fault(word_at(text, offset),
                        "bayplan cannot read this anchored text in a list, although YAML allows it",
                        "indent the text more than its anchor");
  }
  const bool is_unclosed = message.find("flow not found") != std::string_view::npos;
  if (is_unclosed && open_bracket)
    return syntax_fault({*open_bracket, *open_bracket + 1}, wording.message, wording.help);
  if (wording.message.find(" escape ") != std::string_view::npos) {
    if (const auto backslash = text.substr(0, offset).rfind('\\'); backslash != std::string_view::npos) {
      return syntax_fault(
          {static_cast<std::uint32_t>(backslash), std::max(offset, static_cast<std::uint32_t>(backslash + 1))},
          wording.message, wording.help);
    }
  }
  return syntax_fault(word_at(text, offset), wording.message, wording.help);
}

/// Moves the fault of a quote that the library missed at the end of the text to where it opens: the first one behind
/// the last value. Other faults stay.
void point_at_quote(std::string_view text, std::uint32_t values_end, Fault& fault) {
  if (fault.message != kUnclosedQuote) return;
  const std::size_t quote = text.find_first_of("\"'", values_end);
  if (quote == std::string_view::npos) return;
  const auto line_end = std::min(text.find_first_of("\r\n", quote), text.size());
  fault.span = {static_cast<std::uint32_t>(quote), static_cast<std::uint32_t>(line_end)};
}

/// The library ends a text at EOT and takes other control characters for letters; a byte order mark it takes off
/// without counting it, and all places would be off by it.
std::optional<Fault> unreadable_character(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    return syntax_fault({0, 3}, "second byte order mark", "save the file as UTF-8 without BOM");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 || c == '\t' || c == '\n' || c == '\r') continue;
    const auto at = static_cast<std::uint32_t>(i);
    return syntax_fault({at, at + 1}, "control character is not allowed in YAML",
                        "delete it, or use an escape in a string with \" quotes");
  }
  return std::nullopt;
}

/// A second root: after `---` another document, without it something that fits neither list nor map above.
Fault second_root(std::string_view text, std::uint32_t begin, std::uint32_t first_end) {
  const std::size_t marker = text.substr(0, begin).rfind("\n---");
  if (marker != std::string_view::npos && marker + 1 >= first_end) {
    const auto at = static_cast<std::uint32_t>(marker + 1);
    return syntax_fault({at, at + 3}, "second YAML document", "keep one document per file");
  }
  if (text.substr(begin, 3) == "---")
    return syntax_fault({begin, begin + 3}, "second YAML document", "keep one document per file");
  return syntax_fault(word_at(text, begin), "content outside of the list or object above",
                      "check the indentation of this line");
}

using Type = YamlEvent::Type;

/// Collects the events of the first document; of a second one only where it begins.
class Recorder : public YAML::EventHandler {
 public:
  Recorder(std::string_view text, std::uint32_t depth_limit, Builder& builder)
      : text_(text), depth_limit_(depth_limit), builder_(builder) {
    events.anchors.push_back(0);  // ids count from 1
  }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ == 2) second_document = offset(mark);
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { add(Type::kNull, mark, anchor); }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (YamlEvent* event = add(Type::kAlias, mark, 0)) event->anchor = static_cast<std::uint32_t>(anchor);
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    YamlEvent* event = add(Type::kScalar, mark, anchor);
    if (event == nullptr) return;
    event->plain = tag == "?";
    event->tag = kept_tag(tag);
    event->text =
        text_.substr(event->at, value.size()) == value ? text_.substr(event->at, value.size()) : builder_.keep(value);
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Type::kSequence, mark, tag, anchor);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Type::kMap, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  /// The innermost `[` or `{` that is open.
  std::optional<std::uint32_t> open_bracket() const {
    for (auto index = open_.rbegin(); index != open_.rend(); ++index) {
      const std::uint32_t at = events.list[*index].at;
      if (at < text_.size() && (text_[at] == '[' || text_[at] == '{')) return at;
    }
    return std::nullopt;
  }

  void close_all() {
    while (!open_.empty()) end_innermost();
  }

  YamlEvents events;
  std::optional<std::uint32_t> second_document;
  std::optional<std::uint32_t> too_deep;

 private:
  std::uint32_t offset(const YAML::Mark& mark) const {
    return std::min(static_cast<std::uint32_t>(std::max(mark.pos, 0)), static_cast<std::uint32_t>(text_.size()));
  }

  std::string_view kept_tag(const std::string& tag) {
    return tag == "?" || tag == "!" ? std::string_view() : builder_.keep(tag);
  }

  YamlEvent* add(Type type, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (documents_ > 1 || too_deep) return nullptr;
    const auto index = static_cast<std::uint32_t>(events.list.size());
    YamlEvent& event = events.list.emplace_back();
    event.type = type;
    event.at = offset(mark);
    event.end = index + 1;
    event.anchor = static_cast<std::uint32_t>(anchor);
    if (anchor != 0) {
      if (events.anchors.size() <= anchor) events.anchors.resize(anchor + 1);
      events.anchors[anchor] = index;
    }
    return &event;
  }

  void open(Type type, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (open_.size() >= depth_limit_ && !too_deep && documents_ == 1) too_deep = offset(mark);
    YamlEvent* event = add(type, mark, anchor);
    if (event == nullptr) return;
    event->tag = kept_tag(tag);
    open_.push_back(static_cast<std::uint32_t>(events.list.size() - 1));
  }

  void close() {
    if (documents_ > 1 || too_deep || open_.empty()) return;
    end_innermost();
  }

  void end_innermost() {
    YamlEvent& event = events.list.emplace_back();
    event.type = Type::kClose;
    event.end = static_cast<std::uint32_t>(events.list.size());
    events.list[open_.back()].end = event.end;
    open_.pop_back();
  }

  std::string_view text_;
  std::uint32_t depth_limit_;
  Builder& builder_;
  std::vector<std::uint32_t> open_;
  int documents_ = 0;
};

struct Reading {
  YamlEvents events;
  std::optional<Fault> fault;
};

bool has_collection_as_key(const YamlEvents& events) {
  for (const YamlEvent& event : events.list) {
    if (event.type != Type::kMap) continue;
    const auto first = static_cast<std::uint32_t>(&event - events.list.data()) + 1;
    for (std::uint32_t i = first; i + 1 < event.end; i = events.list[i].end) {
      if (events.list[i].is_collection()) return true;
      i = events.list[i].end;
      if (i + 1 >= event.end) break;
    }
  }
  return false;
}

std::uint32_t values_end(const YamlEvents& events) {
  std::uint32_t end = 0;
  for (const YamlEvent& event : events.list) end = std::max(end, event.span.end);
  return end;
}

Reading parse(std::string_view text, const Limits& limits, Builder& builder) {
  Recorder recorder(text, limits.depth, builder);
  Reading reading;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (!recorder.second_document && parser.HandleNextDocument(recorder)) {
    }
  } catch (const YAML::Exception& problem) {
    reading.fault = fault_of_library(problem.msg, problem.mark.pos, text, recorder.open_bracket());
  }
  if (recorder.too_deep) {
    reading.fault = Fault{FaultKind::kTooDeep,
                          word_at(text, *recorder.too_deep),
                          "nested deeper than " + std::to_string(limits.depth) + " levels",
                          {},
                          {},
                          {}};
  }
  recorder.close_all();
  reading.events = std::move(recorder.events);
  if (auto unclosed = locate(text, reading.events)) {
    reading.fault = std::move(unclosed);
  } else if (reading.fault) {
    point_at_quote(text, values_end(reading.events), *reading.fault);
  }
  if (recorder.second_document && !reading.fault) {
    const std::uint32_t first_end = reading.events.list.empty() ? 0 : reading.events.list.front().span.end;
    reading.fault = second_root(text, *recorder.second_document, first_end);
  }
  return reading;
}

/// Replaces the masks of the events by the texts of the source.
void restore(YamlEvents& events, std::string_view text, const MaskedYaml& masked, Builder& builder) {
  for (YamlEvent& event : events.list) {
    if (event.type != Type::kScalar && event.type != Type::kNull) continue;
    const bool is_slice = event.text.size() == event.span.length();
    if (event.type == Type::kNull || (is_slice && event.plain)) {
      event.text = text.substr(event.span.begin, event.span.length());
    } else if (holds_mask(event.text)) {
      event.text = builder.keep(unmask(event.text, event.span, text, masked));
    } else {
      event.text = builder.keep(std::string(event.text));  // the masked text does not live on
    }
  }
}

void restore_tags(YamlEvents& events, std::string_view text, const std::vector<UntaggedYaml::Tag>& tags) {
  auto tag = tags.begin();
  for (YamlEvent& event : events.list) {
    if (event.style != Style::kBlock) continue;
    while (tag != tags.end() && tag->block < event.span.begin) ++tag;
    if (tag != tags.end() && tag->block == event.span.begin)
      event.tag = text.substr(tag->span.begin, tag->span.length());
  }
}

bool is_syntax_fault(const Reading& reading) {
  return reading.fault && reading.fault->kind == FaultKind::kYamlSyntax;
}

/// `family: web` above a key that is indented too deep: the value runs on to the ':' of that key.
void mark_cut_scalar(Reading& reading) {
  for (YamlEvent& event : reading.events.list)
    event.is_cut = event.plain && event.span.end == reading.fault->span.begin;
}

}  // namespace

std::optional<Fault> read_yaml(std::string_view text, const Limits& limits, Builder& builder) {
  if (auto fault = unreadable_character(text)) return fault;
  Reading reading = parse(text, limits, builder);
  std::string_view parsed = text;
  const auto untagged = is_syntax_fault(reading) ? hide_block_tags(text) : std::nullopt;
  if (untagged) {
    parsed = untagged->text;
    reading = parse(parsed, limits, builder);
  }
  // `key: #{X}#` is a comment to YAML, `key: {INSERT X}` a map, and to who replaces it a value.
  const bool has_token =
      parsed.find(" #{") != std::string_view::npos || parsed.find("{INSERT ") != std::string_view::npos;
  const bool may_be_template = is_syntax_fault(reading) || has_collection_as_key(reading.events) || has_token;
  const auto masked = may_be_template ? mask_templates(parsed) : std::nullopt;
  if (masked) reading = parse(masked->text, limits, builder);
  if (untagged || masked) restore(reading.events, text, masked.value_or(MaskedYaml{}), builder);
  if (untagged) restore_tags(reading.events, text, untagged->tags);
  if (is_syntax_fault(reading)) mark_cut_scalar(reading);
  expand(reading.events, limits, builder);
  return std::move(reading.fault);
}

}  // namespace bayplan::text

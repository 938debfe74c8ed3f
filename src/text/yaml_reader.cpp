#include "text/yaml_reader.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "base/excerpt.hpp"
#include "base/strings.hpp"
#include "text/yaml_events.hpp"
#include "text/yaml_expand.hpp"
#include "text/yaml_locate.hpp"
#include "text/yaml_template.hpp"

namespace bayplan::text {
namespace {

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

constexpr std::string_view kUnclosedQuote = "a quote opens here and is not closed before the end of the text";

struct YamlLibraryMessage {
  std::string_view library;  ///< How the library's message begins.
  std::string_view message;
  std::string_view help;
};

constexpr YamlLibraryMessage kYamlMessages[] = {
    {"end of sequence flow not found", "this '[' is not closed", "close it with ']'"},
    {"end of map flow not found", "this '{' is not closed", "close it with '}'"},
    {"illegal EOF in scalar", kUnclosedQuote, "close the string"},
    {"illegal map value", "a ':' is not possible here",
     "check the indentation of this line; quote the text if the ':' belongs to it"},
    {"illegal map key", "a key is not possible here", "check the indentation of this line"},
    {"illegal block entry", "a '- ' is not possible here",
     "check the indentation of this line; inside [ ] separate by ','"},
    {"end of map not found", "this is indented in a way that fits no level above",
     "give the keys of one object the same indentation"},
    {"end of sequence not found", "this is indented in a way that fits no level above",
     "give the items of one list the same indentation"},
    {"illegal flow end", "a closing bracket without an opening one", "delete it, or quote the text"},
    {"unknown token", "no value can begin with this character", "quote the text"},
    {"illegal tab", "a tab stands where YAML counts blanks", "indent with spaces"},
    {"illegal document indicator", "'---' or '...' stands inside a string", "indent it, or close the string before"},
    {"illegal character in scalar", "this character is not possible in a text without quotes", "quote the text"},
    {"the referenced anchor is not defined", "no value above has this anchor",
     "define it with '&' first, or quote the text if it is no alias"},
    {"alias not found", "a '*' without a name", "quote the text if it is no alias"},
    {"anchor not found", "a '&' without a name", "quote the text if it is no anchor"},
    {"illegal character found while scanning alias", "the name of an alias holds a character that is not possible",
     "quote the text if it is no alias"},
    {"illegal character found while scanning anchor", "the name of an anchor holds a character that is not possible",
     "quote the text if it is no anchor"},
    {"illegal character found while scanning tag", "a tag holds a character that is not possible",
     "quote the text if it is no tag"},
    {"tag handle with no suffix", "a tag without a name", "quote the text if it is no tag"},
    {"end of verbatim tag", "a '!<' without '>'", "quote the text if it is no tag"},
    {"cannot assign multiple tags", "two tags on one value", "keep one"},
    {"cannot assign multiple anchors", "two anchors on one value", "keep one"},
    {"cannot assign multiple aliases", "two aliases where one value stands", "keep one"},
    {"aliases can't have any content", "an alias takes no value, tag or anchor of its own",
     "put it on a line of its own"},
    {"bad character found while scanning hex", "a \\x, \\u or \\U escape needs hexadecimal digits",
     "write \\\\ for a backslash"},
    {"invalid unicode", "a \\u escape that is no character",
     "YAML has no surrogate pairs: write the character itself, or \\U and eight digits"},
    {"unknown escape character", "a backslash escape that YAML does not know",
     "write \\\\ for a backslash, or use single quotes"},
    {"cannot set zero indentation", "a text block cannot be indented by 0", "write a number from 1 to 9, or none"},
    {"unexpected character in block scalar", "only an indentation number, '+' or '-' may follow '|' or '>'",
     "begin the text on the next line"},
    {"YAML directives", "a %YAML line takes one version", "write %YAML 1.2, or leave the line out"},
    {"bad YAML version", "a %YAML line takes one version", "write %YAML 1.2, or leave the line out"},
    {"YAML major version", "this version of YAML does not exist", "write %YAML 1.2, or leave the line out"},
    {"repeated", "this directive is given twice", "keep one"},
    {"TAG directives", "a %TAG line takes a handle and a prefix", "leave the line out"},
};

YamlLibraryMessage wording_of(std::string_view library) {
  for (const YamlLibraryMessage& wording : kYamlMessages) {
    if (library.substr(0, wording.library.size()) == wording.library) return wording;
  }
  return {{}, "this is no YAML", "check the indentation and the quotes of this line"};
}

Fault syntax_fault(Span span, std::string_view message, std::string_view help) {
  return {FaultKind::kYamlSyntax, span, std::string(message), std::string(help), {}, {}};
}

/// The word at `offset`, at least one character of it.
Span word_at(std::string_view text, std::uint32_t offset) {
  const auto size = static_cast<std::uint32_t>(text.size());
  const std::uint32_t begin = std::min(offset, size);
  const auto end = static_cast<std::uint32_t>(std::min(text.find_first_of(" \t\r\n,]}", begin), text.size()));
  const auto least = static_cast<std::uint32_t>(end_of_character(text, std::min(begin + 1, size)));
  return {begin, std::max(end, least)};
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

/// Whether the line of `offset` goes on with the text of a `- &anchor text` above and stands no deeper than that
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

Fault fault_of(const YAML::Exception& problem, std::string_view text, const Recorder& recorder) {
  const YamlLibraryMessage wording = wording_of(problem.msg);
  auto offset =
      static_cast<std::uint32_t>(std::clamp<std::int64_t>(problem.mark.pos, 0, static_cast<std::int64_t>(text.size())));
  if (const auto tab = indenting_tab(text, offset)) {
    return syntax_fault(*tab, "a tab cannot indent YAML", "indent with spaces");
  }
  if (goes_on_behind_anchor(text, offset)) {
    return syntax_fault(word_at(text, offset),
                        "bayplan cannot read this text of an anchor in a list, though YAML allows it",
                        "indent the text deeper than its anchor");
  }
  const bool is_unclosed = std::string_view(problem.msg).find("flow not found") != std::string_view::npos;
  if (is_unclosed) {
    if (const auto bracket = recorder.open_bracket())
      return syntax_fault({*bracket, *bracket + 1}, wording.message, wording.help);
  }
  if (wording.message.find(" escape ") != std::string_view::npos) {
    if (const auto backslash = text.substr(0, offset).rfind('\\'); backslash != std::string_view::npos) {
      return syntax_fault(
          {static_cast<std::uint32_t>(backslash), std::max(offset, static_cast<std::uint32_t>(backslash + 1))},
          wording.message, wording.help);
    }
  }
  return syntax_fault(word_at(text, offset), wording.message, wording.help);
}

/// Where the quote opens that the library missed at the end of the text: the first one after the last value.
void point_at_quote(std::string_view text, const YamlEvents& events, Fault& fault) {
  std::uint32_t end = 0;
  for (const YamlEvent& event : events.list) end = std::max(end, event.span.end);
  const std::size_t quote = text.find_first_of("\"'", end);
  if (quote == std::string_view::npos) return;
  const auto line_end = std::min(text.find_first_of("\r\n", quote), text.size());
  fault.span = {static_cast<std::uint32_t>(quote), static_cast<std::uint32_t>(line_end)};
}

/// The library ends a text at EOT and takes other control characters for letters; a byte order mark it takes off
/// without counting it, and all places would be off by it.
std::optional<Fault> control_character(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF"))
    return syntax_fault({0, 3}, "a second byte order mark stands here", "save it as UTF-8 without BOM");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 || c == '\t' || c == '\n' || c == '\r') continue;
    const auto at = static_cast<std::uint32_t>(i);
    return syntax_fault({at, at + 1}, "a control character cannot stand in YAML",
                        "delete it, or write it as an escape in a string with \" quotes");
  }
  return std::nullopt;
}

/// A second root: after `---` another document, without it something that fits neither list nor map above.
Fault second_root(std::string_view text, std::uint32_t begin, std::uint32_t first_end) {
  const std::size_t marker = text.substr(0, begin).rfind("\n---");
  if (marker != std::string_view::npos && marker + 1 >= first_end) {
    const auto at = static_cast<std::uint32_t>(marker + 1);
    return syntax_fault({at, at + 3}, "a second document begins here", "keep one document in a file");
  }
  if (text.substr(begin, 3) == "---")
    return syntax_fault({begin, begin + 3}, "a second document begins here", "keep one document in a file");
  return syntax_fault(word_at(text, begin), "this stands outside of the list or object above",
                      "check the indentation of this line");
}

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

Reading parse(std::string_view text, const Limits& limits, Builder& builder) {
  Recorder recorder(text, limits.depth, builder);
  Reading reading;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (!recorder.second_document && parser.HandleNextDocument(recorder)) {
    }
  } catch (const YAML::Exception& problem) {
    reading.fault = fault_of(problem, text, recorder);
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
  } else if (reading.fault && reading.fault->message == kUnclosedQuote) {
    point_at_quote(text, reading.events, *reading.fault);
  }
  if (recorder.second_document && !reading.fault) {
    const std::uint32_t first_end = reading.events.list.empty() ? 0 : reading.events.list.front().span.end;
    reading.fault = second_root(text, *recorder.second_document, first_end);
  }
  return reading;
}

/// The same events with the texts of the source instead of the masks.
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

}  // namespace

std::optional<Fault> read_yaml(std::string_view text, const Limits& limits, Builder& builder) {
  if (auto fault = control_character(text)) return fault;
  Reading reading = parse(text, limits, builder);
  std::string_view parsed = text;
  const auto untagged = is_syntax_fault(reading) ? hide_block_tags(text) : std::nullopt;
  if (untagged) {
    parsed = untagged->text;
    reading = parse(parsed, limits, builder);
  }
  // `key: #{X}#` is a comment to YAML, and to who replaces it a value.
  const bool has_token = parsed.find(" #{") != std::string_view::npos;
  const bool may_be_template = is_syntax_fault(reading) || has_collection_as_key(reading.events) || has_token;
  const auto masked = may_be_template ? mask_templates(parsed) : std::nullopt;
  if (masked) reading = parse(masked->text, limits, builder);
  if (untagged || masked) restore(reading.events, text, masked.value_or(MaskedYaml{}), builder);
  if (untagged) restore_tags(reading.events, text, untagged->tags);
  expand(reading.events, limits, builder);
  return std::move(reading.fault);
}

}  // namespace bayplan::text

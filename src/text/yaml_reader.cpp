#include "text/yaml_reader.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "base/strings.hpp"
#include "text/yaml_events.hpp"
#include "text/yaml_expand.hpp"
#include "text/yaml_faults.hpp"
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

#include "text/document.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <utility>

#include "base/strings.hpp"
#include "text/key_set.hpp"

namespace bayplan::text {

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBoolean:
      return "boolean";
    case Kind::kInteger:
      return "integer";
    case Kind::kNumber:
      return "number";
    case Kind::kString:
      return "string";
    case Kind::kPlaceholder:
      return "placeholder";
    case Kind::kArray:
      return "list";
    case Kind::kObject:
      return "object";
    case Kind::kAbsent:
      return "nothing";
  }
  return "value";
}

const Value::Node& Value::node() const {
  static constexpr Node kNothing{{}, {}, {}, {}, 0, 0, Kind::kAbsent, Style::kPlain};
  return document_ == nullptr ? kNothing : document_->nodes_[index_];
}

Kind Value::kind() const {
  return node().kind;
}
Style Value::style() const {
  return node().style;
}
std::string_view Value::text() const {
  return node().text;
}
Span Value::span() const {
  return node().span;
}
std::string_view Value::key() const {
  return node().key;
}
Span Value::key_span() const {
  return node().key_span;
}

std::optional<std::int64_t> Value::integer() const {
  if (kind() != Kind::kInteger) return std::nullopt;
  std::string_view digits = text();
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  const std::string_view prefix = digits.substr(0, 2);
  if (prefix != "0x" && prefix != "0o") return to_integer(digits);
  std::int64_t value = 0;  // YAML only
  std::from_chars(digits.data() + 2, digits.data() + digits.size(), value, prefix == "0x" ? 16 : 8);
  return value;
}

std::optional<bool> Value::boolean() const {
  if (kind() != Kind::kBoolean) return std::nullopt;
  return text().front() == 't' || text().front() == 'T';
}

std::string_view Value::tag() const {
  if (document_ == nullptr) return {};
  const auto& tags = document_->tags_;
  const auto at = std::lower_bound(tags.begin(), tags.end(), index_,
                                   [](const Document::Tag& tag, std::uint32_t node) { return tag.node < node; });
  return at != tags.end() && at->node == index_ ? std::string_view(at->text) : std::string_view();
}

Span Value::opening() const {
  Span whole = span();
  if (kind() != Kind::kObject && kind() != Kind::kArray) return whole;
  const char first = whole.begin < document_->source().size() ? document_->source()[whole.begin] : '\0';
  if (first == '{' || first == '[') return {whole.begin, whole.begin + 1};
  // A YAML block collection has no bracket: its first key or dash represents it.
  const auto& source = document_->source();
  std::uint32_t end = whole.begin;
  while (end < whole.end && source[end] != '\n' && source[end] != ':' && source[end] != ' ') ++end;
  return {whole.begin, std::max(end, std::min(whole.end, whole.begin + 1))};
}

Value Value::parent() const {
  const std::uint32_t parent = node().parent;
  return parent == index_ ? Value() : Value(document_, parent);
}

std::size_t Value::position_in_parent() const {
  const Value above = parent();
  if (!above) return 0;
  if (const auto* list = document_->long_list(above.index_)) {
    const auto& starts = list->children;
    return static_cast<std::size_t>(std::lower_bound(starts.begin(), starts.end(), index_) - starts.begin());
  }
  std::size_t position = 0;
  for (const Value sibling : above.children()) {
    if (sibling.index_ == index_) break;
    ++position;
  }
  return position;
}

Value::Children Value::children() const {
  if (!is_object() && !is_array()) return {document_, index_, index_};
  return {document_, index_ + 1, node().end};
}

Value Value::Children::Iterator::operator*() const {
  return {document_, index_};
}

Value::Children::Iterator& Value::Children::Iterator::operator++() {
  index_ = document_->nodes_[index_].end;
  return *this;
}

std::size_t Value::size() const {
  if (document_ == nullptr) return 0;
  if (const auto* list = document_->long_list(index_)) return list->children.size();
  std::size_t count = 0;
  for ([[maybe_unused]] const Value child : children()) ++count;
  return count;
}

Value Value::find(std::string_view wanted) const {
  Value found;
  if (!is_object()) return found;
  if (const auto* list = document_->long_list(index_)) return document_->find_in(*list, wanted);
  for (const Value member : children()) {
    if (member.key() == wanted) found = member;
  }
  return found;
}

Value Value::at(std::size_t position) const {
  if (document_ == nullptr) return {};
  if (const auto* list = document_->long_list(index_)) {
    return position < list->children.size() ? Value(document_, list->children[position]) : Value();
  }
  for (const Value child : children()) {
    if (position-- == 0) return child;
  }
  return {};
}

std::string Value::pointer() const {
  std::vector<Value> path;
  for (Value value = *this; value.parent(); value = value.parent()) path.push_back(value);
  std::string result;
  for (auto value = path.rbegin(); value != path.rend(); ++value) {
    result += '/';
    if (value->parent().is_array()) {
      result += std::to_string(value->position_in_parent());
      continue;
    }
    for (const char c : value->key()) {
      if (c == '~') {
        result += "~0";
      } else if (c == '/') {
        result += "~1";
      } else {
        result += c;
      }
    }
  }
  return result;
}

void Document::index_long_lists() {
  constexpr std::size_t kMany = 32;
  for (std::uint32_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].end - i <= kMany) continue;
    LongList list{i, {}, {}};
    for (const Value child : node(i).children()) list.children.push_back(child.index());
    if (list.children.size() <= kMany) continue;
    if (nodes_[i].kind == Kind::kObject) {
      list.by_key = list.children;
      std::stable_sort(list.by_key.begin(), list.by_key.end(),
                       [this](std::uint32_t a, std::uint32_t b) { return nodes_[a].key < nodes_[b].key; });
    }
    long_lists_.push_back(std::move(list));
  }
}

Value Document::find_in(const LongList& object, std::string_view key) const {
  const auto& members = object.by_key;
  const auto after =
      std::upper_bound(members.begin(), members.end(), key,
                       [this](std::string_view wanted, std::uint32_t member) { return wanted < nodes_[member].key; });
  const bool is_there = after != members.begin() && nodes_[*(after - 1)].key == key;
  return is_there ? Value(this, *(after - 1)) : Value();
}

const Document::LongList* Document::long_list(std::uint32_t node) const {
  if (long_lists_.empty()) return nullptr;
  const auto found = std::lower_bound(long_lists_.begin(), long_lists_.end(), node,
                                      [](const LongList& list, std::uint32_t wanted) { return list.node < wanted; });
  return found != long_lists_.end() && found->node == node ? &*found : nullptr;
}

Value Document::root() const {
  return nodes_.empty() ? Value() : Value(this, 0);
}

Fault duplicate_key(std::string_view key, Span span, Span first, Format format) {
  return {FaultKind::kDuplicateKey,
          span,
          "duplicate key \"" + std::string(key) + "\"",
          format == Format::kJson ? "keep one; JSON readers silently use the last"
                                  : "keep one; many YAML readers reject the file",
          {{"first defined here", first}},
          {}};
}

Builder::Builder(std::string source, Format format)
    : Builder(std::make_shared<const std::string>(std::move(source)), format) {}

Builder::Builder(std::shared_ptr<const std::string> source, Format format) : document_(new Document) {
  document_->source_ = std::move(source);
  document_->format_ = format;
}

void Builder::key(std::string_view slice, Span span) {
  key_ = slice;
  key_span_ = span;
}

void Builder::tag(std::string text) {
  tag_ = std::move(text);
}

void Builder::begin_node(Document::Node node) {
  auto& nodes = document_->nodes_;
  const auto index = static_cast<std::uint32_t>(nodes.size());
  assert(index == 0 || !open_.empty());  // one root
  node.key = key_;
  node.key_span = key_span_;
  node.parent = open_.empty() ? index : open_.back();
  node.end = index + 1;
  nodes.push_back(node);
  if (!tag_.empty()) document_->tags_.push_back({index, std::move(tag_)});
  tag_.clear();
  key_ = {};
  key_span_ = {};
}

void Builder::scalar(Kind kind, Style style, std::string_view slice, Span span) {
  begin_node({.text = slice, .span = span, .kind = kind, .style = style});
}

void Builder::open(Kind kind, Span opening) {
  begin_node({.span = opening, .kind = kind, .style = Style::kJson});
  open_.push_back(static_cast<std::uint32_t>(document_->nodes_.size() - 1));
}

Value Builder::close(std::uint32_t end) {
  const std::uint32_t index = open_.back();
  auto& node = document_->nodes_[index];
  node.span.end = std::max(end, node.span.end);
  node.end = static_cast<std::uint32_t>(document_->nodes_.size());
  open_.pop_back();
  return document_->node(index);
}

void Builder::forget_children(Value last, std::size_t kept) {
  document_->nodes_.resize(last.index() + 1);
  document_->nodes_.back().end = last.index() + 1;
  document_->strings_.resize(kept);
}

std::string_view Builder::keep(std::string text) {
  return document_->strings_.emplace_back(std::move(text));
}

void Builder::fault(Fault fault) {
  document_->faults_.push_back(std::move(fault));
}

void Builder::mark_unparsed(Fault why) {
  document_->is_unread_ = true;
  why.left_out = true;
  fault(std::move(why));
}

void Builder::restart() {
  document_->nodes_.clear();
  document_->tags_.clear();
  document_->faults_.clear();
  open_.clear();
  key_ = {};
  key_span_ = {};
  tag_.clear();
}

void Builder::change_source(std::shared_ptr<const std::string> source) {
  document_->read_from_ = std::exchange(document_->source_, std::move(source));
}

void Builder::mark_placeholders(const std::vector<Span>& spans) {
  auto wanted = spans.begin();
  for (auto& node : document_->nodes_) {
    while (wanted != spans.end() && wanted->begin < node.span.begin) ++wanted;
    if (wanted == spans.end()) return;
    if (node.kind != Kind::kNull || node.span != *wanted) continue;
    node.kind = Kind::kPlaceholder;
    node.text = std::string_view(document_->source()).substr(node.span.begin, node.span.length());
  }
}

std::unique_ptr<const Document> Builder::finish() && {
  while (!open_.empty()) close(static_cast<std::uint32_t>(document_->source().size()));
  std::stable_sort(document_->faults_.begin(), document_->faults_.end(),
                   [](const Fault& a, const Fault& b) { return a.span.begin < b.span.begin; });
  document_->index_long_lists();
  return std::move(document_);
}

}  // namespace bayplan::text

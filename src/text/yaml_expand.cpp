#include "text/yaml_events.hpp"

#include <algorithm>
#include <string>

#include "text/key_set.hpp"
#include "text/placeholder_syntax.hpp"
#include "text/yaml_scalar.hpp"

namespace bayplan::text {
namespace {

using Type = YamlEvent::Type;

constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

/// A member of a map: indices of its key and value.
struct Member {
  std::uint32_t key;
  std::uint32_t value;
};

class Expander {
 public:
  Expander(const YamlEvents& events, const Limits& limits, Builder& builder)
      : events_(events), limits_(limits), builder_(builder) {}

  void value(std::uint32_t index) {
    const YamlEvent& event = events_.list[index];
    switch (event.type) {
      case Type::kScalar:
        scalar(event);
        break;
      case Type::kNull:
        builder_.scalar(Kind::kNull, Style::kPlain, event.text, event.span);
        break;
      case Type::kAlias:
        alias(event);
        break;
      default:
        collection(index);
        break;
    }
  }

 private:
  void scalar(const YamlEvent& event) {
    if (event.is_cut) return unknown(event);
    Kind kind = Kind::kString;
    if (event.tag.substr(0, kCoreTag.size()) == kCoreTag) {
      kind = tagged_kind(event);
    } else if (!event.tag.empty()) {
      builder_.tag(std::string(event.tag));
    } else if (event.plain) {
      kind = is_placeholder(event.text) ? Kind::kPlaceholder : resolve_plain(event.text);
    }
    builder_.scalar(kind, event.style, event.text, event.span);
  }

  /// `!!int 3`: what the tag says when the text can be read so.
  static Kind tagged_kind(const YamlEvent& event) {
    const std::string_view name = event.tag.substr(kCoreTag.size());
    const Kind kind = resolve_plain(event.text);
    const bool fits = (name == "int" && kind == Kind::kInteger) || (name == "bool" && kind == Kind::kBoolean) ||
                      (name == "null" && kind == Kind::kNull) ||
                      (name == "float" && (kind == Kind::kNumber || kind == Kind::kInteger));
    return fits ? kind : Kind::kString;
  }

  void collection(std::uint32_t index) {
    const YamlEvent& event = events_.list[index];
    if (builder_.depth() >= limits_.depth) return too_deep(event);
    if (!event.tag.empty() && event.tag.substr(0, kCoreTag.size()) != kCoreTag) builder_.tag(std::string(event.tag));
    active_.push_back(index);
    if (event.type == Type::kMap) {
      builder_.open(Kind::kObject, event.span);
      map(index);
    } else {
      builder_.open(Kind::kArray, event.span);
      for (std::uint32_t i = index + 1; i + 1 < event.end; i = events_.list[i].end) element(i);
    }
    builder_.close(event.span.end);
    active_.pop_back();
  }

  void element(std::uint32_t index) {
    if (spend(index)) value(index);
  }

  void map(std::uint32_t index) {
    std::vector<Member> members;
    std::vector<std::uint32_t> merges;
    split(index, members, merges);
    if (merges.empty()) {
      for (const Member member : members) write(member);
      return;
    }
    KeySet seen;
    for (const Member member : members) seen.add(key_text(member.key), {});
    std::vector<Member> merged;
    for (const std::uint32_t source : merges) merge(source, 0, seen, merged);
    for (const Member member : members) write(member);
    ++expanding_;
    for (const Member member : merged) write(member);
    --expanding_;
  }

  /// The local members of a map and the values of its `<<` keys; faults of keys are noted the first time only.
  void split(std::uint32_t index, std::vector<Member>& members, std::vector<std::uint32_t>& merges) {
    KeySet seen;
    for (std::uint32_t i = index + 1; i + 1 < events_.list[index].end;) {
      const std::uint32_t value = events_.list[i].end;
      if (value + 1 >= events_.list[index].end) break;  // a key at the place where reading stopped
      const Member member{i, value};
      i = events_.list[value].end;
      const YamlEvent& key = resolved(member.key);
      if (key.is_collection()) {
        refuse_key(events_.list[member.key]);
      } else if (key.plain && key.text == "<<") {
        merges.push_back(member.value);
      } else {
        note_duplicate(seen, member.key);
        members.push_back(member);
      }
    }
  }

  void refuse_key(const YamlEvent& key) {
    if (expanding_ > 0) return;
    builder_.fault({FaultKind::kYamlSyntax,
                    key.span,
                    "a list or map cannot be a key",
                    "use a plain word as the key, or quote the text",
                    {},
                    {}});
  }

  void note_duplicate(KeySet& seen, std::uint32_t key) {
    if (expanding_ > 0) return;
    const Span span = events_.list[key].span;
    if (const auto first = seen.add(key_text(key), span)) {
      builder_.fault(duplicate_key(key_text(key), span, *first, Format::kYaml));
    }
  }

  /// Adds the members of `<<: source` whose keys are new: the map's own come first, then the sources in order.
  void merge(std::uint32_t source, std::uint32_t depth, KeySet& seen, std::vector<Member>& merged) {
    const std::uint32_t at = resolved_index(source);
    const YamlEvent& event = events_.list[at];
    const bool is_cycle = std::find(active_.begin(), active_.end(), at) != active_.end();
    if (is_cycle || depth >= limits_.depth) return endless(events_.list[source]);
    ++expanding_;
    const bool may_go_on = spend(source);
    --expanding_;
    if (!may_go_on) return;
    active_.push_back(at);
    if (event.type == Type::kSequence) {
      for (std::uint32_t i = at + 1; i + 1 < event.end; i = events_.list[i].end) merge(i, depth + 1, seen, merged);
    } else if (event.type == Type::kMap) {
      merge_members(at, depth, seen, merged);
    } else if (event.type != Type::kNull) {
      builder_.fault({FaultKind::kYamlSyntax,
                      events_.list[source].span,
                      "'<<' requires a map, an alias of one, or a list of these",
                      {},
                      {},
                      {}});
    }
    active_.pop_back();
  }

  void merge_members(std::uint32_t map, std::uint32_t depth, KeySet& seen, std::vector<Member>& merged) {
    std::vector<Member> members;
    std::vector<std::uint32_t> merges;
    ++expanding_;
    split(map, members, merges);
    for (const Member member : members) {
      if (!spend(member.key)) break;
      if (!seen.add(key_text(member.key), {})) merged.push_back(member);
    }
    for (const std::uint32_t source : merges) merge(source, depth + 1, seen, merged);
    --expanding_;
  }

  void write(Member member) {
    if (!spend(member.value)) return;
    builder_.key(key_text(member.key), events_.list[member.key].span);
    value(member.value);
  }

  void alias(const YamlEvent& event) {
    const std::uint32_t target = resolved_index(static_cast<std::uint32_t>(&event - events_.list.data()));
    if (std::find(active_.begin(), active_.end(), target) != active_.end()) {
      endless(event);
      unknown(event);
      return;
    }
    ++expanding_;
    value(target);
    --expanding_;
  }

  /// Counts a node that an alias or merge adds; false when the limit is reached.
  bool spend(std::uint32_t index) {
    if (expanding_ == 0 || ++spent_ <= limits_.alias_nodes) return true;
    if (!exhausted_) {
      builder_.fault({FaultKind::kAliasExpansion,
                      events_.list[index].span,
                      "aliases expand to more than " + std::to_string(limits_.alias_nodes) + " values",
                      "write out the values, or use fewer nested aliases",
                      {},
                      {}});
    }
    exhausted_ = true;
    return false;
  }

  void endless(const YamlEvent& event) {
    if (is_endless_) return;
    is_endless_ = true;
    builder_.fault({FaultKind::kAliasExpansion, event.span, "recursive alias", "write out the values", {}, {}});
  }

  void too_deep(const YamlEvent& event) {
    if (!is_too_deep_) {
      builder_.fault({FaultKind::kTooDeep,
                      event.span,
                      "nested deeper than " + std::to_string(limits_.depth) + " levels",
                      {},
                      {},
                      {}});
    }
    is_too_deep_ = true;
    unknown(event);
  }

  void unknown(const YamlEvent& event) { builder_.scalar(Kind::kPlaceholder, Style::kPlain, {}, event.span); }

  std::uint32_t resolved_index(std::uint32_t index) const {
    const YamlEvent& event = events_.list[index];
    return event.type == Type::kAlias ? events_.anchors[event.anchor] : index;
  }
  const YamlEvent& resolved(std::uint32_t index) const { return events_.list[resolved_index(index)]; }
  std::string_view key_text(std::uint32_t key) const { return resolved(key).text; }

  const YamlEvents& events_;
  const Limits& limits_;
  Builder& builder_;
  std::vector<std::uint32_t> active_;  ///< Collections being written, outermost first.
  std::uint32_t expanding_ = 0;        ///< Aliases and merges around the current place.
  std::uint32_t spent_ = 0;
  bool exhausted_ = false;
  bool is_endless_ = false;
  bool is_too_deep_ = false;
};

}  // namespace

void expand(const YamlEvents& events, const Limits& limits, Builder& builder) {
  if (!events.list.empty()) Expander(events, limits, builder).value(0);
}

}  // namespace bayplan::text

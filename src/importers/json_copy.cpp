#include "importers/json_copy.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "importers/cloudformation_keys.hpp"
#include "importers/container_list.hpp"

namespace bayplan::importers {
namespace {

using shape::Rule;
using text::Kind;
using text::Value;

constexpr std::string_view kComputed = ".$";

/// Null, or an object that says nothing: the provider takes such elements out of lists.
bool is_nothing(Value value) {
  if (value.is_null()) return true;
  if (!value.is_object()) return false;
  const auto members = value.children();
  return std::all_of(members.begin(), members.end(), [](Value member) { return member.is_null(); });
}

bool is_computed(Value value, const JsonSource& from) {
  if (!from.is_of_states) return false;
  return value.key().ends_with(kComputed) || (value.is_string() && trim(value.text()).starts_with("{%"));
}

}  // namespace

JsonSource json_of_file() {
  return {[](Span span) { return span; }, [](Value value) { return value.index(); }};
}

const shape::Member* member_meant_by(const Rule* rule, std::string_view key, const JsonSource& from) {
  if (from.is_of_states && key.ends_with(kComputed)) key.remove_suffix(kComputed.size());
  return rule != nullptr ? member_meant(*rule, key) : nullptr;
}

void copy_json(Value value, const Rule* rule, const JsonSource& from, SubjectBuilder& builder) {
  const Span place = from.place(value.span());
  if (is_computed(value, from)) {
    builder.scalar(Kind::kPlaceholder, value.is_string() ? value.text() : value.key(), place, from.origin(value));
  } else if (value.is_object()) {
    const Rule* object = rule_for(Kind::kObject, rule);
    builder.open(Kind::kObject, place, from.origin(value));
    for (const Value member : value.children()) {
      if (member.is_null()) continue;
      const auto* meant = member_meant_by(object, member.key(), from);
      builder.key(meant != nullptr ? meant->name : member.key(), from.place(member.key_span()));
      copy_json(member, meant != nullptr ? meant->rule : object != nullptr ? object->others : nullptr, from, builder);
    }
    builder.close();
  } else if (value.is_array()) {
    const Rule* list = rule_for(Kind::kArray, rule);
    builder.open(Kind::kArray, place, from.origin(value));
    for (const Value element : value.children()) {
      if (!is_nothing(element)) copy_json(element, list != nullptr ? list->elements : nullptr, from, builder);
    }
    builder.close();
  } else {
    builder.scalar(value.kind(), value.text(), place, from.origin(value));
  }
}

}  // namespace bayplan::importers

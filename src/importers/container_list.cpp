#include "importers/container_list.hpp"

#include <algorithm>
#include <string>

#include "base/strings.hpp"

namespace bayplan::importers {

using shape::Rule;
using text::Kind;
using text::Value;

const Rule* rule_for(Kind kind, const Rule* rule) {
  if (rule == nullptr || rule->any_of.empty()) return rule;
  for (const Rule* one : rule->any_of) {
    if (kind == Kind::kObject ? !one->members.empty() : one->elements != nullptr) return one;
  }
  return rule;
}

const shape::Member* member_in_any_case(const Rule* rule, std::string_view key) {
  if (rule == nullptr) return nullptr;
  if (const auto* exact = rule->find(key)) return exact;
  const auto found = std::find_if(rule->members.begin(), rule->members.end(),
                                  [&](const auto& member) { return equal_ignoring_case(member.name, key); });
  return found == rule->members.end() ? nullptr : &*found;
}

namespace {

bool has_in_any_case(Value object, std::string_view key) {
  const auto members = object.children();
  return std::any_of(members.begin(), members.end(),
                     [&](Value member) { return equal_ignoring_case(member.key(), key); });
}

void copy(text::Builder& builder, Value value, const Rule* rule);

void open_copy(text::Builder& builder, Value value) {
  if (!value.tag().empty()) builder.tag(std::string(value.tag()));
  builder.open(value.kind(), value.opening());
}

void close_copy(text::Builder& builder, Value value) {
  builder.close(value.span().end);
}

void copy_object(text::Builder& builder, Value object, const Rule* rule) {
  open_copy(builder, object);
  for (const Value member : object.children()) {
    const auto* meant = member_in_any_case(rule, member.key());
    builder.key(builder.keep(std::string(meant != nullptr ? meant->name : member.key())), member.key_span());
    copy(builder, member, meant != nullptr ? meant->rule : rule != nullptr ? rule->others : nullptr);
  }
  close_copy(builder, object);
}

void copy_list(text::Builder& builder, Value list, const Rule* rule) {
  open_copy(builder, list);
  for (const Value element : list.children()) copy(builder, element, rule != nullptr ? rule->elements : nullptr);
  close_copy(builder, list);
}

void copy(text::Builder& builder, Value value, const Rule* rule) {
  if (value.is_object()) return copy_object(builder, value, rule_for(Kind::kObject, rule));
  if (value.is_array()) return copy_list(builder, value, rule_for(Kind::kArray, rule));
  if (!value.tag().empty()) builder.tag(std::string(value.tag()));
  builder.scalar(value.kind(), value.style(), builder.keep(std::string(value.text())), value.span());
}

}  // namespace

bool is_list_in_other_case(Value root) {
  if (!root || !root.is_array()) return false;
  bool is_in_other_case = false;
  for (const Value element : root.children()) {
    if (element.kind() == Kind::kPlaceholder) continue;
    if (!element.is_object() || !has_in_any_case(element, "name") || !has_in_any_case(element, "image")) return false;
    is_in_other_case = is_in_other_case || !element.find("name") || !element.find("image");
  }
  return is_in_other_case;
}

std::unique_ptr<const text::Document> in_ecs_case(const text::Document& list, const Rule& container) {
  text::Builder builder(list.shared_source(), list.format());
  open_copy(builder, list.root());
  for (const Value element : list.root().children()) copy(builder, element, &container);
  close_copy(builder, list.root());
  for (const auto& fault : list.faults()) builder.fault(fault);
  return std::move(builder).finish();
}

}  // namespace bayplan::importers

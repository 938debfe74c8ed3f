#include "importers/terraform_containers.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "text/read.hpp"
#include "text/string_content.hpp"

namespace bayplan::importers {
namespace {

using shape::Rule;
using text::Kind;
using text::Value;

/// Null, or an object that says nothing: the provider takes such elements out of lists.
bool is_nothing(Value value) {
  if (value.is_null()) return true;
  if (!value.is_object()) return false;
  const auto members = value.children();
  return std::all_of(members.begin(), members.end(), [](Value member) { return member.is_null(); });
}

/// Of a choice the one that has members, or elements.
const Rule* rule_for(Kind kind, const Rule* rule) {
  if (rule == nullptr || rule->any_of.empty()) return rule;
  for (const Rule* one : rule->any_of) {
    if (kind == Kind::kObject ? !one->members.empty() : one->elements != nullptr) return one;
  }
  return rule;
}

/// The member that a key means.
const shape::Member* member_meant(const Rule* rule, std::string_view key) {
  if (rule == nullptr) return nullptr;
  if (const auto* exact = rule->find(key)) return exact;
  const auto found = std::find_if(rule->members.begin(), rule->members.end(),
                                  [&](const auto& member) { return equal_ignoring_case(member.name, key); });
  return found == rule->members.end() ? nullptr : &*found;
}

class ContainerReader {
 public:
  ContainerReader(Value string, SubjectBuilder& builder) : string_(string), content_(string), builder_(builder) {}

  void read(const Rule* containers, const Limits& limits) {
    const auto document = text::read_document(content_.text(), {.format = text::Format::kJson, .limits = limits});
    const bool is_json = document->format() == text::Format::kJson;
    for (const auto& fault : document->faults()) add(fault);
    if (is_json && document->root()) {
      copy_list_or_other(document->root(), containers);
    } else {
      builder_.unknown("container_definitions that cannot be read", string_);
    }
  }

 private:
  /// Containers themselves keep their places: what is wrong with one is told under its number.
  void copy_list_or_other(Value root, const Rule* containers) {
    if (!root.is_array()) return copy(root, containers);
    builder_.open(Kind::kArray, content_.original(root.span()), string_.index());
    for (const Value container : root.children()) copy(container, containers->elements);
    builder_.close();
  }

  void copy(Value value, const Rule* rule) {
    if (value.is_object()) {
      copy_object(value, rule_for(Kind::kObject, rule));
    } else if (value.is_array()) {
      copy_list(value, rule_for(Kind::kArray, rule));
    } else {
      builder_.scalar(value.kind(), value.text(), content_.original(value.span()), string_.index());
    }
  }

  void copy_object(Value object, const Rule* rule) {
    builder_.open(Kind::kObject, content_.original(object.span()), string_.index());
    for (const Value member : object.children()) {
      if (member.is_null()) continue;
      const auto* meant = member_meant(rule, member.key());
      builder_.key(meant != nullptr ? meant->name : member.key(), content_.original(member.key_span()));
      copy(member, meant != nullptr ? meant->rule : rule != nullptr ? rule->others : nullptr);
    }
    builder_.close();
  }

  void copy_list(Value list, const Rule* rule) {
    builder_.open(Kind::kArray, content_.original(list.span()), string_.index());
    for (const Value element : list.children()) {
      if (!is_nothing(element)) copy(element, rule != nullptr ? rule->elements : nullptr);
    }
    builder_.close();
  }

  void add(text::Fault fault) {
    fault.span = content_.original(fault.span);
    for (auto& related : fault.related) related.span = content_.original(related.span);
    fault.fix.reset();  // A plan is generated.
    builder_.fault(std::move(fault));
  }

  Value string_;
  text::StringContent content_;
  SubjectBuilder& builder_;
};

}  // namespace

void read_container_definitions(Value string, const shape::Schema& task_definition, const Limits& limits,
                                SubjectBuilder& builder) {
  const auto* member = task_definition.root().find("containerDefinitions");
  ContainerReader(string, builder).read(rule_for(Kind::kArray, member->rule), limits);
}

}  // namespace bayplan::importers

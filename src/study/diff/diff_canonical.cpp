#include "study/diff/diff_canonical.hpp"

#include <algorithm>

#include "base/json_writer.hpp"
#include "base/strings.hpp"

namespace bayplan::study {

using text::Value;

namespace {

std::string canonical_object(Value object, std::string_view owner, const DefinitionFacts& facts) {
  std::vector<std::string> members;
  for (const Value member : members_of(object)) {
    if (says_nothing(member, owner, facts)) continue;
    members.push_back(json_quoted(member.key()) + ":" + canonical(member, owner, facts));
  }
  if (members.empty()) return {};
  std::sort(members.begin(), members.end());
  return "{" + join(members, ",") + "}";
}

std::string canonical_list(Value list, std::string_view owner, const DefinitionFacts& facts) {
  struct Element {
    std::string name;
    std::string text;
  };
  const auto* meaning = meaning_of_list(owner);
  std::vector<Element> elements;
  for (const Value element : list.children()) {
    elements.push_back({meaning ? name_of_element(*meaning, element) : "", canonical(element, owner, facts)});
  }
  if (elements.empty()) return {};
  if (meaning != nullptr && meaning->has_one_of_a_name()) {
    std::stable_sort(elements.begin(), elements.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  } else if (meaning != nullptr) {
    std::sort(elements.begin(), elements.end(), [](const auto& a, const auto& b) { return a.text < b.text; });
  }
  std::vector<std::string> texts;
  for (auto& element : elements) texts.push_back(std::move(element.text));
  return "[" + join(texts, ",") + "]";
}

}  // namespace

std::vector<Value> members_of(Value object) {
  std::vector<Value> members;
  for (const Value member : object.children()) {
    if (object.find(member.key()) == member) members.push_back(member);
  }
  return members;
}

bool says_nothing(Value value, std::string_view owner, const DefinitionFacts& facts) {
  if (!value || value.is_null()) return true;
  if (owner.empty() && is_read_only(value.key())) return true;
  if (value.is_object() || value.is_array()) return canonical(value, owner, facts).empty();
  return is_default(owner, value, facts);
}

std::string canonical(Value value, std::string_view owner, const DefinitionFacts& facts) {
  const std::string_view inside = value.key().empty() ? owner : value.key();
  if (value.is_object()) return canonical_object(value, inside, facts);
  if (value.is_array()) return canonical_list(value, inside, facts);
  return json_quoted(normal_text(owner, value));
}

}  // namespace bayplan::study

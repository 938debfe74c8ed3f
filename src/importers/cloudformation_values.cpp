#include "importers/cloudformation_values.hpp"

#include <algorithm>
#include <iterator>

#include "base/strings.hpp"

namespace bayplan::importers {

using text::Value;

namespace {

std::string expression_of(Value at, const Outcome& outcome) {
  if (outcome.kind == Outcome::Kind::kUnknown && !outcome.text.empty()) return outcome.text;
  if (const auto expression = expression_in(at)) return in_short(*expression);
  return at.is_object() || at.is_array() ? "" : std::string(at.text());
}

}  // namespace

TemplateValues::TemplateValues(const Template& of, Evaluator& evaluator, const text::Document& document)
    : template_(of), evaluator_(evaluator), root_(document.root()), missing_(of, document) {}

Value TemplateValues::object_in(Value value) {
  if (!value) return {};
  const auto outcome = evaluator_.evaluate(value);
  return outcome.kind == Outcome::Kind::kWritten && outcome.written.is_object() ? outcome.written : Value();
}

Value TemplateValues::properties_of(Value resource) {
  return resource && resource.is_object() ? object_in(resource.find("Properties")) : Value();
}

Value TemplateValues::resource_named(std::string_view logical_id) const {
  const auto& resources = template_.resources();
  const auto found = resources.find(logical_id);
  return found == resources.end() ? Value() : found->second;
}

Fact TemplateValues::fact(Value object, std::string_view key) {
  const Value value = member(object, key);
  if (!value) return {};
  const auto outcome = evaluator_.evaluate(value);
  return outcome.kind == Outcome::Kind::kRemoved ? Fact{} : fact_from(value, outcome);
}

Fact TemplateValues::fact_from(Value at, const Outcome& outcome) {
  Fact result{.at = at};
  const auto known = Evaluator::known_text(outcome);
  result.is_known = known && !trim(*known).empty();
  if (result.is_known) {
    result.text = trim(*known);
  } else {
    result.expression = expression_of(at, outcome);
    result.help = missing_.help(at);
  }
  return result;
}

std::vector<Outcome> TemplateValues::elements_of(Value value) {
  if (!value) return {};
  auto outcome = evaluator_.evaluate(value);
  if (outcome.kind == Outcome::Kind::kList) return std::move(outcome.elements);
  std::vector<Outcome> elements;
  if (outcome.kind == Outcome::Kind::kWritten && outcome.written.is_array()) {
    for (const Value element : outcome.written.children()) {
      auto one = evaluator_.evaluate(element);
      if (one.kind == Outcome::Kind::kList) {
        std::move(one.elements.begin(), one.elements.end(), std::back_inserter(elements));
      } else if (one.kind != Outcome::Kind::kRemoved) {
        elements.push_back(std::move(one));
      }
    }
  } else if (outcome.kind != Outcome::Kind::kRemoved) {
    if (outcome.kind == Outcome::Kind::kUnknown && outcome.text.empty()) outcome.text = expression_of(value, outcome);
    elements.push_back(std::move(outcome));
  }
  return elements;
}

std::string TemplateValues::referred(Value value, std::string_view type, std::string_view name_key) {
  if (!value) return {};
  const auto outcome = evaluator_.evaluate(value);
  return referred(outcome, type, name_key);
}

std::string TemplateValues::referred(const Outcome& outcome, std::string_view type, std::string_view name_key) {
  if (!outcome.resource.empty()) return std::string(outcome.resource);
  const auto known = Evaluator::known_text(outcome);
  if (!known) return {};
  for (const Value resource : root_.find("Resources").children()) {
    if (template_.type_of(resource.key()) != type) continue;
    const auto name = fact(properties_of(resource), name_key);
    if (name.is_known && name.text == *known) return std::string(resource.key());
  }
  return std::string(*known);
}

}  // namespace bayplan::importers

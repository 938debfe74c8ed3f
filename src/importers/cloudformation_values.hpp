#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "importers/cloudformation_evaluator.hpp"
#include "importers/instance_groups.hpp"
#include "importers/missing_parameters.hpp"

namespace bayplan::importers {

/// A member of an object; nothing where the object is none, or has no such member.
inline text::Value member(text::Value object, std::string_view key) {
  return object && object.is_object() ? object.find(key) : text::Value();
}

/// Values of a template with their expressions worked out as far as they are known.
class TemplateValues {
 public:
  TemplateValues(const Template& of, Evaluator& evaluator, const text::Document& document);

  /// The object that a value is, whatever expression wraps it; else nothing.
  text::Value object_in(text::Value value);
  text::Value properties_of(text::Value resource);
  text::Value resource_named(std::string_view logical_id) const;

  /// Nothing where the member is not there or is removed by a condition.
  Fact fact(text::Value object, std::string_view key);
  Fact fact_from(text::Value at, const Outcome& outcome);

  /// Of a list, lists inside joined; a single value is a list of one.
  std::vector<Outcome> elements_of(text::Value value);

  /// The name in the file of what a value refers to: the resource of `type` itself, or the one whose `name_key` says
  /// the same; else the text.
  std::string referred(text::Value value, std::string_view type, std::string_view name_key);
  std::string referred(const Outcome& outcome, std::string_view type, std::string_view name_key);

 private:
  const Template& template_;
  Evaluator& evaluator_;
  text::Value root_;
  MissingParameters missing_;
};

}  // namespace bayplan::importers

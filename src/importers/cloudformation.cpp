#include "importers/cloudformation.hpp"

#include "importers/cloudformation_definition.hpp"

namespace bayplan::importers {
namespace {

using text::Value;

std::optional<SubjectKind> kind_of(std::string_view type) {
  if (type == "AWS::ECS::TaskDefinition") return SubjectKind::kTaskDefinition;
  if (type == "AWS::ECS::Service") return SubjectKind::kService;
  return std::nullopt;
}

bool is_left_out(Value resource, Evaluator& evaluator) {
  const Value condition = resource.find("Condition");
  return condition && evaluator.condition(condition.text()) == false;
}

}  // namespace

std::vector<Subject> subjects_of_template(const text::Document& document, const ParameterValues& parameters,
                                          const Lazy<shape::Schema>& task_definition,
                                          const Lazy<shape::Schema>& service) {
  std::vector<Subject> subjects;
  const Value root = document.root();
  if (!has_ecs_resources(root)) return subjects;
  const Template of(document, parameters);
  Evaluator evaluator(of);
  for (const Value resource : root.find("Resources").children()) {
    const Value type = resource.find("Type");
    const auto kind = type ? kind_of(type.text()) : std::nullopt;
    if (!kind || is_left_out(resource, evaluator)) continue;
    const auto& schema = *kind == SubjectKind::kService ? service.get() : task_definition.get();
    auto subject = definition_from(resource.find("Properties"), *kind, schema, of, evaluator);
    if (!subject) continue;
    subject->name = resource.key();
    subjects.push_back(std::move(*subject));
  }
  return subjects;
}

}  // namespace bayplan::importers

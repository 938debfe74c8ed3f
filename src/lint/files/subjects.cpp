#include "lint/files/subjects.hpp"

#include <algorithm>

#include "importers/cloudformation.hpp"
#include "importers/terraform.hpp"
#include "model/definition_reference.hpp"

namespace bayplan::lint {

std::vector<importers::Subject> subjects_of(const text::Document& document, rules::FileKind kind,
                                            const Options& options, const Tools& tools) {
  switch (kind) {
    case rules::FileKind::kCloudFormation:
    case rules::FileKind::kCdk:
      return importers::subjects_of_template(document, options.parameters, tools.schema, tools.service_schema);
    case rules::FileKind::kTerraform:
      return importers::read_terraform(document, tools.schema.get(), options.limits);
    default:
      return {};
  }
}

SubjectDefinitions::SubjectDefinitions(const FileReport& report, const model::Placeholders& placeholders) {
  for (const auto& subject : report.subjects) {
    if (subject.kind != importers::SubjectKind::kTaskDefinition) continue;
    by_name_.emplace(subject.name, model::bind_task_definition(subject.document->root(), placeholders));
  }
}

rules::NamedDefinition SubjectDefinitions::find(std::string_view name) const {
  const auto at = by_name_.find(name);
  if (at != by_name_.end()) return {&at->second, at->first, {}, {}};
  const auto wanted = model::parse_definition_reference(name);
  if (!wanted || wanted->revision) return {};
  const auto is_of_family = [&](const auto& entry) {
    return entry.second.family && *entry.second.family == wanted->family;
  };
  const auto first = std::find_if(by_name_.begin(), by_name_.end(), is_of_family);
  if (first == by_name_.end() || std::any_of(std::next(first), by_name_.end(), is_of_family)) return {};
  return {&first->second, first->first, {}, {}};
}

}  // namespace bayplan::lint

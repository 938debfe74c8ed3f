#include "lint/subjects.hpp"

#include "importers/cloudformation.hpp"
#include "importers/terraform.hpp"

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
  return at == by_name_.end() ? rules::NamedDefinition{} : rules::NamedDefinition{&at->second, at->first, {}, {}};
}

}  // namespace bayplan::lint

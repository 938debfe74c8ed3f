#include "lint/subjects.hpp"

namespace bayplan::lint {

std::vector<importers::Subject> subjects_of(const text::Document& /*document*/, rules::FileKind kind,
                                            const Options& /*options*/, const Tools& /*tools*/) {
  switch (kind) {
    default:
      return {};
  }
}

SubjectDefinitions::SubjectDefinitions(const FileReport& report, const model::Placeholders& placeholders)
    : file_(report.file) {
  for (const auto& subject : report.subjects) {
    if (subject.kind != importers::SubjectKind::kTaskDefinition) continue;
    entries_.push_back({subject.name, model::bind_task_definition(subject.document->root(), placeholders)});
  }
}

rules::NamedDefinition SubjectDefinitions::find(std::string_view name) const {
  for (const auto& entry : entries_) {
    if (entry.name == name) return {&entry.task, entry.name, file_, {}};
  }
  return {};
}

}  // namespace bayplan::lint

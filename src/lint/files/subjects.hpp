#pragma once
#include <map>
#include <string_view>
#include <vector>

#include "importers/subject.hpp"
#include "lint/lint.hpp"
#include "rules/service/service_context.hpp"

namespace bayplan::lint {

/// The definitions and services inside a template or plan, in file order; nothing of other kinds.
std::vector<importers::Subject> subjects_of(const text::Document& document, rules::FileKind kind,
                                            const Options& options, const Tools& tools);

/// The task definitions among the subjects of one file, found by the name that the file gives them, else by the
/// family where one alone has it.
class SubjectDefinitions {
 public:
  SubjectDefinitions(const FileReport& report, const model::Placeholders& placeholders);

  /// Without a task when the file has none of this name.
  rules::NamedDefinition find(std::string_view name) const;

 private:
  std::map<std::string_view, model::TaskDefinition> by_name_;
};

}  // namespace bayplan::lint

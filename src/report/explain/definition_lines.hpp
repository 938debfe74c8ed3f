#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lint/lint.hpp"
#include "model/task_definition.hpp"
#include "report/explain/explain_report.hpp"
#include "text/document.hpp"

namespace bayplan::report {

/// A file with task definitions in which the lines of an answer are looked up.
struct DefinitionsOfFile {
  std::string path;
  std::shared_ptr<const text::Document> document;
  std::vector<model::TaskDefinition> tasks;  ///< With the positions of the document.
  const lint::FileReport* report = nullptr;
};

/// Lines of task definitions that decide what a sentence says, in file order: findings of the sentence's rules, and the
/// members that it is about. When the text names a container, port, volume, image, secret or role of the definition,
/// only their lines. `said`: the text of the message.
std::vector<DefinitionLine> find_definition_lines(const rules::Answer& answer, std::string_view said,
                                                  const std::vector<DefinitionsOfFile>& files);

/// Adds them to each answer. The only answer may be about words elsewhere in the text.
void add_definition_lines(std::vector<ExplainedAnswer>& answers, std::string_view text,
                          const std::vector<DefinitionsOfFile>& files);

}  // namespace bayplan::report

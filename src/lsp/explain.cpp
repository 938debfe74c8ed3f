#include "lsp/explain.hpp"

#include <sstream>

#include "base/lazy.hpp"
#include "base/strings.hpp"
#include "importers/definition_file.hpp"
#include "lsp/page.hpp"
#include "report/explain/definition_lines.hpp"
#include "report/explain/explain_report.hpp"
#include "rules/sentences.hpp"

namespace bayplan::lsp {

std::string explain(const std::string& text, const lint::Tools& tools, bool markdown, const lint::FileReport* open) {
  const rules::RuleData& data = tools.rule_data.get();
  if (const auto* row = data.find(trim(text))) {
    Page page(markdown);
    write_heading(page, *row, row->severity);
    page.paragraph(row->summary);
    write_rule(page, *row, row->evidence);
    return std::move(page).text();
  }
  const Lazy<rules::Sentences> sentences(rules::Sentences::load);  // the explanation views both
  const Lazy<rules::MessageParts> parts(rules::MessageParts::load);
  auto explanation = report::explain_text(text, sentences.get(), parts, data);
  if (open != nullptr && open->document != nullptr) {
    const auto form = open->subjects.empty() ? importers::DefinitionForm::kPlain : importers::DefinitionForm::kTemplate;
    report::DefinitionsOfFile file{.path = open->file, .document = open->document, .tasks = {}, .report = open};
    const auto definitions = importers::list_definitions(open->document, form, open->subjects, {});
    for (const auto& one : definitions) file.tasks.push_back(one.task);
    report::add_definition_lines(explanation.answers, text, {std::move(file)});
  }
  std::ostringstream out;
  if (markdown) {
    report::write_answers_markdown(out, explanation, data);
  } else {
    report::write_answers_text(out, explanation, data, {});
  }
  return out.str();
}

}  // namespace bayplan::lsp

#include "lsp/explain.hpp"

#include <sstream>

#include "base/lazy.hpp"
#include "base/strings.hpp"
#include "lsp/page.hpp"
#include "report/explain/explain_report.hpp"
#include "rules/sentences.hpp"

namespace bayplan::lsp {

std::string explain(const std::string& text, const lint::Tools& tools, bool markdown) {
  const rules::RuleData& data = tools.rule_data.get();
  if (const auto* row = data.find(trim(text))) {
    Page page(markdown);
    page.heading(row->code, std::string(row->id) + " (" + std::string(name_of(row->severity)) + ")");
    page.paragraph(row->summary);
    write_rule(page, *row, row->evidence);
    return std::move(page).text();
  }
  const Lazy<rules::Sentences> sentences(rules::Sentences::load);  // the explanation views both
  const Lazy<rules::MessageParts> parts(rules::MessageParts::load);
  const auto explanation = report::explain_text(text, sentences.get(), parts, data);
  std::ostringstream out;
  if (markdown) {
    report::write_answers_markdown(out, explanation, data);
  } else {
    report::write_answers_text(out, explanation, data, {});
  }
  return out.str();
}

}  // namespace bayplan::lsp

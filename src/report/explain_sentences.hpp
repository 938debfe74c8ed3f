#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "report/document/document.hpp"
#include "report/explain.hpp"
#include "rules/sentences.hpp"

namespace bayplan::report {

/// What `bayplan explain` has to say: rules by name, and what a pasted text means.
struct Explanation {
  std::vector<ExplainedRule> rules;
  std::string text;  ///< As it was pasted; empty when only rules were asked for.
  std::vector<rules::Answer> answers;
  std::optional<rules::NearSentence> nearest;  ///< Only when there is no answer.
};

/// An answer a sentence: what it means, what to do, the rules that find it beforehand.
void write_answers_text(std::ostream& out, const Explanation& explanation, const rules::RuleData& data,
                        const Style& style);

void write_answers_markdown(std::ostream& out, const Explanation& explanation, const rules::RuleData& data);

/// Rules and answers as a page, a section each.
Document explain_document(const Explanation& explanation, const rules::RuleData& data);

/// The report `bayplan/explain-report/1` (schemas/explain-report.schema.json).
void write_explain_json(std::ostream& out, const Explanation& explanation);

}  // namespace bayplan::report

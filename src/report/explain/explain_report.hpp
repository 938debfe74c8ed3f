#pragma once
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/document/terminal.hpp"
#include "rules/rule_data.hpp"
#include "rules/sentences.hpp"

namespace bayplan::report {

struct ShownFile {
  std::string name;
  std::string text;
};

/// An example and what bayplan says to it.
struct ShownExample {
  std::vector<ShownFile> files;
  std::string command;  ///< "bayplan lint task-definition.json"
  int exit_code = 0;
  std::string output;  ///< Exact output of that command; empty when the rule is not implemented.
};

struct ExplainedRule {
  const rules::RuleRow* row = nullptr;
  ShownExample bad;
  ShownExample good;
};

/// A rule in words: what, why, an example that breaks it, what bayplan says to that, an example that does not break it,
/// what to do, on what evidence.
void write_explain_text(std::ostream& out, const std::vector<ExplainedRule>& rules, const Style& style);

/// One rule of the report `bayplan/explain-report/1`.
void write_rule(JsonWriter& json, const ExplainedRule& rule);

/// What stands behind a rule, as a sentence: "documented" -> "AWS documents it; ..."
std::string_view evidence_in_words(std::string_view evidence);

/// What `bayplan explain` has to say: rules by name, and what a pasted text means.
struct Explanation {
  std::vector<ExplainedRule> rules;
  std::string text;  ///< The pasted message; empty when only rules were requested.
  std::vector<rules::Answer> answers;
  std::optional<rules::NearSentence> nearest;  ///< Set only when there is no answer.
};

/// An answer a sentence: what it means, what to do, the rules that find it beforehand.
void write_answers_text(std::ostream& out, const Explanation& explanation, const rules::RuleData& data,
                        const Style& style);

void write_answers_markdown(std::ostream& out, const Explanation& explanation, const rules::RuleData& data);

/// Rules and answers as a page, a section each.
ReportDocument explain_document(const Explanation& explanation, const rules::RuleData& data);

/// The report `bayplan/explain-report/1` (schemas/explain-report.schema.json).
void write_explain_json(std::ostream& out, const Explanation& explanation);

/// A page of rules with a heading each, whose anchor is the code (`#bay113`). `with_contents`: first an index by group;
/// scripts/checks makes docs/checks.md of it, and a page of each rule.
void write_explain_markdown(std::ostream& out, const std::vector<ExplainedRule>& rules, bool with_contents);

}  // namespace bayplan::report

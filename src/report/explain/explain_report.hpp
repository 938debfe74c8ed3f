#pragma once
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/report_document.hpp"
#include "report/document/terminal.hpp"
#include "report/explain/assumption_texts.hpp"
#include "rules/message/explain_message.hpp"
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
/// what to do, on what evidence. Of a long rule only what fits a screen, unless `options` is verbose: first the good
/// example is left out, then the output for the bad one.
void write_explain_text(std::ostream& out, const std::vector<ExplainedRule>& rules, const TextOptions& options);

/// One rule of the report `bayplan/explain-report/1`.
void write_rule(JsonWriter& json, const ExplainedRule& rule);

/// The evidence of a rule, as a sentence: "documented" -> "AWS documents it; ..."
std::string_view evidence_in_words(std::string_view evidence);

/// A place in a task definition that decides what a sentence says.
struct DefinitionLine {
  std::string file;  ///< As the user named it.
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::string code;  ///< Rule of a finding; empty when the place is only what the sentence is about.
  std::string text;  ///< Message of the finding, or the text of the line.
};

struct ExplainedAnswer : rules::Answer {
  std::vector<DefinitionLine> definition;  ///< Filled in when task definitions were given.
};

/// What `bayplan explain` has to say: rules by name, assumptions by ID, and what a pasted text means.
struct Explanation {
  std::vector<ExplainedRule> rules;
  std::vector<AssumptionText> assumptions;     ///< By ID.
  std::string text;                            ///< The pasted message; empty when only rules were requested.
  std::vector<ExplainedAnswer> answers;        ///< Causes first, then symptoms, then routine messages.
  std::optional<rules::UnknownText> unknown;   ///< Set only when there is no answer.
  std::optional<rules::NearSentence> nearest;  ///< A known message that is nearly the same; only without an answer.
};

/// What a pasted text means. The result views `sentences` and `parts`.
Explanation explain_text(std::string text, const rules::Sentences& sentences, const Lazy<rules::MessageParts>& parts,
                         const rules::RuleData& data);

/// Each assumption: what is assumed, and how to settle it.
void write_assumption_texts(std::ostream& out, const std::vector<AssumptionText>& assumptions, const Style& style);

/// An answer for each sentence: what it means, what to do, the rules that find it beforehand. Of several answers, those
/// of one sentence that differ only in names share a block, and routine messages are one line unless `options` is
/// verbose.
void write_answers_text(std::ostream& out, const Explanation& explanation, const rules::RuleData& data,
                        const TextOptions& options);

void write_answers_markdown(std::ostream& out, const Explanation& explanation, const rules::RuleData& data);

/// Rules and answers as a page, a section each.
ReportDocument explain_document(const Explanation& explanation, const rules::RuleData& data);

/// The report `bayplan/explain-report/1` (schemas/explain-report.schema.json).
void write_explain_json(std::ostream& out, const Explanation& explanation);

/// A page of rules with a heading each, whose anchor is the code (`#bay113`). `with_contents`: first an index by group;
/// scripts/checks makes docs/checks.md of it, and a page of each rule.
void write_explain_markdown(std::ostream& out, const std::vector<ExplainedRule>& rules, bool with_contents);

}  // namespace bayplan::report

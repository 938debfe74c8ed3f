#pragma once
#include <ostream>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "report/document/style.hpp"
#include "rules/rule_data.hpp"

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
  std::string output;  ///< Of that command, byte for byte; empty when the rule is not implemented.
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

}  // namespace bayplan::report

#include "study/refused_definitions.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace bayplan::study {
namespace {

/// BAY000 to BAY899: what speaks of the definition; BAY9xx and BAY1xxx speak of clusters and services.
bool is_of_definition(std::string_view code) {
  return code.size() == 6 && code.substr(0, 3) == "BAY" && code[3] < '9';
}

/// The document's text with everything but `kept` blanked out, so that an inline definition reads as a file of its own
/// and positions stay true.
std::string blank_around(std::string text, Span kept) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((i < kept.begin || i >= kept.end) && text[i] != '\n') text[i] = ' ';
  }
  return text;
}

/// The text of a definition that was read out of a larger file, its lines numbered as there.
std::string in_its_lines(const placement::TaskDefinition& definition) {
  return std::string(definition.origin.line - 1, '\n') + definition.definition.node.document().source();
}

}  // namespace

void keep_errors_of_definition(lint::FileReport& report) {
  std::erase_if(report.findings, [](const auto& finding) {
    return finding.severity != Severity::kError || !is_of_definition(finding.code);
  });
}

std::vector<lint::FileReport> lint_definitions(const placement::Scenario& scenario, const lint::Options& options,
                                               const lint::Tools& tools, WhichDefinitions which) {
  std::vector<lint::FileReport> reports;
  std::set<const text::Document*> whole_files;
  for (const auto& definition : scenario.task_definitions) {
    const text::Value node = definition.definition.node;
    const std::string& file = definition.origin.file;
    if (whole_files.count(&node.document()) > 0) continue;
    if (definition.is_registered) {
      if (which == WhichDefinitions::kNotRegistered) continue;
      reports.push_back(lint::lint_document(in_its_lines(definition), file, options, tools));
      continue;
    }
    auto report = lint::lint_document(node.document().source(), file, options, tools);
    if (lint::is_linted(report)) {
      whole_files.insert(&node.document());
    } else {
      report = lint::lint_document(blank_around(node.document().source(), node.span()), file, options, tools);
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

std::vector<lint::FileReport> refused_definitions(const placement::Scenario& scenario, const lint::Tools& tools) {
  std::vector<lint::FileReport> refused;
  for (auto& report : lint_definitions(scenario, {}, tools, WhichDefinitions::kNotRegistered)) {
    keep_errors_of_definition(report);
    if (!report.findings.empty()) refused.push_back(std::move(report));
  }
  return refused;
}

}  // namespace bayplan::study

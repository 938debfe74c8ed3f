#include "cli/lint_gate.hpp"

#include <algorithm>
#include <set>

#include "report/lint_text.hpp"

namespace bayplan::cli {
namespace {

/// BAY000 to BAY899: what speaks of the definition; BAY9xx and BAY1xxx speak of clusters and services.
bool is_of_definition(std::string_view code) {
  return code.size() == 6 && code.substr(0, 3) == "BAY" && code[3] < '9';
}

/// Errors of the definition itself in one text.
lint::FileReport errors_of(std::string text, const std::string& file, const lint::Tools& tools) {
  auto report = lint::lint_document(std::move(text), file, {}, tools);
  std::erase_if(report.findings, [](const auto& finding) {
    return finding.severity != Severity::kError || !is_of_definition(finding.code);
  });
  return report;
}

void print_refused(const lint::Run& refused, const lint::Tools& tools, const GlobalOptions& global, Streams& io) {
  const bool colored = report::wants_color(global.color, io.err_is_terminal, io.environment);
  const auto writer = report::lint_text(io.err, tools.rule_data, {.style = report::Style(colored), .quiet = true});
  for (const auto& file : refused.files) writer->file(file);
}

/// The document's text with everything but `kept` blanked out, so that an inline definition reads as a file of its own
/// and positions stay true.
std::string blank_around(std::string text, Span kept) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if ((i < kept.begin || i >= kept.end) && text[i] != '\n') text[i] = ' ';
  }
  return text;
}

}  // namespace

std::vector<std::string> drop_refused(LoadedDefinitions& loaded, const GlobalOptions& global, Streams& io) {
  const lint::Tools tools;
  lint::Run refused;
  std::vector<std::string> files;
  for (const auto& file : loaded.files) {
    auto report = errors_of(file.document->source(), file.path, tools);
    if (report.findings.empty()) continue;
    files.push_back(file.path);
    refused.files.push_back(std::move(report));
  }
  std::erase_if(loaded.definitions, [&](const auto& definition) {
    return std::find(files.begin(), files.end(), definition.file) != files.end();
  });
  if (files.empty()) return files;
  print_refused(refused, tools, global, io);
  return files;
}

bool accept_definitions(const placement::Scenario& scenario, const GlobalOptions& global, Streams& io) {
  const lint::Tools tools;
  lint::Run refused;
  std::set<const text::Document*> whole_files;
  for (const auto& definition : scenario.task_definitions) {
    const text::Value node = definition.definition.node;
    if (whole_files.count(&node.document()) > 0) continue;
    auto report = errors_of(node.document().source(), definition.origin.file, tools);
    if (lint::is_linted(report.kind)) {
      whole_files.insert(&node.document());
    } else {
      report = errors_of(blank_around(node.document().source(), node.span()), definition.origin.file, tools);
    }
    if (!report.findings.empty()) refused.files.push_back(std::move(report));
  }
  if (refused.files.empty()) return true;
  print_refused(refused, tools, global, io);
  fail(io, {.message = "not placed: ECS would refuse these definitions", .help = "--no-lint places all the same"});
  return false;
}

void tell_service_findings(const placement::Scenario& scenario, const GlobalOptions& global, Streams& io) {
  if (!scenario.document) return;
  const lint::Tools tools;
  lint::Definitions definitions;
  for (const auto& one : scenario.task_definitions) {
    definitions.add(one.origin.file, one.family, one.revision, one.definition);
  }
  const auto report = lint::lint_scenario(scenario.document, scenario.file, {}, tools, [&](std::string_view reference) {
    return definitions.find(reference, scenario.file);
  });
  const bool colored = report::wants_color(global.color, io.err_is_terminal, io.environment);
  const auto least = global.quiet ? Severity::kError : Severity::kStyle;
  report::lint_text(io.err, tools.rule_data, {.style = report::Style(colored), .quiet = true, .fail_on = least})
      ->file(report);
}

}  // namespace bayplan::cli

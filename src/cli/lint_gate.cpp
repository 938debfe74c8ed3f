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

void keep_errors_of_definition(lint::FileReport& report) {
  std::erase_if(report.findings, [](const auto& finding) {
    return finding.severity != Severity::kError || !is_of_definition(finding.code);
  });
}

void print_refused(const std::vector<lint::FileReport>& refused, const lint::Tools& tools, const GlobalOptions& global,
                   Streams& io) {
  const bool colored = report::wants_color(global.color, io.err_is_terminal, io.environment);
  const auto writer = report::lint_text(io.err, tools.rule_data, {.style = report::Style(colored), .quiet = true});
  for (const auto& file : refused) writer->file(file);
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

/// What ECS has registered it has accepted: its errors are nobody's business any more.
enum class Which : std::uint8_t { kAll, kNotRegistered };

/// Every file of definitions once; an inline definition as a file of its own.
std::vector<lint::FileReport> lint_definitions(const placement::Scenario& scenario, const lint::Options& options,
                                               const lint::Tools& tools, Which which = Which::kAll) {
  std::vector<lint::FileReport> reports;
  std::set<const text::Document*> whole_files;
  for (const auto& definition : scenario.task_definitions) {
    const text::Value node = definition.definition.node;
    const std::string& file = definition.origin.file;
    if (whole_files.count(&node.document()) > 0) continue;
    if (definition.is_registered) {
      if (which == Which::kNotRegistered) continue;
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

/// Names of the cluster's instance types that the catalog has, each once.
std::vector<std::string> types_of(const placement::Scenario& scenario, const catalog::Catalog& catalog) {
  std::set<std::string> names;
  for (const auto& profile : scenario.profiles) {
    if (catalog.find(profile.instance_type) != nullptr) names.insert(profile.instance_type);
  }
  return {names.begin(), names.end()};
}

}  // namespace

std::vector<std::string> drop_refused(LoadedDefinitions& loaded, const GlobalOptions& global, Streams& io) {
  const lint::Tools tools;
  std::vector<lint::FileReport> refused;
  std::vector<std::string> files;
  for (const auto& file : loaded.files) {
    auto report = lint::lint_document(file.document->source(), file.path, {}, tools);
    keep_errors_of_definition(report);
    if (report.findings.empty()) continue;
    files.push_back(file.path);
    refused.push_back(std::move(report));
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
  std::vector<lint::FileReport> refused;
  for (auto& report : lint_definitions(scenario, {}, tools, Which::kNotRegistered)) {
    keep_errors_of_definition(report);
    if (!report.findings.empty()) refused.push_back(std::move(report));
  }
  if (refused.empty()) return true;
  print_refused(refused, tools, global, io);
  fail(io, {.message = "not placed: ECS would refuse these definitions", .help = "--no-lint places all the same"});
  return false;
}

void tell_need_findings(const placement::Scenario& scenario, const GlobalOptions& global, Streams& io) {
  const text::Value needs = scenario.document ? scenario.document->root().find("needs") : text::Value();
  if (!needs) return;
  const lint::Tools tools;
  lint::Options options;
  options.rules.needs = capacity::bind_needs(needs);
  options.rules.types = types_of(scenario, tools.catalog.get());
  options.selection.select = {"BAY461", "BAY462", "BAY463"};
  const bool colored = report::wants_color(global.color, io.err_is_terminal, io.environment);
  const auto least = global.quiet ? Severity::kError : Severity::kStyle;
  const auto writer =
      report::lint_text(io.err, tools.rule_data, {.style = report::Style(colored), .quiet = true, .fail_on = least});
  for (const auto& report : lint_definitions(scenario, options, tools)) writer->file(report);
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

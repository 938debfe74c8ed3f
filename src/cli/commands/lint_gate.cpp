#include "cli/commands/lint_gate.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "report/lint/lint_writer.hpp"
#include "rules/registry.hpp"
#include "study/dry_run/refused_definitions.hpp"
#include "text/location.hpp"

namespace bayplan::cli {

using study::keep_errors_of_definition;
using study::lint_definitions;

namespace {

/// Converts the finding to the error of a command that stops there.
Error to_error(const lint::LintFinding& finding, const std::string& file, const text::LineIndex& lines) {
  const auto at = lines.location(finding.span.begin);
  return {.message = std::string(finding.code) + ": " + finding.message,
          .file = file,
          .line = at.line,
          .column = at.column,
          .help = finding.help};
}

void print_refused(const std::vector<lint::FileReport>& refused, const lint::Tools& tools, const GlobalOptions& global,
                   Streams& io) {
  const bool colored = report::wants_color(global.color, io.err_is_terminal, io.environment);
  const auto writer = report::lint_text(io.err, tools.rule_data, {.style = report::Style(colored), .quiet = true});
  for (const auto& file : refused) {
    writer->file(file);
    const text::LineIndex lines(file.document->source());
    for (const auto& finding : file.findings) io.errors.push_back(to_error(finding, file.file, lines));
  }
}

/// Names of the cluster's instance types that the catalog has, each once.
std::vector<std::string> list_types(const placement::Scenario& scenario, const catalog::Catalog& catalog) {
  std::set<std::string> names;
  for (const auto& profile : scenario.profiles) {
    if (catalog.find(profile.instance_type) != nullptr) names.insert(profile.instance_type);
  }
  return {names.begin(), names.end()};
}

/// Findings about the services and tasks of a scenario file (BAY1xxx), which are compared with their task definitions.
/// Nothing if no scenario file was read.
std::optional<lint::FileReport> lint_services(const placement::Scenario& scenario, const lint::Tools& tools) {
  if (!scenario.document) return std::nullopt;
  lint::Definitions definitions;
  for (const auto& one : scenario.task_definitions) {
    definitions.add(one.origin.file, one.family, one.revision, one.definition);
  }
  return lint::lint_scenario(scenario.document, scenario.file, {}, tools,
                             [&](std::string_view reference) { return definitions.find(reference, scenario.file); });
}

/// Where the scenario's `needs` require more of a GPU than any instance type of its cluster has.
std::vector<lint::FileReport> lint_needs(const placement::Scenario& scenario,
                                         const importers::ParameterValues& parameters, const lint::Tools& tools) {
  const text::Value needs = scenario.document ? scenario.document->root().find("needs") : text::Value();
  if (!needs) return {};
  lint::Options options;
  options.parameters = parameters;
  options.rules.needs = capacity::bind_needs(needs);
  options.rules.types = list_types(scenario, tools.catalog.get());
  options.selection.select = rules::codes_where([](const rules::Rule& rule) { return rule.traits.reads_needs; });
  return lint_definitions(scenario, options, tools);
}

}  // namespace

std::vector<lint::FileReport> lint_loaded(const LoadedDefinitions& loaded, const importers::ParameterValues& parameters,
                                          const lint::Tools& tools) {
  lint::Options options;
  options.parameters = parameters;
  std::vector<lint::FileReport> reports;
  for (std::size_t i = 0; i < loaded.files.size(); ++i) {
    const auto& file = loaded.files[i];
    const bool is_code = !file.module.empty();
    auto& report =
        reports.emplace_back(is_code ? lint::check_code(file.document, file.path, file.subjects, options, tools)
                                     : lint::lint_document(file.document->source(), file.path, options, tools));
    if (file.form == importers::DefinitionForm::kPlain) continue;
    std::set<std::string> names;
    for (const auto& one : loaded.definitions) {
      if (one.file == i) names.insert(one.definition.name);
    }
    study::keep_findings_about(report, names);
  }
  return reports;
}

std::vector<std::string> drop_refused(LoadedDefinitions& loaded, const importers::ParameterValues& parameters,
                                      const GlobalOptions& global, Streams& io) {
  const lint::Tools tools;
  auto reports = lint_loaded(loaded, parameters, tools);
  for (auto& report : reports) keep_errors_of_definition(report);
  std::vector<std::string> refused;
  std::erase_if(loaded.definitions, [&](const LoadedDefinition& one) {
    const auto& report = reports[one.file];
    const bool is_plain = loaded.files[one.file].form == importers::DefinitionForm::kPlain;
    const bool is_refused =
        std::any_of(report.findings.begin(), report.findings.end(), [&](const lint::LintFinding& finding) {
          return is_plain || study::is_about(report, finding, one.definition.name);
        });
    const bool is_listed = std::find(refused.begin(), refused.end(), one.reference) != refused.end();
    if (is_refused && !is_listed) refused.push_back(one.reference);
    return is_refused;
  });
  std::erase_if(reports, [](const auto& report) { return report.findings.empty(); });
  if (!reports.empty()) print_refused(reports, tools, global, io);
  return refused;
}

bool accept_scenario(const placement::Scenario& scenario, const importers::ParameterValues& parameters,
                     const GlobalOptions& global, Streams& io, FindingsShown shown) {
  const lint::Tools tools;
  const auto reject = [&](const std::vector<lint::FileReport>& rejected, std::string_view what) {
    print_refused(rejected, tools, global, io);
    fail(io, {.message = fmt::format("nothing simulated: ECS would reject these {}", what),
              .help = "Fix the errors above ('bayplan lint --fix FILE' fixes some), or add --no-lint."});
    return false;
  };
  const auto definitions = study::refused_definitions(scenario, tools, parameters);
  if (!definitions.empty()) return reject(definitions, "task definitions");
  auto services = lint_services(scenario, tools);
  const auto is_error = [](const lint::LintFinding& finding) { return finding.severity == Severity::kError; };
  if (services && std::any_of(services->findings.begin(), services->findings.end(), is_error)) {
    std::erase_if(services->findings, std::not_fn(is_error));
    return reject({std::move(*services)}, "services or tasks");
  }
  if (shown == FindingsShown::kRejections) return true;

  const bool colored = report::wants_color(global.color, io.err_is_terminal, io.environment);
  const auto least = global.quiet ? Severity::kError : Severity::kStyle;
  const auto writer =
      report::lint_text(io.err, tools.rule_data, {.style = report::Style(colored), .quiet = true, .fail_on = least});
  for (const auto& report : lint_needs(scenario, parameters, tools)) writer->file(report);
  if (services) writer->file(*services);
  return true;
}

}  // namespace bayplan::cli

#include "study/dry_run/refused_definitions.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "awscli/emit.hpp"
#include "importers/definition_file.hpp"
#include "rules/registry.hpp"

namespace bayplan::study {
namespace {

/// Whether the rule speaks of a definition, not of a service or a capacity provider of the same template.
bool is_of_definition(std::string_view code) {
  const auto scope = rules::rule_of(code).scope;
  return scope != rules::Scope::kService && scope != rules::Scope::kProvider;
}

/// Whether it is written into the list of a scenario, and no file of its own.
bool is_inline(text::Value definition) {
  for (text::Value at = definition; at; at = at.parent()) {
    if (at.key() == "taskDefinitions") return true;
  }
  return false;
}

/// A definition out of a scenario as a document of its own: of this tree alone, pointing into the same text. To read
/// the text again for each of thousands would cost what all of them cost, thousands of times.
std::shared_ptr<const text::Document> document_of(text::Value definition) {
  text::Builder builder(definition.document().shared_source(), definition.document().format());
  awscli::emit_copy(builder, definition, 0);
  return std::move(builder).finish();
}

lint::FileReport lint_inline(text::Value definition, const std::string& file, const lint::Options& options,
                             const lint::Tools& tools) {
  auto document = document_of(definition);
  const auto kind = lint::kind_of(*document, lint::Search::kNamed);
  return lint::check_file({.file = file, .kind = kind, .document = std::move(document)}, options, tools);
}

/// The text of a definition that was read out of a larger file, its lines numbered as there.
std::string in_its_lines(const placement::TaskDefinition& definition) {
  return std::string(definition.origin.line - 1, '\n') + definition.definition.node.document().source();
}

bool is_inside(std::string_view pointer, std::string_view object) {
  return pointer.starts_with(object) && (pointer.size() == object.size() || pointer[object.size()] == '/');
}

/// What the template or plan of a report calls the definition whose origin is `file`, "stack.yaml#Web"; empty for other
/// files.
std::string name_in(const lint::FileReport& report, std::string_view file) {
  for (const auto& subject : report.subjects) {
    if (file.ends_with("#" + subject.name)) return subject.name;
  }
  return {};
}

/// Lints a file of Terraform code as it was evaluated with its module: its tree is the first document of its text.
lint::FileReport lint_code(const placement::Scenario& scenario, const std::string& text, const std::string& path,
                           const lint::Options& options, const lint::Tools& tools) {
  const auto tree = std::find_if(scenario.documents.begin(), scenario.documents.end(),
                                 [&](const auto& document) { return &document->source() == &text; });
  return lint::check_code(*tree, path,
                          importers::read_subjects(**tree, importers::DefinitionForm::kPlan, options.parameters,
                                                   tools.schemas, options.limits),
                          options, tools);
}

/// Lints a template or plan that contains `definition`, for all definitions that the scenario has from it; nothing when
/// the file is neither.
std::optional<lint::FileReport> lint_template(const placement::Scenario& scenario,
                                              const placement::TaskDefinition& definition, const lint::Options& options,
                                              const lint::Tools& tools) {
  const std::string& file = definition.origin.file;
  const std::string& text = definition.definition.node.document().source();
  if (file.find('#') == std::string::npos) return std::nullopt;
  const auto path = file.substr(0, file.find('#'));
  const bool is_code = definition.definition.node.document().format() == text::Format::kHcl;
  auto report =
      is_code ? lint_code(scenario, text, path, options, tools) : lint::lint_document(text, path, options, tools);
  const auto name = name_in(report, file);
  if (name.empty()) return std::nullopt;
  report.file = file.substr(0, file.size() - name.size() - 1);
  std::set<std::string> names;
  for (const auto& one : scenario.task_definitions) {
    if (&one.definition.node.document().source() == &text) names.insert(name_in(report, one.origin.file));
  }
  keep_findings_about(report, names);
  return report;
}

}  // namespace

bool is_about(const lint::FileReport& report, const lint::LintFinding& finding, std::string_view name) {
  return std::any_of(report.subjects.begin(), report.subjects.end(), [&](const auto& subject) {
    return subject.kind == importers::SubjectKind::kTaskDefinition && subject.name == name &&
           is_inside(finding.pointer, report.document->node(subject.origins.front()).pointer());
  });
}

void keep_findings_about(lint::FileReport& report, const std::set<std::string>& names) {
  std::erase_if(report.findings, [&](const auto& finding) {
    return std::none_of(names.begin(), names.end(),
                        [&](const std::string& name) { return is_about(report, finding, name); });
  });
}

void keep_errors_of_definition(lint::FileReport& report) {
  std::erase_if(report.findings, [](const auto& finding) {
    return finding.severity != Severity::kError || !is_of_definition(finding.code);
  });
}

std::vector<lint::FileReport> lint_definitions(const placement::Scenario& scenario, const lint::Options& options,
                                               const lint::Tools& tools, WhichDefinitions which) {
  std::vector<lint::FileReport> reports;
  std::map<const text::Document*, bool> is_whole_file;
  std::set<const std::string*> templates;  // by their texts, which the documents of their definitions share
  for (const auto& definition : scenario.task_definitions) {
    const text::Value node = definition.definition.node;
    const std::string& file = definition.origin.file;
    if (templates.contains(&node.document().source())) continue;
    if (auto report = lint_template(scenario, definition, options, tools)) {
      templates.insert(&node.document().source());
      reports.push_back(std::move(*report));
      continue;
    }
    const auto known = is_whole_file.find(&node.document());
    if (known != is_whole_file.end() && known->second) continue;
    if (definition.is_registered) {
      if (which == WhichDefinitions::kNotRegistered) continue;
      reports.push_back(lint::lint_document(in_its_lines(definition), file, options, tools));
      continue;
    }
    if (known == is_whole_file.end() && !is_inline(node)) {
      auto report = lint::lint_document(node.document().source(), file, options, tools);
      const bool is_whole = is_whole_file[&node.document()] = lint::is_linted(report);
      if (is_whole) {
        reports.push_back(std::move(report));
        continue;
      }
    }
    reports.push_back(lint_inline(node, file, options, tools));
  }
  return reports;
}

std::vector<lint::FileReport> refused_definitions(const placement::Scenario& scenario, const lint::Tools& tools,
                                                  const importers::ParameterValues& parameters) {
  lint::Options options;
  options.parameters = parameters;
  std::vector<lint::FileReport> refused;
  for (auto& report : lint_definitions(scenario, options, tools, WhichDefinitions::kNotRegistered)) {
    keep_errors_of_definition(report);
    if (!report.findings.empty()) refused.push_back(std::move(report));
  }
  return refused;
}

}  // namespace bayplan::study

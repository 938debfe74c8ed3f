#include "study/diff/diff_side.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "importers/definition_file.hpp"
#include "lint/damage.hpp"
#include "lint/files/definition_form.hpp"
#include "lint/files/find_files.hpp"
#include "model/bind_document.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

namespace bayplan::study {

using rules::FileKind;
using text::Value;

namespace {

Error error_at(const lint::FileReport& report, std::uint32_t offset, std::string message, std::string help = {}) {
  const auto at = text::LineIndex(report.document->source()).location(offset);
  return {std::move(message), report.file, at.line, at.column, std::move(help)};
}

/// The first fault that leaves something out of the tree, or after which its nesting is a guess.
Error broken(const lint::FileReport& report) {
  for (const auto& fault : report.document->faults()) {
    const bool is_harmless = fault.kind == text::FaultKind::kJsonSyntax && !fault.left_out &&
                             !lint::guesses_nesting(fault, report.document->source());
    if (!is_harmless && fault.kind != text::FaultKind::kTrailingComma && fault.kind != text::FaultKind::kComment &&
        fault.kind != text::FaultKind::kDuplicateKey && fault.kind != text::FaultKind::kEncoding)
      return error_at(report, fault.span.begin, fault.message, fault.help);
  }
  return {.message = "cannot be read", .file = report.file};
}

std::string_view what_it_holds(FileKind kind) {
  switch (kind) {
    case FileKind::kService:
      return "this is a service, not a task definition";
    case FileKind::kRunTask:
      return "this is input of run-task, not a task definition";
    case FileKind::kCompose:
      return "this is a Compose file, not a task definition";
    default:
      return "no task definition in this file";
  }
}

/// What may hold no definition and be right all the same.
bool is_container_file(FileKind kind) {
  return kind == FileKind::kCloudFormation || kind == FileKind::kCdk || kind == FileKind::kTerraform;
}

bool holds_nothing(const lint::FileReport& report) {
  const Value root = report.document->root();
  return text::is_blank(*report.document) || (report.document->faults().empty() && (!root || root.is_null()));
}

bool is_definition_file(FileKind kind) {
  return kind == FileKind::kTaskDefinition || kind == FileKind::kDescribe || kind == FileKind::kContainerDefinitions;
}

/// Why the file is of no use; in a folder other files are passed over.
std::optional<Error> fault_of(const lint::FileReport& report, bool is_named, const lint::Options& options) {
  const bool may_hold = is_definition_file(report.kind) || is_container_file(report.kind);
  if (may_hold && (!report.document->root() || !lint::is_whole(*report.document))) return broken(report);
  const bool is_plain = may_hold && !is_container_file(report.kind);
  const bool holds_one = is_plain && !model::bind_document(*report.document, options.placeholders).empty();
  if (!is_named || holds_one || is_container_file(report.kind)) return std::nullopt;
  const Value root = report.document->root();
  return error_at(report, root ? root.opening().begin : 0, std::string(what_it_holds(report.kind)),
                  "a task definition has containerDefinitions; name two of them: bayplan diff OLD NEW");
}

/// The definitions of one file. `index`: of the report.
std::vector<SideDefinition> definitions_of(const lint::FileReport& report, std::size_t index,
                                           const lint::Options& options) {
  std::vector<SideDefinition> definitions;
  if (!is_container_file(report.kind) && !is_definition_file(report.kind)) return definitions;
  for (auto& one : importers::list_definitions(report.document, lint::form_of(report.kind), report.subjects,
                                               options.placeholders)) {
    const Value node = one.task.node;
    const auto subject = std::find_if(report.subjects.begin(), report.subjects.end(),
                                      [&](const auto& each) { return each.document == one.document; });
    const bool is_plain = subject == report.subjects.end();
    SideDefinition definition{.report = index, .file = report.file, .name = one.name, .document = one.document};
    definition.pointer = is_plain ? node.pointer() : report.document->node(subject->origins.front()).pointer();
    definition.task = std::move(one.task);
    auto& task = definition.task;
    if (task.family.present()) definition.family = std::string(task.family.node.text());
    task.assumed_compatibility = options.rules.launch_type;
    task.requires_attributes = {};  // what ECS derives from the rest is derived for both sides alike
    definition.compared.root = node;
    definition.compared.facts = collect_facts(task);
    // In describe output the tags are next to the definition, and missing unless they were asked for.
    const Value answer = is_plain && node.key() == "taskDefinition" ? node.parent() : Value();
    const Value own_tags = node.is_object() ? node.find("tags") : Value();
    definition.compared.tags = own_tags ? own_tags : answer ? answer.find("tags") : Value();
    const bool is_described = answer || (node.is_object() && node.find("taskDefinitionArn"));
    definition.compared.has_tags = definition.compared.tags || !is_described;
    definitions.push_back(std::move(definition));
  }
  return definitions;
}

}  // namespace

ReadSide read_side(const SideRequest& request, const lint::Options& options, const lint::Tools& tools,
                   const Files& files, const lint::Amend& amend) {
  ReadSide read;
  read.side.path = request.path;
  const bool is_nothing = request.path == "/dev/null" || equal_ignoring_case(request.path, "nul");
  if (is_nothing && !request.content) return read;
  lint::FoundFiles found;
  if (request.content) {
    found.candidates.push_back({request.path, lint::Search::kNamed, request.content});
  } else {
    found = lint::find_files({request.path}, files);
  }
  if (!found.errors.empty()) return {{}, std::move(found.errors)};

  const auto take = [&](lint::Outcome outcome) {
    if (outcome.error) {
      if (outcome.error->file.empty()) outcome.error->file = request.path;
      return read.errors.push_back(std::move(*outcome.error));
    }
    auto& report = outcome.report;
    if (!report.document || holds_nothing(report)) return;
    if (const auto error = fault_of(report, outcome.is_named, options)) {
      read.errors.push_back(*error);
    } else if (outcome.is_checked() || is_container_file(report.kind)) {
      read.side.reports.push_back(std::move(report));
    }
  };
  lint::lint_each(found.candidates, options, tools, files, 1, take, amend);
  for (std::size_t i = 0; i < read.side.reports.size(); ++i) {
    for (auto& definition : definitions_of(read.side.reports[i], i, options))
      read.side.definitions.push_back(std::move(definition));
  }
  return read;
}

}  // namespace bayplan::study

#include "cli/io/load.hpp"

#include <algorithm>

#include "base/shell_word.hpp"
#include "capacity/uncountable.hpp"
#include "cli/io/read_input.hpp"
#include "importers/cloudformation_template.hpp"
#include "model/bind_document.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

namespace bayplan::cli {
namespace {

using text::Document;
using text::FaultKind;

Limits limits_of(const GlobalOptions& global) {
  Limits limits;
  if (global.max_input > 0) limits.definition_bytes = static_cast<std::size_t>(global.max_input);
  return limits;
}

/// What leaves a tree that cannot be trusted; the rest is repaired, and told by lint.
bool is_fatal(FaultKind kind) {
  switch (kind) {
    case FaultKind::kJsonSyntax:
    case FaultKind::kYamlSyntax:
    case FaultKind::kTooDeep:
    case FaultKind::kTooLarge:
    case FaultKind::kAliasExpansion:
      return true;
    case FaultKind::kTrailingComma:
    case FaultKind::kComment:
    case FaultKind::kDuplicateKey:
    case FaultKind::kEncoding:
      return false;
  }
  return true;
}

Error error_at(const std::string& file, const Document& document, const text::Fault& fault) {
  const auto location = text::LineIndex(document.source()).location(fault.span.begin);
  return {fault.message, file, location.line, location.column, fault.help};
}

Result<std::string> read_bytes(const std::string& path, std::size_t limit, Streams& io) {
  return path == "-" ? read_standard_input(io.in, limit) : io.files.read(path, limit);
}

}  // namespace

std::string command_for(const std::string& path, const Document& document) {
  const auto root = document.root();
  if (!root || !root.is_object()) return {};
  const auto file = shell_word(path);
  if (root.find("apiVersion") && root.find("kind"))
    return "This is a Kubernetes manifest. Write an ECS task definition with containerDefinitions.";
  if (root.find("scenario") && root.find("axes")) return "This is a grid: bayplan sweep " + file;
  if (root.find("containerInstances"))
    return "This is a cluster: bayplan place --cluster " + file + " --task TASKDEF=COUNT";
  const bool is_scenario = root.find("cluster") || root.find("taskDefinitions") || root.find("tasks");
  return is_scenario ? "This is a scenario: bayplan place " + file : std::string();
}

namespace {

/// What a file without a task definition is instead.
std::string what_else(const std::string& path, const Document& document) {
  const auto root = document.root();
  if (importers::is_cloudformation(root))
    return "This is a CloudFormation template without task definitions: bayplan lint " + path;
  if (!root.is_object()) return "A task definition is an object with containerDefinitions.";
  if (auto command = command_for(path, document); !command.empty()) return command;
  if (root.find("services")) return "This is a Compose file or a list of services: bayplan lint " + shell_word(path);
  return "A task definition has containerDefinitions. To see what the file is: bayplan lint " + path;
}

}  // namespace

Result<std::shared_ptr<const Document>> load_document(const std::string& path, const GlobalOptions& global,
                                                      Streams& io) {
  const Limits limits = limits_of(global);
  auto bytes = read_bytes(path, limits.definition_bytes, io);
  if (!bytes) return bytes.error();
  std::shared_ptr<const Document> document =
      text::read_document(std::move(*bytes), {.format = text::format_of_name(path), .limits = limits});
  for (const auto& fault : document->faults()) {
    if (is_fatal(fault.kind)) return error_at(path, *document, fault);
  }
  if (!document->root())
    return Error{path == "-" ? "standard input is empty" : "the file is empty", path, 0, 0,
                 path == "-" ? "Did the command before | fail?" : ""};
  return document;
}

LoadedDefinitions load_task_definitions(const std::vector<std::string>& paths, const GlobalOptions& global,
                                        const model::Placeholders& placeholders, Streams& io) {
  LoadedDefinitions loaded;
  for (const auto& path : paths) {
    auto document = load_document(path, global, io);
    if (!document) {
      loaded.errors.push_back(document.error());
      continue;
    }
    auto tasks = model::bind_document(**document, placeholders);
    if (tasks.empty()) {
      loaded.errors.push_back({"not a task definition", path, 0, 0, what_else(path, **document)});
      continue;
    }
    for (auto& task : tasks) loaded.definitions.push_back({path, std::move(task)});
    loaded.files.push_back({path, std::move(*document)});
  }
  return loaded;
}

std::vector<Error> drop_uncountable(LoadedDefinitions& loaded) {
  std::vector<Error> errors;
  std::erase_if(loaded.definitions, [&](const LoadedDefinition& definition) {
    auto sizes = capacity::uncountable_sizes(definition.task);
    std::stable_sort(sizes.begin(), sizes.end(),
                     [](const auto& a, const auto& b) { return a.at.span().begin < b.at.span().begin; });
    for (const auto& size : sizes) {
      const auto place = text::LineIndex(size.at.document().source()).location(size.at.span().begin);
      errors.push_back({size.message, definition.file, place.line, place.column, size.help});
    }
    return !sizes.empty();
  });
  return errors;
}

}  // namespace bayplan::cli

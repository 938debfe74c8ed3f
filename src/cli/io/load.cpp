#include "cli/io/load.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>

#include <fmt/core.h>

#include "base/file_part.hpp"
#include "base/shell_word.hpp"
#include "cli/io/read_input.hpp"
#include "cli/options/scenario_options.hpp"
#include "importers/parameter_use.hpp"
#include "importers/terraform.hpp"
#include "importers/terraform_code.hpp"
#include "scenario/definition_faults.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

namespace bayplan::cli {
namespace {

using text::Document;
using text::FaultKind;

/// What leaves a tree that cannot be trusted; the rest is repaired, and reported by lint.
bool is_fatal(FaultKind kind) {
  switch (kind) {
    case FaultKind::kJsonSyntax:
    case FaultKind::kYamlSyntax:
    case FaultKind::kHclSyntax:
    case FaultKind::kTooDeep:
    case FaultKind::kTooLarge:
    case FaultKind::kAliasExpansion:
      return true;
    case FaultKind::kTrailingComma:
    case FaultKind::kComment:
    case FaultKind::kDuplicateKey:
    case FaultKind::kEncoding:
    case FaultKind::kNotEvaluated:
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

/// A document that can be trusted, else an error with its position.
Result<std::shared_ptr<const Document>> read_as(const std::string& path, std::size_t limit,
                                                const text::ReadOptions& reading, Streams& io) {
  auto bytes = read_bytes(path, limit, io);
  if (!bytes) return bytes.error();
  std::shared_ptr<const Document> document = text::read_document(std::move(*bytes), reading);
  for (const auto& fault : document->faults()) {
    if (is_fatal(fault.kind)) return error_at(path, *document, fault);
  }
  if (!document->root())
    return Error{path == "-" ? "standard input is empty" : "the file is empty", path, 0, 0,
                 path == "-" ? "Did the command before | fail?" : ""};
  return document;
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

/// A file without a task definition: what it is instead, and the command that takes it.
Error no_definition(const importers::DefinitionFile& file) {
  auto error = importers::no_definition_in(file);
  if (error.id != "definition-missing") return error;
  error.message = "not a task definition";
  const auto root = file.document->root();
  if (!root.is_object()) {
    error.help = "A task definition is an object with containerDefinitions.";
  } else if (auto command = command_for(file.path, *file.document); !command.empty()) {
    error.help = std::move(command);
  } else if (root.find("services")) {
    error.help = "This is a Compose file or a list of services: bayplan lint " + shell_word(file.path);
  } else {
    error.help =
        "A task definition has containerDefinitions. To see what the file is: bayplan lint " + shell_word(file.path);
  }
  return error;
}

/// Reads a file of definitions, a large plan in parts.
Result<std::shared_ptr<const Document>> read_definitions(const std::string& path, const GlobalOptions& global,
                                                         Streams& io) {
  if (importers::is_terraform_code(path)) return importers::terraform_code_error(path);
  const Limits limits = input_limits(global);
  const bool is_large = path != "-" && importers::is_large_plan(io.files, path, limits);
  text::ReadOptions reading{.format = text::format_of_name(path), .limits = limits};
  if (is_large) {
    reading.format = text::Format::kJson;
    reading.keep = importers::matters_to_terraform;
  }
  return read_as(path, is_large ? limits.snapshot_bytes : limits.definition_bytes, reading, io);
}

}  // namespace

Result<std::shared_ptr<const Document>> load_document(const std::string& path, const GlobalOptions& global,
                                                      Streams& io) {
  const Limits limits = input_limits(global);
  return read_as(path, limits.definition_bytes, {.format = text::format_of_name(path), .limits = limits}, io);
}

LoadedDefinitions load_task_definitions(const std::vector<std::string>& paths,
                                        const importers::ParameterValues& parameters,
                                        const importers::GivenVariables& variables, const GlobalOptions& global,
                                        Streams& io) {
  LoadedDefinitions loaded;
  std::deque<importers::DefinitionFile> modules;
  std::map<std::string, const importers::DefinitionFile*> known_modules;
  const auto find_module = [&](const std::string& path) -> const importers::DefinitionFile* {
    const auto folder = io.files.absolute(importers::folder_of_module(io.files, path));
    const auto [known, is_new] = known_modules.try_emplace(io.files.exists(path) ? folder : path, nullptr);
    if (!is_new) return known->second;
    const Limits limits = input_limits(global);
    auto input = importers::read_terraform_module(io.files, path, variables, limits);
    loaded.has_code = true;
    const auto& declared = input.module.variables.declared;
    loaded.declared_variables.insert(declared.begin(), declared.end());
    loaded.errors.insert(loaded.errors.end(), input.errors.begin(), input.errors.end());
    if (!input.errors.empty()) return nullptr;
    modules.push_back(importers::definitions_of_module(std::move(input.module.trees), path, {}, limits));
    return known->second = &modules.back();
  };
  std::map<std::string, std::size_t> known;
  // Each file of a module is one of the files: findings are about files.
  const auto find_part = [&](const importers::DefinitionFile& module, const text::Document& definition) {
    const auto* tree = importers::tree_of(module.module, definition);
    const auto [part, is_new] = known.try_emplace(tree->path, loaded.files.size());
    if (is_new) loaded.files.push_back(importers::part_of_module(module, *tree));
    return part->second;
  };
  const auto find_file = [&](const std::string& path) -> std::optional<std::size_t> {
    if (const auto at = known.find(path); at != known.end()) return at->second;
    auto document = read_definitions(path, global, io);
    if (!document) {
      loaded.errors.push_back(document.error());
      return std::nullopt;
    }
    if (importers::definition_form((*document)->root()) == importers::DefinitionForm::kTemplate) {
      auto refused = importers::note_template(loaded.parameter_use, path, (*document)->root(), parameters);
      loaded.errors.insert(loaded.errors.end(), refused.begin(), refused.end());
      if (!refused.empty()) return std::nullopt;
    }
    loaded.files.push_back(
        importers::read_definition_file(std::move(*document), path, parameters, {}, input_limits(global)));
    return known[path] = loaded.files.size() - 1;
  };
  for (const auto& reference : paths) {
    const auto part = parse_file_part(reference, io.files);
    const bool is_code = part.file != "-" && importers::is_terraform_module(io.files, part.file);
    const auto* module = is_code ? find_module(part.file) : nullptr;
    const auto index = is_code ? std::nullopt : find_file(part.file);
    if (module == nullptr && !index) continue;
    const auto& file = is_code ? *module : loaded.files[*index];
    if (file.definitions.empty()) {
      loaded.errors.push_back(no_definition(file));
      continue;
    }
    const auto chosen = importers::find_definitions(file, part.name);
    if (!chosen) {
      loaded.errors.push_back(chosen.error());
      continue;
    }
    for (const auto one : *chosen) {
      const importers::FileDefinition definition = file.definitions[one];
      const auto full = definition.name.empty() ? part.file : part.file + "#" + definition.name;
      const auto own = is_code ? find_part(*module, *definition.document) : *index;
      loaded.definitions.push_back({full, own, definition});
    }
  }
  return loaded;
}

std::vector<Error> find_unused_parameters(const std::vector<const LoadedDefinitions*>& loaded,
                                          const importers::ParameterValues& parameters) {
  importers::ParameterUse use;
  for (const auto* one : loaded) {
    const auto& own = one->parameter_use;
    use.templates.insert(use.templates.end(), own.templates.begin(), own.templates.end());
    use.known_parameters.insert(own.known_parameters.begin(), own.known_parameters.end());
  }
  return importers::find_unused_parameters(use, parameters, "no task definition is from");
}

std::vector<Error> find_unused_variables(const std::vector<const LoadedDefinitions*>& loaded,
                                         const importers::GivenVariables& variables) {
  std::set<std::string, std::less<>> declared;
  bool has_code = false;
  for (const auto* one : loaded) {
    declared.insert(one->declared_variables.begin(), one->declared_variables.end());
    has_code = has_code || one->has_code;
  }
  return importers::find_unused_variables(variables, declared, has_code);
}

std::vector<Error> drop_uncountable(LoadedDefinitions& loaded) {
  std::vector<Error> errors;
  std::erase_if(loaded.definitions, [&](const LoadedDefinition& loaded_one) {
    const auto& file = loaded.files[loaded_one.file];
    // A placeholder of a plain file counts as 0, which the report says (value-unknown).
    const bool is_plain = file.form == importers::DefinitionForm::kPlain;
    const auto faults = is_plain
                            ? scenario::find_uncountable_sizes(loaded_one.definition)
                            : scenario::find_definition_faults(file, loaded_one.definition, loaded_one.definition.name);
    for (const auto& fault : faults) {
      const auto place = text::LineIndex(fault.at.document().source()).location(fault.at.span().begin);
      errors.push_back({fault.message, file.path, place.line, place.column, fault.help});
    }
    return !faults.empty();
  });
  return errors;
}

}  // namespace bayplan::cli

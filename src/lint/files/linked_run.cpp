#include "lint/files/linked_run.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "importers/cloudformation.hpp"
#include "importers/terraform.hpp"
#include "lint/files/kind_evidence.hpp"

namespace bayplan::lint {

namespace {

/// Templates and plans have a client of their own.
bool may_be_deployed_by(rules::FileKind kind) {
  using rules::FileKind;
  return kind == FileKind::kTaskDefinition || kind == FileKind::kDescribe || kind == FileKind::kService ||
         kind == FileKind::kJsonnet || kind == FileKind::kTemplate;
}

/// Whether the family, the size, a role or an image is a placeholder: such a file is rendered before it is registered.
bool is_to_be_filled_in(text::Value root, const model::Placeholders& placeholders) {
  if (!root || !root.is_object()) return false;
  for (const std::string_view key : {"family", "taskRoleArn", "executionRoleArn", "cpu", "memory"}) {
    if (placeholders.holds(root.find(key))) return true;
  }
  const text::Value containers = root.find("containerDefinitions");
  if (!containers || !containers.is_array()) return false;
  const auto elements = containers.children();
  return std::any_of(elements.begin(), elements.end(), [&](text::Value container) {
    return container.is_object() && placeholders.holds(container.find("image"));
  });
}

std::vector<std::pair<std::string, std::string>> terraform_files(const std::vector<Candidate>& candidates) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& candidate : candidates) {
    if (!candidate.content && importers::is_terraform_module_file(candidate.path))
      files.emplace_back(candidate.path, candidate.folder);
  }
  return files;
}

/// Reads the files of the run that hold the containers of Terraform code: what is wrong with a text is reported there,
/// and not a second time where the code reads it.
void add_texts(const RunInput& run, const RunFiles& around, ReadFile& code) {
  if (code.module == nullptr) return;
  for (const auto& [address, path] : code.module->find_file(code.file)->texts) {
    const auto candidate = around.by_path.find(run.files.absolute(path));
    if (candidate == around.by_path.end()) continue;
    auto bytes = run.files.read(path, run.options.limits.definition_bytes);
    if (!bytes || !may_be_linted(*bytes)) continue;
    auto text =
        read_file(std::move(*bytes), candidate->second->path, candidate->second->search, run.options, run.tools);
    code.texts.emplace(address, std::make_shared<const ReadFile>(std::move(text)));
  }
}

}  // namespace

RunFiles::RunFiles(const RunInput& run)
    : deployers(run.files, run.options.limits),
      given{run.options.variables, run.options.variable_files},
      modules(run.files, terraform_files(run.candidates), given, run.tools.schemas, run.options.limits) {
  for (const Candidate& one : run.candidates) {
    if (!one.content) by_path.emplace(run.files.absolute(one.path), &one);
  }
}

ReadCandidate read_candidate(const RunInput& run, const Candidate& candidate, Keep keep, const RunFiles& around) {
  ReadCandidate read{.candidate = candidate};
  read.file.file = candidate.path;
  const Limits& limits = run.options.limits;
  auto bytes = candidate.content
                   ? Result<std::string>(*candidate.content)
                   : run.files.read(candidate.path, std::max(limits.definition_bytes, limits.snapshot_bytes));
  if (!bytes) {
    read.error = bytes.error();
    return read;
  }
  read.may_be_linted = may_be_linted(*bytes);
  const bool may_make_resources =
      importers::is_terraform_module_file(candidate.path) && importers::may_call_local_module(*bytes);
  read.is_looked_at = candidate.search == Search::kNamed || read.may_be_linted || may_make_resources;
  if (!read.is_looked_at) return read;
  if (keep == Keep::kTreeAndBytes) read.bytes = *bytes;
  read.file = read_file(
      std::move(*bytes), candidate.path, candidate.search, run.options, run.tools,
      {candidate.content ? nullptr : &run.files, candidate.folder, candidate.content ? nullptr : &around.modules});
  if (candidate.content) return read;
  add_texts(run, around, read.file);
  if (read.file.kind == rules::FileKind::kUnrecognized && may_be_service(read.file.document->root()) &&
      around.deployers.name_as_service(candidate.path))
    read.file.kind = rules::FileKind::kService;
  if (read.file.kind == rules::FileKind::kCloudFormation) {
    // The defaults that its deployment replaces are not what ECS gets.
    const auto set = around.deployers.find(candidate.path).set_parameters;
    if (!set.empty()) {
      read.file.subjects =
          importers::subjects_of_template(*read.file.document, run.options.parameters, run.tools.schemas, set);
    }
  }
  if (read.file.kind == rules::FileKind::kContainerDefinitions) {
    // Who registers the definition around it does not send this file.
    auto completed = around.deployers.find(candidate.path);
    read.file.deployment.fills_in_all_images = completed.fills_in_all_images;
    read.file.deployment.assigned_keys = std::move(completed.assigned_keys);
    read.file.deployment.replaced_words = std::move(completed.replaced_words);
  }
  if (!may_be_deployed_by(read.file.kind)) return read;
  rules::Deployment& deployment = read.file.deployment;
  deployment = around.deployers.find(candidate.path);
  const bool is_named = deployment.client != rules::DeployClient::kAny && !deployment.named_by.empty();
  if (!is_named && is_to_be_filled_in(read.file.document->root(), run.options.placeholders)) {
    add_deployment(around.deployers.find_for_template(candidate.path), deployment);
  }
  return read;
}

}  // namespace bayplan::lint

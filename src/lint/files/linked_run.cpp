#include "lint/files/linked_run.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "importers/terraform.hpp"

namespace bayplan::lint {

namespace {

/// Templates and plans have a client of their own.
bool may_be_deployed_by(rules::FileKind kind) {
  using rules::FileKind;
  return kind == FileKind::kTaskDefinition || kind == FileKind::kDescribe || kind == FileKind::kService ||
         kind == FileKind::kJsonnet || kind == FileKind::kTemplate;
}

std::vector<std::pair<std::string, std::string>> terraform_files(const std::vector<Candidate>& candidates) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& candidate : candidates) {
    if (!candidate.content && importers::is_terraform_module_file(candidate.path))
      files.emplace_back(candidate.path, candidate.folder);
  }
  return files;
}

}  // namespace

RunFiles::RunFiles(const RunInput& run)
    : deployers(run.files, run.options.limits),
      given{run.options.variables, run.options.variable_files},
      modules(run.files, terraform_files(run.candidates), given, run.tools.schemas, run.options.limits) {}

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
  if (!candidate.content && may_be_deployed_by(read.file.kind))
    read.file.deployment = around.deployers.find(candidate.path);
  return read;
}

}  // namespace bayplan::lint

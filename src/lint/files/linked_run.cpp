#include "lint/files/linked_run.hpp"

#include <algorithm>

namespace bayplan::lint {

namespace {

/// Templates and plans have a client of their own.
bool may_be_deployed_by(rules::FileKind kind) {
  using rules::FileKind;
  return kind == FileKind::kTaskDefinition || kind == FileKind::kDescribe || kind == FileKind::kService ||
         kind == FileKind::kJsonnet || kind == FileKind::kTemplate;
}

}  // namespace

ReadCandidate read_candidate(const RunInput& run, const Candidate& candidate, Keep keep, const Deployers& deployers) {
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
  read.is_looked_at = candidate.search == Search::kNamed || read.may_be_linted;
  if (!read.is_looked_at) return read;
  if (keep == Keep::kTreeAndBytes) read.bytes = *bytes;
  read.file = read_file(std::move(*bytes), candidate.path, candidate.search, run.options, run.tools,
                        {candidate.content ? nullptr : &run.files, candidate.folder});
  if (!candidate.content && may_be_deployed_by(read.file.kind)) read.file.deployment = deployers.find(candidate.path);
  return read;
}

}  // namespace bayplan::lint

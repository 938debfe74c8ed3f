#include "lint/files/linked_run.hpp"

#include <algorithm>

namespace bayplan::lint {

ReadCandidate read_candidate(const RunInput& run, const Candidate& candidate, Keep keep) {
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
  read.file = read_file(std::move(*bytes), candidate.path, candidate.search, run.options, run.tools);
  return read;
}

}  // namespace bayplan::lint

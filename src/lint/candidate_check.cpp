#include "lint/candidate_check.hpp"

#include <algorithm>

namespace bayplan::lint {

Result<std::string> CandidateCheck::read(const Candidate& candidate) const {
  if (candidate.content) return *candidate.content;
  const Limits& limits = options_.limits;
  return files_.read(candidate.path, std::max(limits.definition_bytes, limits.snapshot_bytes));
}

FileReport CandidateCheck::check(const Candidate& candidate, std::string bytes) {
  Options own = options_;
  own.search = candidate.search;
  auto report = lint_document(std::move(bytes), candidate.path, own, tools_,
                              [&](std::string_view reference) { return definitions_.find(reference, candidate); });
  if (amend_ && is_linted(report)) amend_(report);
  return report;
}

bool is_looked_at(const Candidate& candidate, std::string_view bytes) {
  return candidate.search == Search::kNamed || may_be_linted(bytes);
}

}  // namespace bayplan::lint

#include "lint/lint_files.hpp"

#include "base/ordered_parallel_for.hpp"
#include "lint/files/candidate_check.hpp"

namespace bayplan::lint {

void lint_each(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
               unsigned jobs, const std::function<void(Outcome)>& take, const Amend& amend) {
  CandidateCheck checker(candidates, options, tools, files, amend);
  const auto make = [&](std::size_t i) {
    const Candidate& candidate = candidates[i];
    Outcome outcome{.is_named = candidate.search == Search::kNamed};
    outcome.report.file = candidate.path;
    auto bytes = checker.read(candidate);
    if (!bytes) {
      outcome.error = bytes.error();
    } else if (is_looked_at(candidate, *bytes)) {
      outcome.report = checker.check(candidate, std::move(*bytes));
    }
    return outcome;
  };
  OrderedParallelFor<Outcome>(candidates.size(), make, take).run(jobs);
}

}  // namespace bayplan::lint

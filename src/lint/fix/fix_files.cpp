#include "lint/fix/fix_files.hpp"

#include "base/ordered_parallel_for.hpp"
#include "lint/files/candidate_check.hpp"

namespace bayplan::lint {

void fix_each(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
              unsigned jobs, const std::function<void(FixOutcome)>& take, const Amend& amend) {
  CandidateCheck checker(candidates, options, tools, files, amend);
  const auto make = [&](std::size_t i) {
    const Candidate& candidate = candidates[i];
    FixOutcome outcome{.candidate = candidate};
    auto bytes = checker.read(candidate);
    if (!bytes) {
      outcome.error = bytes.error();
      return outcome;
    }
    if (!is_looked_at(candidate, *bytes)) return outcome;
    outcome.after = fix_text(*bytes, [&](std::string text) {
      auto report = checker.check(candidate, std::move(text));
      outcome.is_checked = outcome.is_checked || is_linted(report);
      return report;
    });
    if (outcome.after.fixed > 0) {
      outcome.before = std::move(*bytes);
    } else {
      outcome.after.bytes.clear();
    }
    return outcome;
  };
  OrderedParallelFor<FixOutcome>(candidates.size(), make, take).run(jobs);
}

}  // namespace bayplan::lint

#include "lint/lint_files.hpp"

#include "lint/files/linked_run.hpp"

namespace bayplan::lint {

void lint_each(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
               unsigned jobs, const std::function<void(Outcome)>& take, const Amend& amend) {
  const auto check = [&](ReadCandidate read, const FindDefinition& find) {
    Outcome outcome{.report = check_file(std::move(read.file), options, tools, find),
                    .error = std::move(read.error),
                    .is_named = read.candidate.search == Search::kNamed};
    if (amend && outcome.is_checked()) amend(outcome.report);
    return outcome;
  };
  run_linked<Outcome>({candidates, options, tools, files, jobs}, Keep::kTree, check, take);
}

}  // namespace bayplan::lint

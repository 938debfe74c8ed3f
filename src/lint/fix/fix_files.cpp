#include "lint/fix/fix_files.hpp"

#include <string>
#include <utility>

#include "lint/files/linked_run.hpp"

namespace bayplan::lint {

void fix_each(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
              unsigned jobs, const MakeText& make_text, const std::function<void(FixOutcome)>& take,
              const Amend& amend) {
  const auto fix = [&](ReadCandidate read, const FindDefinition& find) {
    FixOutcome outcome{.candidate = read.candidate};
    outcome.error = std::move(read.error);
    if (!read.is_looked_at) return outcome;
    const auto deployment = read.file.deployment;
    std::optional<ReadFile> original = std::move(read.file);  // the first text that is checked
    const auto recheck = [&](std::string text) {
      auto file = original ? *std::exchange(original, std::nullopt)
                           : read_file(std::move(text), read.candidate.path, read.candidate.search, options, tools,
                                       {&files, read.candidate.folder});
      file.deployment = deployment;
      auto report = check_file(std::move(file), options, tools, find);
      outcome.is_checked = outcome.is_checked || is_linted(report);
      if (amend && is_linted(report)) amend(report);
      return report;
    };
    outcome.after = make_text(read.bytes, recheck);
    if (outcome.after.fixed > 0) {
      outcome.before = std::move(read.bytes);
    } else {
      outcome.after.bytes.clear();
    }
    return outcome;
  };
  run_linked<FixOutcome>({candidates, options, tools, files, jobs}, Keep::kTreeAndBytes, fix, take);
}

}  // namespace bayplan::lint

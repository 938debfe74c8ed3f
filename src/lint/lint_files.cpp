#include "lint/lint_files.hpp"

#include <algorithm>

#include "lint/in_order.hpp"
#include "lint/run_definitions.hpp"

namespace bayplan::lint {
namespace {

Result<std::string> content_of(const Candidate& candidate, const Limits& limits, const Files& files) {
  if (candidate.content) return *candidate.content;
  return files.read(candidate.path, std::max(limits.definition_bytes, limits.snapshot_bytes));
}

}  // namespace

void lint_each(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
               unsigned jobs, const std::function<void(Outcome)>& take, const Amend& amend) {
  RunDefinitions definitions(candidates, options, tools, files);
  const auto make = [&](std::size_t i) {
    const Candidate& candidate = candidates[i];
    Outcome outcome{.is_named = candidate.search == Search::kNamed};
    auto bytes = content_of(candidate, options.limits, files);
    if (!bytes) {
      outcome.error = bytes.error();
      return outcome;
    }
    if (!outcome.is_named && !may_be_linted(*bytes)) return outcome;
    Options own = options;
    own.search = candidate.search;
    outcome.report = lint_document(std::move(*bytes), candidate.path, own, tools,
                                   [&](std::string_view reference) { return definitions.find(reference, candidate); });
    if (amend && is_linted(outcome.report)) amend(outcome.report);
    return outcome;
  };
  InOrder<Outcome>(candidates.size(), make, take).run(jobs);
}

}  // namespace bayplan::lint

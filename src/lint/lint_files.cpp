#include "lint/lint_files.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace bayplan::lint {
namespace {

FileReport lint_file(const Candidate& candidate, const Options& options, const Tools& tools, const Files& files,
                     std::optional<Error>& error) {
  auto bytes = files.read(candidate.path, std::max(options.limits.definition_bytes, options.limits.snapshot_bytes));
  if (!bytes) {
    error = bytes.error();
    return {};
  }
  if (candidate.search == Search::kFound && !may_hold_containers(*bytes)) return {};
  Options own = options;
  own.search = candidate.search;
  return lint_document(std::move(*bytes), candidate.path, own, tools);
}

}  // namespace

Run lint_files(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
               unsigned jobs) {
  std::vector<FileReport> reports(candidates.size());
  std::vector<std::optional<Error>> errors(candidates.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < candidates.size(); i = next++) {
      reports[i] = lint_file(candidates[i], options, tools, files, errors[i]);
    }
  };
  std::vector<std::jthread> threads;
  const auto helpers = std::min<std::size_t>(jobs, candidates.size());
  for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
  work();
  threads.clear();  // joins

  Run run;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (errors[i]) {
      run.errors.push_back(std::move(*errors[i]));
    } else if (is_linted(reports[i].kind)) {
      run.files.push_back(std::move(reports[i]));
    } else if (candidates[i].search == Search::kNamed) {
      run.not_linted.push_back(std::move(reports[i]));
    }
  }
  return run;
}

}  // namespace bayplan::lint

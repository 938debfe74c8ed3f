#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "base/files.hpp"
#include "lint/files/find_files.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

/// What became of one candidate.
struct Outcome {
  FileReport report;
  std::optional<Error> error;  ///< Set when it could not be read; then the report says nothing.
  bool is_named = true;        ///< The user named it, so it must not be skipped silently.

  bool is_checked() const { return !error && is_linted(report); }
};

/// Work on a report that may be done in parallel with that on others.
using Amend = std::function<void(FileReport&)>;

/// Checks every candidate with `jobs` threads and hands each outcome to `take`, in the order of the candidates and one
/// at a time, while the run goes on (`run_linked` says what memory it takes). The outcomes do not depend on `jobs`.
void lint_each(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
               unsigned jobs, const std::function<void(Outcome)>& take, const Amend& amend = {});

}  // namespace bayplan::lint

#pragma once
#include <string>
#include <vector>

#include "base/files.hpp"
#include "lint/find_files.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

struct Run {
  std::size_t excluded = 0;            ///< Files that the config leaves out.
  std::vector<FileReport> files;       ///< Linted, in the order of the candidates.
  std::vector<FileReport> not_linted;  ///< Named by the user, but no task definition.
  std::vector<Error> errors;           ///< What could not be read.
};

/// Checks every candidate with `jobs` threads; the result does not depend on them.
Run lint_files(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
               unsigned jobs);

}  // namespace bayplan::lint

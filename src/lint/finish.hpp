#pragma once
#include <vector>

#include "importers/subject.hpp"
#include "lint/lint.hpp"
#include "rules/emitter.hpp"

namespace bayplan::lint {

/// Where findings were made.
struct Finish {
  const Options& options;
  const text::Document& document;               ///< What the rules looked at.
  const importers::Subject* subject = nullptr;  ///< Set when that is a part of the file, in other words.
  const ReadFile& file;
};

struct Finished {
  std::vector<LintFinding> findings;
  std::vector<rules::Skip> skipped;
};

/// Selects the findings to report, and reduces findings with the same cause to one.
Finished finish_findings(rules::Findings found, const Finish& finish, const Tools& tools);

/// The findings of a file in file order, equal ones with different identities.
std::vector<LintFinding> in_file_order(std::vector<LintFinding> findings);

}  // namespace bayplan::lint

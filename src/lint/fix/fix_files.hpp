#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "lint/fix/fixes.hpp"
#include "lint/lint_files.hpp"

namespace bayplan::lint {

/// What fixing makes of one candidate. Nothing is written.
struct FixOutcome {
  const Candidate& candidate;
  std::string before;          ///< Its bytes; empty where nothing changes.
  FixedText after;             ///< Has bytes only if something changes.
  std::optional<Error> error;  ///< Set when it could not be read.
  bool is_checked = false;     ///< Holds something that is linted.
};

/// What makes of the bytes of a file another text: `fix_text` or `add_ignores`.
using MakeText = std::function<FixedText(std::string bytes, const Recheck& recheck)>;

/// Makes another text of every candidate as `lint_each` checks them: with `jobs` threads, handed over in order, the
/// same for any `jobs`.
void fix_each(const std::vector<Candidate>& candidates, const Options& options, const Tools& tools, const Files& files,
              unsigned jobs, const MakeText& make_text, const std::function<void(FixOutcome)>& take,
              const Amend& amend = {});

}  // namespace bayplan::lint

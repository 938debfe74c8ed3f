#pragma once
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "lint/lint.hpp"

namespace bayplan::lint {

/// A text with its safe fixes applied, or with comments that suppress its findings.
struct FixedText {
  std::string bytes;  ///< The fixed text in the encoding of the original; only the edits differ.
  /// Number of findings with a safe fix that are gone: all except those that `left` explains.
  std::size_t fixed = 0;
  std::vector<Error> left;  ///< Safe fixes that were not applied: where, and why. No reason to end with an error.
  std::vector<std::string> uncommented = {};  ///< Rules of the findings that no comment can suppress, each once.
};

/// Lints a text as the file that is being fixed.
using Recheck = std::function<FileReport(std::string bytes)>;

/// Applies the safe fixes of what the user has not silenced, pass by pass until none is left. Of fixes that overlap one
/// waits for the next pass. A fix after which the file would have an error that it did not have is not applied.
FixedText fix_text(std::string bytes, const Recheck& recheck, bool with_unsafe = false);

}  // namespace bayplan::lint

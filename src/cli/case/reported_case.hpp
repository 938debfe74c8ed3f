#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/application.hpp"
#include "cli/case/anonymize.hpp"

namespace bayplan::cli {

/// How a run of `words` on `files` and nothing else ends: its exit code. Its output is dropped.
int run_recorded(const RecordedRun& recorded, const Streams& like);

/// Writes a run that ended with `exit_code` to `path`, as a case for a bug report: anonymized (see `anonymized`), and
/// only after `run_again` has shown that it still ends with this code. Nothing, or why there is no case.
std::optional<Error> write_case(const RecordedRun& run, int exit_code, const std::string& path, Files& files,
                                const std::function<int(const RecordedRun&)>& run_again);

/// `words` without `--anonymize FILE`.
std::vector<std::string> without_anonymize(const std::vector<std::string>& words);

/// `words` with `--anonymize case.json`, inserted before `--` if there is one.
std::vector<std::string> with_anonymize(const std::vector<std::string>& words);

}  // namespace bayplan::cli

#include "cli/job_summary.hpp"

#include <sstream>
#include <string>

#include "cli/guarded_files.hpp"
#include "cli/guarded_stream.hpp"

namespace bayplan::cli {
namespace {

constexpr std::size_t kLargest = 1024 * 1024;  ///< GitHub takes 1 MiB a step.

}  // namespace

int add_to_job_summary(std::string_view markdown, Streams& io) {
  const char* const path = io.environment == nullptr ? nullptr : io.environment("GITHUB_STEP_SUMMARY");
  if (path == nullptr || *path == '\0') return kClean;
  std::string page;
  if (io.files.exists(path)) {
    auto before = io.files.read(path, kLargest);
    if (!before) return fail(io, {"cannot add to the job summary: " + before.error().message, path});
    page = std::move(*before);
  }
  if (!page.empty() && !page.ends_with('\n')) page += '\n';
  std::ostringstream shown;
  GuardedStream(shown, guard_of("markdown", false)) << markdown;
  page += shown.str();
  const auto written = rewrite(io, path, page);
  return written ? kClean : fail(io, {"cannot add to the job summary: " + written.error().message, path});
}

}  // namespace bayplan::cli

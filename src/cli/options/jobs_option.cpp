#include "cli/options/jobs_option.hpp"

#include <string>

#include "base/threads.hpp"

namespace bayplan::cli {
namespace {

constexpr std::int64_t kMostThreads = 1024;

}  // namespace

Result<unsigned> parse_jobs(std::int64_t jobs) {
  if (jobs < 0 || jobs > kMostThreads) {
    return Error{.message = "--jobs must be a number from 1 to " + std::to_string(kMostThreads) +
                            ", or 0 for one per core, not " + std::to_string(jobs)};
  }
  return jobs > 0 ? static_cast<unsigned>(jobs) : count_processors();
}

}  // namespace bayplan::cli

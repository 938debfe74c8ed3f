#pragma once
#include <cstdint>

#include "base/result.hpp"

namespace bayplan::cli {

/// The number of threads that --jobs asks for; 0: one per core.
Result<unsigned> parse_jobs(std::int64_t jobs);

}  // namespace bayplan::cli

#pragma once
#include <cstddef>
#include <iosfwd>
#include <string>

#include "base/result.hpp"

namespace bayplan::cli {

/// All of standard input; an error once it is larger than `limit` bytes, so that what has no end is not waited for.
Result<std::string> read_standard_input(std::istream& in, std::size_t limit);

}  // namespace bayplan::cli

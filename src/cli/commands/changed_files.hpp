#pragma once
#include <set>
#include <string>

#include "base/result.hpp"
#include "cli/application.hpp"

namespace bayplan::cli {

/// The files of the repository around the working folder, as paths from the root, that differ from the last common
/// commit with `revision`, and those that git does not track or ignore. Asks the program git.
Result<std::set<std::string, std::less<>>> changed_files(const std::string& revision, const Streams& io);

}  // namespace bayplan::cli

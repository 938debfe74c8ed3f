#pragma once
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/application.hpp"

namespace bayplan::cli {

/// The files in the repositories of `paths`, as paths from the root, that differ from the last common commit with
/// `revision`, and those that git does not track or ignore. Asks the program git. A submodule is compared with the
/// commit that its repository had then, and a repository inside of another one with its own last commit.
Result<std::set<std::string, std::less<>>> changed_files(const std::vector<std::string>& paths,
                                                         const std::string& revision, const Streams& io);

}  // namespace bayplan::cli

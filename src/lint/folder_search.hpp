#pragma once
#include <string>

#include "lint/find_files.hpp"

namespace bayplan::lint {

/// Adds what lies in `folder` and below, in byte order; a folder that cannot be read is an error and the rest goes on.
void search_folder(const std::string& folder, const Files& files, const SearchOptions& options, FoundFiles& found);

}  // namespace bayplan::lint

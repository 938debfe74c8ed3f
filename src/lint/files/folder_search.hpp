#pragma once
#include <string>
#include <string_view>

#include "lint/files/find_files.hpp"

namespace bayplan::lint {

/// Path of `name` in `folder`; in ".", the name alone.
std::string inside(const std::string& folder, const std::string& name);

/// Folders that hold copies, dependencies or a tool's own files.
bool is_tool_folder(std::string_view name);

/// Adds what lies in `folder` and below, in byte order; a folder that cannot be read is an error and the rest goes on.
void search_folder(const std::string& folder, const Files& files, const SearchOptions& options, FoundFiles& found);

}  // namespace bayplan::lint

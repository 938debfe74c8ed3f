#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"

namespace bayplan {

/// What a pattern may match.
enum class GlobMatches { kFiles, kFilesAndFolders };

/// Whether the text is a pattern for `expand_glob`: it has `*`, `?`, `[...]` or `{a,b}`.
bool is_path_glob(std::string_view text);

/// Paths that match `pattern`, sorted by bytes, without duplicates. `*`, `?` and `[...]` match within one path
/// component,
/// `**` matches any number of folders, and `{a,b}` expands to each alternative. Names that begin with a dot match only
/// where the pattern has the dot, as in a shell. `list`: the names in a folder; empty where it cannot be looked into.
std::vector<std::string> expand_glob(std::string_view pattern, GlobMatches matches, const Files& files,
                                     const std::function<std::vector<std::string>(const std::string& folder)>& list);

/// The same with every folder that `files` can list.
std::vector<std::string> expand_glob(std::string_view pattern, GlobMatches matches, const Files& files);

}  // namespace bayplan

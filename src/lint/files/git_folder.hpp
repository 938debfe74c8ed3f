#pragma once
#include <optional>
#include <string>

#include "base/files.hpp"

namespace bayplan::lint {

/// Where git keeps what it knows of a work tree (https://git-scm.com/docs/gitrepository-layout).
struct GitFolder {
  std::string own;     ///< This work tree has it for itself; it holds the index.
  std::string common;  ///< All work trees of the repository share it; it holds config and info/exclude.
};

/// Finds the folder .git of the work tree at `root`, or the one that a file .git names. Returns nothing when there is
/// none.
std::optional<GitFolder> find_git_folder(const std::string& root, const Files& files);

/// Bytes of an object name in the index: 32 in a repository with SHA-256, else 20.
std::size_t object_name_size(const GitFolder& git, const Files& files);

}  // namespace bayplan::lint

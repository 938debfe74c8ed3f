#pragma once
#include <optional>
#include <string>

#include "base/files.hpp"

namespace bayplan::lint {

/// Where git keeps what it knows of a work tree (https://git-scm.com/docs/gitrepository-layout).
struct GitFolder {
  std::string own;     ///< Of this work tree: holds its index.
  std::string common;  ///< Shared by all work trees of the repository: holds config and info/exclude.
};

/// Of the work tree whose root is `root`: its folder .git, or the one that a file .git names. Nothing when there is
/// none.
std::optional<GitFolder> find_git_folder(const std::string& root, const Files& files);

/// Bytes of an object name in the index: 32 in a repository with SHA-256, else 20.
std::size_t object_name_size(const GitFolder& git, const Files& files);

}  // namespace bayplan::lint

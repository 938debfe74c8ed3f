#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "lint/files/ignore_patterns.hpp"

namespace bayplan::lint {

/// Patterns in the syntax of .gitignore and the folder that they are relative to.
struct FilePatterns {
  std::string folder;              ///< Absolute.
  std::vector<std::string> texts;  ///< The text as it is written.
  IgnorePatterns patterns;

  static FilePatterns of(std::string folder, std::vector<std::string> texts);

  /// Whether they name the file, or a folder around it. `absolute` is a path from the root.
  bool hold(std::string_view absolute) const;
};

/// `path` from the root; a name that is no file (standard input) as one of the working folder.
std::string path_from_root(const std::string& path, const Files& files);

/// How `path` is called from `folder`, both from the root: "../b/c.json". Independent of where the program runs.
std::string path_seen_from(std::string_view folder, std::string_view path);

}  // namespace bayplan::lint

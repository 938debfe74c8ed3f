#pragma once
#include <string>

#include "base/files.hpp"
#include "base/result.hpp"

namespace bayplan {

/// Whether `folder` is the root of the file system, or of a drive. No project starts there, and a search would take
/// minutes.
inline bool is_root_folder(const Files& files, const std::string& folder) {
  if (!files.is_folder(folder)) return false;
  const std::string absolute = files.absolute(folder);
  const bool is_drive = absolute.size() == 3 && absolute[1] == ':';
  return absolute == "/" || is_drive;
}

/// The error for a root folder on the command line.
inline Error root_not_searched(const std::string& folder) {
  return {.message = "the root of the file system is not searched", .file = folder, .help = "name a folder in it"};
}

}  // namespace bayplan

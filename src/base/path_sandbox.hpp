#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"

namespace bayplan {

/// Names of the configuration file, which also marks a project. In one folder the first of them is read.
inline constexpr std::array<std::string_view, 2> kConfigNames{".bayplan.yaml", ".bayplan.yml"};

/// The folders in which an input may name files, and in which a searched folder may contain links to files: that
/// folder, the project around it (the nearest folder upwards with .git, and the nearest with a configuration file), and
/// the working folder if it contains the input. An input from someone else can therefore not make the program read,
/// and quote in a report, other files. Symbolic links are resolved first. Paths that the user named are not checked.
class PathSandbox {
 public:
  /// `folder` of the input, or the folder that is searched.
  PathSandbox(const Files& files, const std::string& folder);

  /// Whether the path lies inside. For a path that leads nowhere its folder decides; without one it is inside, as
  /// nothing is read there.
  bool contains(const std::string& path) const;

 private:
  const Files& files_;
  std::vector<std::string> roots_;  ///< Absolute paths of the allowed folders.
};

/// `Error::id` of reading a file that the client of a server does not allow.
inline constexpr std::string_view kNotAllowed = "not-allowed";

/// Whether `path`, which a folder lists, is a link to such a file: to `exists` it is not there.
inline bool is_not_allowed(const Files& files, const std::string& path) {
  if (files.exists(path)) return false;
  const auto content = files.read(path, 0);
  return !content && content.error().id == kNotAllowed;
}

/// Whether a path is the folder `root` or inside of it; both as Files::absolute has them.
bool is_below(const std::string& root, const std::string& path);

/// "deploy" of "deploy/web.json", "." of "web.json".
std::string folder_around(std::string_view file);

}  // namespace bayplan

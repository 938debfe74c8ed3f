#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"

namespace bayplan {

/// Where the files may lie that an input names, or that lie in a searched folder, though the user asked for none of
/// them: in that folder, in the project around it (the nearest folder upwards with .git, and the nearest with
/// .bayplan.yaml), and in the working folder when it holds the input. So nobody is made to read, and to quote in a
/// report, what an input of somebody else points at. Symbolic links are followed first. What the user named is not
/// asked here.
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

/// "deploy" of "deploy/web.json", "." of "web.json".
std::string folder_around(std::string_view file);

}  // namespace bayplan

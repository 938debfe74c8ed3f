#include "base/path_sandbox.hpp"

#include <algorithm>

namespace bayplan {
namespace {

std::string inside(const std::string& folder, std::string_view name) {
  return folder + (folder.ends_with('/') ? "" : "/") + std::string(name);
}

/// The folder around; nothing of the root.
std::string above(const std::string& folder) {
  const auto slash = folder.rfind('/');
  if (slash == std::string::npos || folder == "/") return {};
  return slash == 0 ? "/" : folder.substr(0, slash);
}

}  // namespace

PathSandbox::PathSandbox(const Files& files, const std::string& folder) : files_(files) {
  const std::string own = files.absolute(folder);
  roots_.push_back(own);
  const std::string working = files.absolute(".");
  // All lies below "/", where containers begin: that is no project.
  if (working != "/" && is_below(working, own)) roots_.push_back(working);
  bool has_config = false;
  for (std::string at = own; !at.empty(); at = above(at)) {
    const bool is_repository = files.exists(inside(at, ".git"));
    const bool is_configured =
        !has_config && std::any_of(kConfigNames.begin(), kConfigNames.end(),
                                   [&](std::string_view name) { return files.exists(inside(at, name)); });
    if (is_repository || is_configured) roots_.push_back(at);
    if (is_repository) return;
    has_config = has_config || is_configured;
  }
}

bool PathSandbox::contains(const std::string& path) const {
  // Of what is not there the folder counts: an error may name what is next to it.
  const std::string there = files_.exists(path) ? path : folder_around(path);
  if (!files_.exists(there)) return true;
  const std::string place = files_.absolute(there);
  return std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) { return is_below(root, place); });
}

bool is_below(const std::string& root, const std::string& path) {
  if (root == ".") return !path.starts_with('/') && !path.starts_with("../") && path != "..";
  return path == root || path.starts_with(root.ends_with('/') ? root : root + "/");
}

std::string folder_around(std::string_view file) {
  const auto slash = file.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return std::string(slash == 0 ? "/" : file.substr(0, slash));
}

}  // namespace bayplan

#pragma once
#include <string>
#include <string_view>

#include "base/files.hpp"

namespace bayplan {

/// What reading a symbolic link says that leads to nothing, or round in a circle.
inline constexpr std::string_view kBrokenLink = "is a link that leads nowhere";

/// Whether `path` is such a link: to `exists` it is not there.
inline bool is_broken_link(const Files& files, const std::string& path) {
  if (files.exists(path)) return false;
  const auto content = files.read(path, 0);
  return !content && content.error().message == kBrokenLink;
}

}  // namespace bayplan

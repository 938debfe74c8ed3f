#pragma once
#include <string>
#include <string_view>

#include "base/files.hpp"

namespace bayplan {

/// `Error::id` of reading a symbolic link that leads to nothing, or round in a circle.
inline constexpr std::string_view kBrokenLink = "link-broken";

/// Whether `path` is such a link: to `exists` it is not there.
inline bool is_broken_link(const Files& files, const std::string& path) {
  if (files.exists(path)) return false;
  const auto content = files.read(path, 0);
  return !content && content.error().id == kBrokenLink;
}

}  // namespace bayplan

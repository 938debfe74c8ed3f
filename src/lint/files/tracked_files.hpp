#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"

namespace bayplan::lint {

/// The files that git tracks in one work tree: .gitignore says nothing of them.
class TrackedFiles {
 public:
  /// Reads an index of version 2, 3 or 4 (https://git-scm.com/docs/index-format); `name_size`: bytes of an object name.
  /// Nothing when it is damaged. Extensions and the checksum are not looked at.
  static std::optional<TrackedFiles> parse(std::string_view index, std::size_t name_size);

  /// Reads the tracked files of the work tree at `root`; none when it has no index that can be read.
  static TrackedFiles of(const std::string& root, const Files& files);

  /// Paths are relative to the root.
  bool holds(std::string_view path) const;
  bool holds_below(std::string_view folder) const;

 private:
  std::vector<std::string> paths_;  ///< Sorted in byte order.
};

}  // namespace bayplan::lint

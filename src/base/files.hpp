#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace bayplan {

/// The file system as commands see it, so that a whole command runs in a test without a disk.
class Files {
 public:
  virtual ~Files() = default;

  /// Whole content; an error when it cannot be read, is no regular file, or is larger than `limit` bytes.
  virtual Result<std::string> read(const std::string& path, std::size_t limit) const = 0;
  virtual bool is_folder(const std::string& path) const = 0;
  virtual bool exists(const std::string& path) const = 0;
  /// The path from the root, links and dots resolved; the path as given where there is no such file.
  virtual std::string absolute(const std::string& path) const = 0;
  /// Regular files and folders directly inside, names only, sorted by bytes. Symbolic links to folders are left out.
  virtual Result<std::vector<std::string>> list(const std::string& folder) const = 0;
  /// Writes to a temporary name beside `path`, then renames: a reader sees the old file or the new one, never half.
  /// A symbolic link stays one; devices and pipes are written to as they are.
  virtual Result<bool> write(const std::string& path, std::string_view content) = 0;
};

class DiskFiles : public Files {
 public:
  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  bool is_folder(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::vector<std::string>> list(const std::string& folder) const override;
  Result<bool> write(const std::string& path, std::string_view content) override;
};

}  // namespace bayplan

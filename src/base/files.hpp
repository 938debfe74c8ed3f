#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace bayplan {

/// A file in the making, under a temporary name; thrown away unless it is committed.
class NewFile {
 public:
  NewFile() = default;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  virtual ~NewFile() = default;

  virtual void append(std::string_view text) = 0;  ///< An error is kept for `commit`.
  /// Gives it its name: a reader sees the old file or the whole new one. Called once, last.
  virtual Result<bool> commit() = 0;
};

/// A file that is read from the beginning to the end, piece by piece.
class FileReader {
 public:
  FileReader() = default;
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  virtual ~FileReader() = default;

  /// Reads up to `most` bytes; 0 at the end.
  virtual Result<std::size_t> read(char* into, std::size_t most) = 0;
};

/// The file system as commands see it, so that a whole command runs in a test without a disk.
class Files {
 public:
  virtual ~Files() = default;

  /// Whole content; an error that names the file when it cannot be read, is no regular file, or is larger than `limit`
  /// bytes.
  virtual Result<std::string> read(const std::string& path, std::size_t limit) const = 0;
  /// Opens a file that is too large for `read`. By default the whole content is read at once.
  virtual Result<std::unique_ptr<FileReader>> open(const std::string& path) const;
  virtual bool is_folder(const std::string& path) const = 0;
  virtual bool exists(const std::string& path) const = 0;
  /// The path from the root, links and dots resolved; the path as given where there is no such file.
  virtual std::string absolute(const std::string& path) const = 0;
  /// Regular files and folders directly inside, names only, sorted by bytes. Symbolic links to folders are left out.
  virtual Result<std::vector<std::string>> list(const std::string& folder) const = 0;
  /// A file that appears at `path`, or takes the place of the one there, when it is committed. It keeps the mode of
  /// the old file; a symbolic link stays one; devices and pipes are written to as they are.
  virtual Result<std::unique_ptr<NewFile>> create(const std::string& path) = 0;
  /// `create`, `append` and `commit` in one.
  Result<bool> write(const std::string& path, std::string_view content);
};

class DiskFiles : public Files {
 public:
  Result<std::string> read(const std::string& path, std::size_t limit) const override;
  Result<std::unique_ptr<FileReader>> open(const std::string& path) const override;
  bool is_folder(const std::string& path) const override;
  bool exists(const std::string& path) const override;
  std::string absolute(const std::string& path) const override;
  Result<std::vector<std::string>> list(const std::string& folder) const override;
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override;
};

/// What is said of a file to write whose folder is missing.
Error folder_not_found(const std::string& path);

/// `Error::id` of reading a symbolic link that leads to nothing, or round in a circle.
inline constexpr std::string_view kBrokenLink = "link-broken";

/// Whether `path` is such a link: to `exists` it is not there.
inline bool is_broken_link(const Files& files, const std::string& path) {
  if (files.exists(path)) return false;
  const auto content = files.read(path, 0);
  return !content && content.error().id == kBrokenLink;
}

/// What a report that is passed on says of a file: a path from the root as the path from `folder` where it is below it,
/// else without its folders, which name who made the report and where. Other paths as they are.
std::string path_to_pass_on(std::string_view path, std::string_view folder);

}  // namespace bayplan

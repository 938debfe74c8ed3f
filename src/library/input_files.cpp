#include "library/input_files.hpp"

#include <set>

namespace bayplan::v0 {

bayplan::Result<std::string> InputFiles::read(const std::string& path, std::size_t limit) const {
  return reads_disk_ && !has_text(path) ? disk_.read(path, limit) : texts_.read(path, limit);
}

bool InputFiles::is_folder(const std::string& path) const {
  return texts_.is_folder(path) || (reads_disk_ && !has_text(path) && disk_.is_folder(path));
}

bool InputFiles::exists(const std::string& path) const {
  return texts_.exists(path) || (reads_disk_ && disk_.exists(path));
}

std::string InputFiles::absolute(const std::string& path) const {
  return reads_disk_ && !has_text(path) ? disk_.absolute(path) : path;
}

bayplan::Result<std::vector<std::string>> InputFiles::list(const std::string& folder) const {
  auto held = texts_.list(folder);
  if (!reads_disk_) return held;
  auto found = disk_.list(folder);
  if (!found) return texts_.is_folder(folder) && !held->empty() ? held : found;
  std::set<std::string> names(held->begin(), held->end());
  names.insert(found->begin(), found->end());
  return std::vector<std::string>(names.begin(), names.end());
}

bayplan::Result<std::unique_ptr<bayplan::NewFile>> InputFiles::create(const std::string& path) {
  return bayplan::Error{.message = "the library writes no files", .file = path};
}

}  // namespace bayplan::v0

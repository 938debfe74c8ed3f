#include "lsp/editor_files.hpp"

#include "lsp/file_uri.hpp"

namespace bayplan::lsp {

std::string EditorFiles::path_from_root(const std::string& path) const {
  return normal_path(path.starts_with('/') ? path : folder_ + "/" + path);
}

Result<std::string> EditorFiles::read(const std::string& path, std::size_t limit) const {
  const std::string full = path_from_root(path);
  const OpenDocument* open = find_open_(full);
  if (open == nullptr) return disk_.read(full, limit);
  if (open->text.size() > limit) return Error{"is larger than " + std::to_string(limit) + " bytes", path};
  return open->text;
}

bool EditorFiles::is_folder(const std::string& path) const {
  return disk_.is_folder(path_from_root(path));
}

bool EditorFiles::exists(const std::string& path) const {
  const std::string full = path_from_root(path);
  return find_open_(full) != nullptr || disk_.exists(full);
}

std::string EditorFiles::absolute(const std::string& path) const {
  return disk_.absolute(path_from_root(path));
}

Result<std::vector<std::string>> EditorFiles::list(const std::string& folder) const {
  return disk_.list(path_from_root(folder));
}

Result<std::unique_ptr<NewFile>> EditorFiles::create(const std::string& path) {
  return Error{.message = "an editor's files are not written", .file = path};
}

}  // namespace bayplan::lsp

#include "cli/mcp/root_files.hpp"

#include <algorithm>

#include "base/path_sandbox.hpp"
#include "base/root_folder.hpp"
#include "base/strings.hpp"

namespace bayplan::cli::mcp {
class RootFiles::TextReport : public NewFile {
 public:
  explicit TextReport(std::string& text) : text_(text) {}
  void append(std::string_view text) override { text_ += text; }
  Result<bool> commit() override { return true; }

 private:
  std::string& text_;
};

RootFiles::RootFiles(Files& files, const std::optional<std::vector<std::string>>& roots) : files_(files) {
  if (!roots) {
    if (!is_root_folder(files, ".")) roots_.push_back(files.absolute("."));
    return;
  }
  for (const auto& root : *roots) roots_.push_back(files.absolute(root));
  if (!roots_.empty()) start_ = roots_.front();
}

std::string RootFiles::place_of(const std::string& path) const {
  if (start_.empty() || path.starts_with('/')) return path;
  return start_ + "/" + path;
}

std::optional<Error> RootFiles::refusal(const std::string& path) const {
  if (roots_.empty()) {
    return Error{.message = "the client lists no folder whose files may be read",
                 .file = path,
                 .help = "Open a folder in the client, or pass the text itself in 'text' and name it '-'."};
  }
  // What does not exist is where the nearest folder around it is.
  std::string nearest = place_of(path);
  while (!files_.exists(nearest) && nearest != "." && nearest != "/") nearest = folder_around(nearest);
  const std::string resolved = files_.absolute(nearest);
  const bool is_inside =
      path.find('\0') == std::string::npos &&
      std::any_of(roots_.begin(), roots_.end(), [&](const std::string& root) { return is_below(root, resolved); });
  if (is_inside) return std::nullopt;
  return Error{.message = "outside of the folders that the client allows",
               .file = path,
               .help = "Files are read only below " + join(roots_, ", "),
               .id = std::string(kNotAllowed)};
}

Result<std::string> RootFiles::read(const std::string& path, std::size_t limit) const {
  if (auto error = refusal(path)) return *error;
  auto text = files_.read(place_of(path), limit);
  if (text) return text;
  Error error = text.error();
  if (!error.file.empty()) error.file = path;
  return error;
}

Result<std::unique_ptr<FileReader>> RootFiles::open(const std::string& path) const {
  if (auto error = refusal(path)) return *error;
  auto file = files_.open(place_of(path));
  if (file) return file;
  Error error = file.error();
  if (!error.file.empty()) error.file = path;
  return error;
}

bool RootFiles::is_folder(const std::string& path) const {
  return !refusal(path) && files_.is_folder(place_of(path));
}

bool RootFiles::exists(const std::string& path) const {
  return !refusal(path) && files_.exists(place_of(path));
}

std::string RootFiles::absolute(const std::string& path) const {
  return exists(path) ? files_.absolute(place_of(path)) : path;
}

Result<std::vector<std::string>> RootFiles::list(const std::string& folder) const {
  if (auto error = refusal(folder)) return *error;
  return files_.list(place_of(folder));
}

Result<std::unique_ptr<NewFile>> RootFiles::create(const std::string& path) {
  if (path == kTextReport) return std::unique_ptr<NewFile>(std::make_unique<TextReport>(text_report_));
  return Error{.message = "the server writes no files", .file = path};
}

}  // namespace bayplan::cli::mcp

#include "lsp/settings.hpp"

#include <algorithm>

#include "lint/config_options.hpp"
#include "lint/config_types.hpp"
#include "lint/found_config.hpp"

namespace bayplan::lsp {
namespace {

constexpr std::size_t kMostConfig = 16u << 20;

/// Stands for a file that could not be read; no text begins so.
constexpr std::string_view kMissing = "\xff";

std::string content_of(const std::string& path, const Files& files) {
  auto content = files.read(path, kMostConfig);
  return content ? std::move(*content) : std::string(kMissing);
}

/// Passes everything on and remembers what was read.
class ReadLog : public Files {
 public:
  ReadLog(const EditorFiles& files, std::map<std::string, std::string>& log) : files_(files), log_(log) {}

  Result<std::string> read(const std::string& path, std::size_t limit) const override {
    auto content = files_.read(path, limit);
    log_[path] = content ? *content : std::string(kMissing);
    return content;
  }
  bool is_folder(const std::string& path) const override { return files_.is_folder(path); }
  bool exists(const std::string& path) const override { return files_.exists(path); }
  std::string absolute(const std::string& path) const override { return files_.absolute(path); }
  Result<std::vector<std::string>> list(const std::string& folder) const override { return files_.list(folder); }
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override {
    return Error{.message = "nothing is written", .file = path};
  }

 private:
  const EditorFiles& files_;
  std::map<std::string, std::string>& log_;
};

}  // namespace

bool SettingsStore::is_current(const Entry& entry, const std::string& config, const EditorFiles& files) const {
  if (!entry.is_read || entry.config != config) return false;
  return std::all_of(entry.read.begin(), entry.read.end(),
                     [&](const auto& one) { return content_of(one.first, files) == one.second; });
}

void SettingsStore::read(Entry& entry, const EditorFiles& files) const {
  entry.read.clear();
  entry.is_read = true;
  lint::ConfigFile file;
  if (!entry.config.empty()) file = lint::read_found_config(entry.config, ReadLog(files, entry.read), tools_.rule_data);
  entry.current.errors = std::move(file.errors);
  if (entry.current.errors.empty() && file.config.types) {
    if (auto fault = lint::fault_of_types(file.config, tools_.catalog.get()))
      entry.current.errors.push_back(std::move(*fault));
  }
  entry.current.files.clear();
  for (const auto& [path, content] : entry.read) entry.current.files.push_back(files.path_from_root(path));
  if (!entry.current.errors.empty()) return;
  auto options = lint::options_of(file.config);
  entry.current.settings = std::make_shared<const Settings>(Settings{std::move(file.config), std::move(options)});
}

const FolderSettings& SettingsStore::of(const std::string& folder, const EditorFiles& files) {
  Entry& entry = by_folder_[folder];
  const std::string config = lint::find_config(files).value_or("");
  if (is_current(entry, config, files)) return entry.current;
  entry.config = config;
  read(entry, files);
  return entry.current;
}

}  // namespace bayplan::lsp

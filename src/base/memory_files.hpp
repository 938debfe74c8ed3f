#pragma once
#include <map>
#include <set>
#include <string>

#include "base/files.hpp"

namespace bayplan {

/// Appears in `texts` when it is committed.
class NewMemoryFile : public NewFile {
 public:
  NewMemoryFile(std::map<std::string, std::string>& texts, std::string path) : texts_(texts), path_(std::move(path)) {}

  void append(std::string_view text) override { content_ += text; }
  Result<bool> commit() override {
    texts_[path_] = std::move(content_);
    return true;
  }

 private:
  std::map<std::string, std::string>& texts_;
  std::string path_;
  std::string content_;
};

/// A file system of texts by path; folders are what the paths say. For input that is no file: examples, tests.
class MemoryFiles : public Files {
 public:
  MemoryFiles() = default;
  explicit MemoryFiles(std::map<std::string, std::string> texts) : content(std::move(texts)) {}

  std::map<std::string, std::string> content;  ///< Keyed by path.

  Result<std::string> read(const std::string& path, std::size_t limit) const override {
    const auto found = content.find(path);
    if (found == content.end()) return Error{"No such file or directory", path};
    if (found->second.size() > limit) return Error{"is larger than the limit", path};
    return found->second;
  }
  bool is_folder(const std::string& path) const override {
    if (path == ".") return true;
    const auto next = content.lower_bound(path + "/");
    return next != content.end() && next->first.starts_with(path + "/");
  }
  bool exists(const std::string& path) const override { return content.contains(path) || is_folder(path); }
  std::string absolute(const std::string& path) const override { return path; }
  Result<std::vector<std::string>> list(const std::string& folder) const override {
    const std::string prefix = folder == "." ? "" : folder.ends_with('/') ? folder : folder + "/";
    std::set<std::string> names;
    for (const auto& [path, text] : content) {
      if (path.starts_with(prefix))
        names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
    }
    return std::vector<std::string>(names.begin(), names.end());
  }
  Result<std::unique_ptr<NewFile>> create(const std::string& path) override {
    return std::unique_ptr<NewFile>(std::make_unique<NewMemoryFile>(content, path));
  }
};

}  // namespace bayplan

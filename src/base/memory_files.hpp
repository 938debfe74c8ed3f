#pragma once
#include <map>
#include <set>
#include <string>

#include "base/files.hpp"

namespace bayplan {

/// A file system of texts by path; folders are what the paths say. For input that is no file: examples, tests.
class MemoryFiles : public Files {
 public:
  explicit MemoryFiles(std::map<std::string, std::string> texts) : texts_(std::move(texts)) {}

  Result<std::string> read(const std::string& path, std::size_t limit) const override {
    const auto found = texts_.find(path);
    if (found == texts_.end()) return Error{"no such file", path};
    if (found->second.size() > limit) return Error{"too large", path};
    return found->second;
  }
  bool is_folder(const std::string& path) const override {
    if (path == ".") return true;
    const auto next = texts_.lower_bound(path + "/");
    return next != texts_.end() && next->first.starts_with(path + "/");
  }
  bool exists(const std::string& path) const override { return texts_.contains(path) || is_folder(path); }
  std::string absolute(const std::string& path) const override { return path; }
  Result<std::vector<std::string>> list(const std::string& folder) const override {
    const std::string prefix = folder == "." ? "" : folder.ends_with('/') ? folder : folder + "/";
    std::set<std::string> names;
    for (const auto& [path, text] : texts_) {
      if (path.starts_with(prefix))
        names.insert(path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size()));
    }
    return std::vector<std::string>(names.begin(), names.end());
  }
  Result<bool> write(const std::string& path, std::string_view content) override {
    texts_[path] = content;
    return true;
  }

 private:
  std::map<std::string, std::string> texts_;
};

}  // namespace bayplan

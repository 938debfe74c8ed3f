#pragma once
#include <map>
#include <set>
#include <string>

#include "base/files.hpp"

/// A file system in memory: paths with `/`, folders implied by the files in them.
class MemoryFiles : public bayplan::Files {
 public:
  std::map<std::string, std::string> content;

  bayplan::Result<std::string> read(const std::string& path, std::size_t limit) const override {
    const auto found = content.find(path);
    if (found == content.end()) return bayplan::Error{"No such file or directory", path};
    if (found->second.size() > limit) return bayplan::Error{"is larger than the limit", path};
    return found->second;
  }
  bool is_folder(const std::string& path) const override { return !names_in(path).empty(); }
  bool exists(const std::string& path) const override { return content.count(path) > 0 || is_folder(path); }
  std::string absolute(const std::string& path) const override { return path; }
  bayplan::Result<std::vector<std::string>> list(const std::string& folder) const override {
    const auto names = names_in(folder);
    return std::vector<std::string>(names.begin(), names.end());
  }
  bayplan::Result<bool> write(const std::string& path, std::string_view text) override {
    content[path] = std::string(text);
    return true;
  }

 private:
  std::set<std::string> names_in(const std::string& folder) const {
    const std::string prefix = folder == "." ? "" : folder + (folder.ends_with('/') ? "" : "/");
    std::set<std::string> names;
    for (const auto& [path, text] : content) {
      if (path.rfind(prefix, 0) != 0) continue;
      const auto rest = path.substr(prefix.size());
      names.insert(rest.substr(0, rest.find('/')));
    }
    return names;
  }
};

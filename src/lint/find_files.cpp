#include "lint/find_files.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.hpp"

namespace bayplan::lint {
namespace {

constexpr std::array<std::string_view, 7> kEndings{".json", ".jsonc", ".json5", ".yaml", ".yml", ".tpl", ".j2"};

/// Folders that hold copies, dependencies or a tool's own files. `.aws` and `.github` do hold task definitions.
constexpr std::array<std::string_view, 12> kToolFolders{".git",        ".hg",    ".svn",    "node_modules",
                                                        ".terraform",  ".venv",  "venv",    ".tox",
                                                        "__pycache__", ".cache", "cdk.out", ".bayplan"};

bool is_tool_folder(std::string_view name) {
  return std::find(kToolFolders.begin(), kToolFolders.end(), name) != kToolFolders.end();
}

bool has_known_ending(std::string_view name) {
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
    return name.size() > ending.size() && equal_ignoring_case(name.substr(name.size() - ending.size()), ending);
  });
}

std::string inside(const std::string& folder, const std::string& name) {
  if (folder == ".") return name;
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

void search_folder(const std::string& folder, const Files& files, FoundFiles& found) {
  const auto names = files.list(folder);
  if (!names) {
    found.errors.push_back(names.error());
    return;
  }
  for (const auto& name : *names) {
    const std::string path = inside(folder, name);
    if (files.is_folder(path)) {
      if (!is_tool_folder(name)) search_folder(path, files, found);
    } else if (has_known_ending(name)) {
      found.candidates.push_back({path, Search::kFound});
    }
  }
}

}  // namespace

FoundFiles find_files(const std::vector<std::string>& paths, const Files& files) {
  FoundFiles found;
  for (const auto& path : paths) {
    if (files.is_folder(path)) {
      search_folder(path, files, found);
    } else {
      found.candidates.push_back({path, Search::kNamed});
    }
  }
  std::set<std::string> seen;
  std::erase_if(found.candidates, [&](const Candidate& candidate) { return !seen.insert(candidate.path).second; });
  return found;
}

bool may_hold_containers(std::string_view bytes) {
  const bool is_wide = bytes.size() > 1 && (bytes.substr(0, 2) == "\xff\xfe" || bytes.substr(0, 2) == "\xfe\xff");
  if (is_wide) return true;
  for (const std::string_view word : {"ontainerDefinitions", "ontainer_definitions", "image"}) {
    if (bytes.find(word) != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace bayplan::lint

#include "lint/folder_search.hpp"

#include <algorithm>
#include <array>

#include "base/broken_link.hpp"
#include "base/reach.hpp"
#include "base/strings.hpp"
#include "lint/ignore_patterns.hpp"

namespace bayplan::lint {
namespace {

constexpr std::array<std::string_view, 7> kEndings{".json", ".jsonc", ".json5", ".yaml", ".yml", ".tpl", ".j2"};

/// Folders that hold copies, dependencies or a tool's own files. `.aws` and `.github` do hold task definitions.
constexpr std::array<std::string_view, 12> kToolFolders{".git",        ".hg",    ".svn",    "node_modules",
                                                        ".terraform",  ".venv",  "venv",    ".tox",
                                                        "__pycache__", ".cache", "cdk.out", ".bayplan"};

constexpr std::size_t kLargestIgnoreFile = 1024 * 1024;

bool is_tool_folder(std::string_view name) {
  return std::find(kToolFolders.begin(), kToolFolders.end(), name) != kToolFolders.end();
}

/// Walks down from one folder with the .gitignore files that hold there.
class FolderSearch {
 public:
  FolderSearch(const std::string& folder, const Files& files, const SearchOptions& options, FoundFiles& found)
      : files_(files), options_(options), found_(found), reach_(files, folder) {}

  void search(const std::string& folder) {
    const std::string absolute = files_.absolute(folder);
    if (options_.respect_gitignore) enter_parents(absolute);
    search(folder, absolute);
  }

 private:
  struct Level {
    std::string folder;  ///< Absolute; the patterns are relative to it.
    IgnorePatterns patterns;
  };

  /// Of a file that is there and cannot be read the user hears: what it keeps out would be searched.
  IgnorePatterns patterns_in(const std::string& file) {
    if (!files_.exists(file) && !is_broken_link(files_, file)) return {};
    const auto text = files_.read(file, kLargestIgnoreFile);
    if (text) return IgnorePatterns::parse(*text);
    Error error = text.error();
    error.help = "what it keeps out would be searched: mend it, or take it away";
    found_.errors.push_back(std::move(error));
    return {};
  }

  void enter(const std::string& absolute) {
    levels_.push_back({absolute, patterns_in(inside(absolute, ".gitignore"))});
  }

  /// The .gitignore files above, up to the root of the repository; those of no repository say nothing.
  void enter_parents(const std::string& absolute) {
    std::vector<std::string> above;
    std::string at = absolute;
    while (!files_.exists(inside(at, ".git"))) {
      const auto slash = at.rfind('/');
      if (slash == std::string::npos || at == "/") return;
      at = slash == 0 ? "/" : at.substr(0, slash);
      above.push_back(at);
    }
    levels_.push_back({at, patterns_in(inside(at, ".git/info/exclude"))});
    for (auto folder = above.rbegin(); folder != above.rend(); ++folder) enter(*folder);
  }

  /// The deepest .gitignore with an opinion decides.
  bool is_ignored(const std::string& absolute, bool is_folder) const {
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      if (level->patterns.empty()) continue;
      const std::size_t skip = level->folder == "/" ? 1 : level->folder == "." ? 0 : level->folder.size() + 1;
      const auto decision = level->patterns.ignores(std::string_view(absolute).substr(skip), is_folder);
      if (decision) return *decision;
    }
    return false;
  }

  void search(const std::string& folder, const std::string& absolute) {
    const auto names = files_.list(folder);
    if (!names) {
      found_.errors.push_back(names.error());
      return;
    }
    const std::size_t depth = levels_.size();
    if (options_.respect_gitignore) enter(absolute);
    for (const auto& name : *names) look_at(inside(folder, name), inside(absolute, name), name);
    levels_.resize(depth);
  }

  void look_at(const std::string& path, const std::string& absolute, const std::string& name) {
    const bool is_folder = files_.is_folder(path);
    if (is_folder ? is_tool_folder(name) : !has_known_ending(name) && !is_included(absolute)) return;
    if (is_ignored(absolute, is_folder)) return;
    if (!is_folder && !reach_.holds(path)) return;  // a link that leads out: whoever wants it names it
    if (is_folder) {
      search(path, absolute);
    } else {
      found_.candidates.push_back({path, Search::kFound});
    }
  }

  bool is_included(const std::string& absolute) const {
    return options_.include != nullptr && options_.include->hold(absolute);
  }

  const Files& files_;
  const SearchOptions& options_;
  FoundFiles& found_;
  Reach reach_;
  std::vector<Level> levels_;
};

}  // namespace

std::string inside(const std::string& folder, const std::string& name) {
  if (folder == ".") return name;
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

bool has_known_ending(std::string_view name) {
  return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
    return name.size() > ending.size() && equal_ignoring_case(name.substr(name.size() - ending.size()), ending);
  });
}

void search_folder(const std::string& folder, const Files& files, const SearchOptions& options, FoundFiles& found) {
  FolderSearch(folder, files, options, found).search(folder);
}

}  // namespace bayplan::lint

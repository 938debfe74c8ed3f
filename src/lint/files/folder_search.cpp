#include "lint/files/folder_search.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/files.hpp"
#include "base/path_sandbox.hpp"
#include "base/strings.hpp"
#include "lint/files/git_folder.hpp"
#include "lint/files/ignore_patterns.hpp"
#include "lint/files/tracked_files.hpp"

namespace bayplan::lint {
namespace {

/// `files` of `.pre-commit-hooks.yaml` takes the same names.
constexpr std::array<std::string_view, 14> kEndings{".json",  ".jsonc",  ".json5",    ".jsonnet", ".yaml",
                                                    ".yml",   ".tpl",    ".tmpl",     ".tftpl",   ".j2",
                                                    ".jinja", ".jinja2", ".template", ".tf"};

/// Most of these make web pages, so only what makes JSON or YAML is looked at: web.json.erb.
constexpr std::array<std::string_view, 4> kPageEndings{".erb", ".ejs", ".mustache", ".hbs"};
constexpr std::array<std::string_view, 3> kDataEndings{".json", ".yaml", ".yml"};

/// Folders that hold copies, dependencies or a tool's own files. `.aws` and `.github` do hold task definitions.
constexpr std::array<std::string_view, 12> kToolFolders{".git",        ".hg",    ".svn",    "node_modules",
                                                        ".terraform",  ".venv",  "venv",    ".tox",
                                                        "__pycache__", ".cache", "cdk.out", ".bayplan"};

/// A report does not name these: task definitions are not kept there.
constexpr std::array<std::string_view, 3> kVersionControl{".git", ".hg", ".svn"};

constexpr std::size_t kLargestIgnoreFile = 1024 * 1024;

bool is_version_control(std::string_view name) {
  return std::find(kVersionControl.begin(), kVersionControl.end(), name) != kVersionControl.end();
}

/// The config and the baseline.
bool is_own(std::string_view name) {
  return name.starts_with(".bayplan");
}

/// `path` as seen from the folder around it.
std::string_view relative_to(const std::string& folder, std::string_view path) {
  return path.substr(folder == "/" ? 1 : folder == "." ? 0 : folder.size() + 1);
}

/// Walks down from one folder with the .gitignore files that hold there.
class FolderSearch {
 public:
  FolderSearch(const std::string& folder, const Files& files, const SearchOptions& options, FoundFiles& found)
      : files_(files), options_(options), found_(found), folder_(folder), sandbox_(files, folder) {}

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

  struct WorkTree {
    std::string root;                     ///< Absolute.
    std::optional<TrackedFiles> tracked;  ///< Read when it is first asked for.
  };

  /// Reports a file that exists and cannot be read, because what it excludes would be searched.
  IgnorePatterns patterns_in(const std::string& file) {
    if (!files_.exists(file) && !is_broken_link(files_, file)) return {};
    const auto text = files_.read(file, kLargestIgnoreFile);
    if (text) return IgnorePatterns::parse(*text);
    Error error = text.error();
    error.help = "files that it excludes would be searched; fix or remove it";
    found_.errors.push_back(std::move(error));
    return {};
  }

  void enter(const std::string& absolute) {
    levels_.push_back({absolute, patterns_in(inside(absolute, ".gitignore"))});
  }

  void enter_work_tree(const std::string& root) {
    work_trees_.push_back({root, {}});
    const auto git = find_git_folder(root, files_);
    if (git) levels_.push_back({root, patterns_in(inside(git->common, "info/exclude"))});
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
    enter_work_tree(at);
    for (auto folder = above.rbegin(); folder != above.rend(); ++folder) enter(*folder);
  }

  /// The deepest .gitignore with an opinion decides.
  bool is_ignored(const std::string& absolute, bool is_folder) const {
    for (auto level = levels_.rbegin(); level != levels_.rend(); ++level) {
      if (level->patterns.empty()) continue;
      const auto decision = level->patterns.ignores(relative_to(level->folder, absolute), is_folder);
      if (decision) return *decision;
    }
    return false;
  }

  /// Whether the index of the innermost work tree contains the path or something below it.
  bool is_tracked(const std::string& absolute, bool is_folder) {
    if (work_trees_.empty()) return false;
    WorkTree& tree = work_trees_.back();
    if (!tree.tracked) tree.tracked = TrackedFiles::of(tree.root, files_);
    const auto path = relative_to(tree.root, absolute);
    return is_folder ? tree.tracked->holds_below(path) : tree.tracked->holds(path);
  }

  void search(const std::string& folder, const std::string& absolute) {
    const auto names = files_.list(folder);
    if (!names) {
      found_.errors.push_back(names.error());
      return;
    }
    const std::size_t depth = levels_.size();
    const std::size_t trees = work_trees_.size();
    if (options_.respect_gitignore) {
      const bool is_known_root = trees > 0 && work_trees_.back().root == absolute;
      if (!is_known_root && std::binary_search(names->begin(), names->end(), ".git")) enter_work_tree(absolute);
      enter(absolute);
    }
    for (const auto& name : *names) look_at(inside(folder, name), inside(absolute, name), name);
    levels_.resize(depth);
    work_trees_.resize(trees);
  }

  void look_at(const std::string& path, const std::string& absolute, const std::string& name) {
    const bool is_folder = files_.is_folder(path);
    if (is_folder && is_tool_folder(name)) {
      if (!is_version_control(name)) pass_over(path + "/", PassReason::kToolFolder, "directory of a tool");
      return;
    }
    if (!is_folder && (is_own(name) || (!has_known_ending(name) && !is_included(absolute)))) return;
    const bool is_left_out = in_ignored_ || is_ignored(absolute, is_folder);
    if (is_left_out && !is_tracked(absolute, is_folder)) {
      return pass_over(is_folder ? path + "/" : path, PassReason::kGitignored, "ignored by .gitignore");
    }
    if (is_folder) return search_in(path, absolute, is_left_out);
    if (!sandbox_.contains(path) || is_not_allowed(files_, path)) {  // whoever wants it names it
      return pass_over(path, PassReason::kLinkOutside, "symbolic link to a file outside the project");
    }
    found_.candidates.push_back({path, Search::kFound, {}, folder_});
  }

  /// The search enters an ignored folder for the files that git tracks, and for no others.
  void search_in(const std::string& path, const std::string& absolute, bool is_left_out) {
    const bool was_in_ignored = std::exchange(in_ignored_, is_left_out);
    search(path, absolute);
    in_ignored_ = was_in_ignored;
  }

  void pass_over(std::string path, PassReason reason, std::string message) {
    found_.passed_over.push_back({std::move(path), reason, std::move(message)});
  }

  bool is_included(const std::string& absolute) const {
    return options_.include != nullptr && options_.include->hold(absolute);
  }

  const Files& files_;
  const SearchOptions& options_;
  FoundFiles& found_;
  std::string folder_;  ///< The folder that the user named.
  PathSandbox sandbox_;
  std::vector<Level> levels_;
  std::vector<WorkTree> work_trees_;  ///< The innermost last.
  bool in_ignored_ = false;
};

}  // namespace

std::string inside(const std::string& folder, const std::string& name) {
  if (folder == ".") return name;
  return folder.ends_with('/') ? folder + name : folder + "/" + name;
}

bool is_tool_folder(std::string_view name) {
  return std::find(kToolFolders.begin(), kToolFolders.end(), name) != kToolFolders.end();
}

bool has_known_ending(std::string_view name) {
  const auto ends_in = [&](std::string_view ending) {
    return name.size() > ending.size() && equal_ignoring_case(name.substr(name.size() - ending.size()), ending);
  };
  if (std::any_of(kEndings.begin(), kEndings.end(), ends_in)) return true;
  if (std::none_of(kPageEndings.begin(), kPageEndings.end(), ends_in)) return false;
  name = name.substr(0, name.rfind('.'));
  return std::any_of(kDataEndings.begin(), kDataEndings.end(), ends_in);
}

void search_folder(const std::string& folder, const Files& files, const SearchOptions& options, FoundFiles& found) {
  FolderSearch(folder, files, options, found).search(folder);
}

}  // namespace bayplan::lint

#include "cli/commands/changed_files.hpp"

#include <functional>
#include <string_view>
#include <utility>

#include "base/path_sandbox.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::cli {
namespace {

using Words = std::vector<std::string>;

constexpr std::string_view kLastCommit = "HEAD";
constexpr std::string_view kSubmodule = "160000";  ///< The mode of an entry that names a commit of another repository.

/// Collects what git says of one repository and of those inside of it.
class ChangedFiles {
 public:
  explicit ChangedFiles(const Streams& io) : io_(io) {}

  /// `git`: the words that make it look at the repository with this root. Without a revision, all of it is new. False
  /// if git does not compare with the revision.
  Result<bool> add(const std::string& root, const Words& git, const std::string& revision) {
    if (!roots_.insert(root).second) return true;
    const auto ask = [&](Words words) {
      words.insert(words.begin(), git.begin(), git.end());
      return io_.run_program(words);
    };
    // Before the first commit, every file is new.
    const bool is_new =
        revision.empty() || (revision == kLastCommit && !ask({"rev-parse", "--verify", "--quiet", revision}));
    if (!is_new) {
      // From the last common commit, so that what others changed on the branch since then does not count.
      const auto tracked = ask({"diff", "--raw", "--no-abbrev", "-z", "--no-renames", "--no-ext-diff",
                                "--ignore-submodules=none", "--diff-filter=d", "--merge-base", revision, "--"});
      if (!tracked) return false;
      const auto parts = split(*tracked, '\0');
      for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
        // :OLD-MODE NEW-MODE OLD-COMMIT NEW-COMMIT STATUS
        const auto words = split(parts[i], ' ');
        if (words.size() < 3 || words[1] != kSubmodule) {
          add_file(root, parts[i + 1]);
          continue;
        }
        const bool was_there = words[0].ends_with(kSubmodule);
        const auto inner = add_inside(root, parts[i + 1], was_there ? words[2] : "");
        if (!inner) return inner.error();
        if (!*inner)
          return Error{.message = "git does not compare this submodule with the commit that its repository had",
                       .file = std::string(parts[i + 1]),
                       .help = "Fetch it: git submodule update --init; or lint without --changed."};
      }
    }
    Words others{"ls-files", "--others", "--exclude-standard", "-z"};
    if (is_new) others.insert(others.begin() + 1, "--cached");
    const auto untracked = ask(std::move(others));
    if (!untracked) return untracked.error();
    for (const auto name : split(*untracked, '\0')) {
      if (name.empty()) continue;
      const bool is_repository = name.ends_with('/');
      if (!is_repository) add_file(root, name);
      const auto inner =
          is_repository ? add_inside(root, name.substr(0, name.size() - 1), kLastCommit) : Result<bool>(true);
      if (!inner) return inner.error();
    }
    return true;
  }

  std::set<std::string, std::less<>> paths() && { return std::move(paths_); }

 private:
  void add_file(const std::string& root, std::string_view name) {
    const bool has_drive = root.size() > 1 && root[1] == ':';  // C:/project is /C:/project in this program
    paths_.insert((has_drive ? "/" : "") + root + "/" + std::string(name));
  }

  /// A hook has variables that name the repository around.
  Result<bool> add_inside(const std::string& around, std::string_view name, std::string_view revision) {
    const std::string root = around + "/" + std::string(name);
    const std::string git = root + "/.git";
    if (!io_.files.exists(git)) return true;  // nothing is checked out
    return add(root, {"git", "-C", root, "--git-dir=" + git, "--work-tree=" + root}, std::string(revision));
  }

  const Streams& io_;
  std::set<std::string, std::less<>> roots_;
  std::set<std::string, std::less<>> paths_;
};

}  // namespace

Result<std::set<std::string, std::less<>>> changed_files(const Words& paths, const std::string& revision,
                                                         const Streams& io) {
  if (io.run_program == nullptr)
    return Error{.message = "--changed runs git, which is not possible here",
                 .help = "Use the bayplan program, or name the files: git diff --name-only HEAD"};
  if (revision.starts_with('-'))
    return Error{.message = "--changed-since: '" + printable(revision) + "' is an option",
                 .help = "Name a branch, tag or commit: --changed-since origin/main"};
  std::set<std::string> folders;
  for (const auto& path : paths)
    folders.insert(path == "-" ? "." : io.files.is_folder(path) ? path : folder_around(path));
  ChangedFiles changed(io);
  for (const auto& folder : folders) {
    const auto top = io.run_program({"git", "-C", folder, "rev-parse", "--show-toplevel"});
    if (!top)
      return Error{
          .message = top.error().message + " in '" + printable(folder) + "'; --changed needs git and a repository",
          .help = "Name the files without it: bayplan lint FILE"};
    const std::string root(trim(*top));
    const auto added = changed.add(root, {"git", "-C", root}, revision);
    if (!added) return added.error();
    if (!*added)
      return Error{.message = "git does not compare with '" + printable(revision) + "'",
                   .help =
                       "Name a branch, tag or commit that this clone has: --changed-since origin/main. A shallow clone "
                       "of continuous integration lacks the history."};
  }
  return std::move(changed).paths();
}

}  // namespace bayplan::cli

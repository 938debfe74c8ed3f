#include "cli/commands/changed_files.hpp"

#include <functional>
#include <string_view>
#include <vector>

#include "base/strings.hpp"
#include "base/utf8.hpp"

namespace bayplan::cli {

Result<std::set<std::string, std::less<>>> changed_files(const std::string& revision, const Streams& io) {
  if (io.run_program == nullptr)
    return Error{.message = "--changed runs git, which is not possible here",
                 .help = "Use the bayplan program, or name the files: git diff --name-only HEAD"};
  if (revision.starts_with('-'))
    return Error{.message = "--changed-since: '" + printable(revision) + "' is an option",
                 .help = "Name a branch, tag or commit: --changed-since origin/main"};
  auto top = io.run_program({"git", "rev-parse", "--show-toplevel"});
  if (!top)
    return Error{.message = top.error().message + "; --changed needs git and a repository",
                 .help = "Name the files without it: bayplan lint FILE"};
  const std::string root(trim(*top));
  // From the last common commit, so that what others changed on the branch since then does not count.
  const auto tracked = io.run_program({"git", "-C", root, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff",
                                       "--diff-filter=d", "--merge-base", revision, "--"});
  if (!tracked && revision == "HEAD")
    return Error{.message = "git finds no last commit",
                 .help = "Before the first one, every file is new: bayplan lint"};
  if (!tracked)
    return Error{.message = "git does not compare with '" + printable(revision) + "'",
                 .help =
                     "Name a branch, tag or commit that this clone has: --changed-since origin/main. A shallow clone "
                     "of continuous integration lacks the history."};
  const auto untracked = io.run_program({"git", "-C", root, "ls-files", "--others", "--exclude-standard", "-z"});
  if (!untracked) return untracked.error();

  std::set<std::string, std::less<>> paths;
  const bool has_drive = root.size() > 1 && root[1] == ':';  // C:/project is /C:/project in this program
  for (const auto& list : {*tracked, *untracked}) {
    for (const auto name : split(list, '\0')) {
      if (!name.empty()) paths.insert((has_drive ? "/" : "") + root + "/" + std::string(name));
    }
  }
  return paths;
}

}  // namespace bayplan::cli

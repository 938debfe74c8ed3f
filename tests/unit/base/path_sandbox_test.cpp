#include "base/path_sandbox.hpp"

#include <unistd.h>

#include <filesystem>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "temporary_folder.hpp"

namespace bayplan {
namespace {

/// plans/s.yaml, defs/web.json, secret.json beside them, links in plans.
void fill(const TemporaryFolder& folder) {
  for (const char* name : {"plans", "plans/sub", "defs"}) std::filesystem::create_directory(folder.file(name));
  for (const char* name : {"plans/s.yaml", "plans/sub/web.json", "defs/web.json", "secret.json"})
    folder.put(name, "{}");
  std::filesystem::create_symlink("../secret.json", folder.file("plans/link.json"));
  std::filesystem::create_symlink("sub/web.json", folder.file("plans/near.json"));
  std::filesystem::create_directory_symlink("../defs", folder.file("plans/linked"));
}

TEST_CASE("an input reaches its own folder, through links too, and no other") {
  const TemporaryFolder folder;
  fill(folder);
  const DiskFiles files;
  const PathSandbox sandbox(files, folder.file("plans"));
  for (const char* name : {"plans/s.yaml", "plans/sub/web.json", "plans/near.json", "plans/../plans/s.yaml", "plans"})
    CHECK(sandbox.contains(folder.file(name)));
  for (const char* name :
       {"secret.json", "plans/../secret.json", "defs/web.json", "plans/link.json", "plans/linked/web.json"})
    CHECK_FALSE(sandbox.contains(folder.file(name)));
  CHECK_FALSE(sandbox.contains("/etc/passwd"));
  CHECK(sandbox.contains(folder.file("plans/none.json")));
  CHECK(sandbox.contains(folder.file("none/none.json")));
  CHECK_FALSE(sandbox.contains(folder.file("none.json")));
}

TEST_CASE("an input reaches all of the project around it, which .git or a config marks") {
  for (const char* mark : {".git", ".bayplan.yaml", ".bayplan.yml"}) {
    const TemporaryFolder folder;
    fill(folder);
    folder.put(mark, "");
    const DiskFiles files;
    const PathSandbox sandbox(files, folder.file("plans"));
    CHECK(sandbox.contains(folder.file("defs/web.json")));
    CHECK(sandbox.contains(folder.file("plans/linked/web.json")));
    CHECK_FALSE(sandbox.contains("/etc/passwd"));
  }
}

TEST_CASE("the nearest project counts, and a folder whose name begins alike is another") {
  const TemporaryFolder folder;
  fill(folder);
  folder.put(".git", "");
  folder.put("plans/.git", "");
  std::filesystem::create_directory(folder.file("plans-2"));
  folder.put("plans-2/web.json", "{}");
  const DiskFiles files;
  const PathSandbox sandbox(files, folder.file("plans/sub"));
  CHECK(sandbox.contains(folder.file("plans/s.yaml")));
  CHECK_FALSE(sandbox.contains(folder.file("defs/web.json")));
  CHECK_FALSE(sandbox.contains(folder.file("plans-2/web.json")));
}

TEST_CASE("the working folder is within reach of an input that lies in it") {
  const MemoryFiles files({{"plans/s.yaml", ""}, {"defs/web.json", ""}, {"/etc/passwd", ""}, {"../up.json", ""}});
  const PathSandbox sandbox(files, folder_around("plans/s.yaml"));
  CHECK(sandbox.contains("defs/web.json"));
  CHECK_FALSE(sandbox.contains("/etc/passwd"));
  CHECK_FALSE(sandbox.contains("../up.json"));
}

TEST_CASE("the root as the working folder puts nothing within reach") {
  struct AtRoot : MemoryFiles {
    using MemoryFiles::MemoryFiles;
    std::string absolute(const std::string& path) const override { return path == "." ? "/" : path; }
  };
  const AtRoot files({{"/in/s.yaml", ""}, {"/in/web.json", ""}, {"/etc/passwd", ""}});
  const PathSandbox sandbox(files, "/in");
  CHECK(sandbox.contains("/in/web.json"));
  CHECK_FALSE(sandbox.contains("/etc/passwd"));
}

TEST_CASE("the folder around a file") {
  CHECK(folder_around("web.json") == ".");
  CHECK(folder_around("deploy/web.json") == "deploy");
  CHECK(folder_around("/web.json") == "/");
}

}  // namespace
}  // namespace bayplan

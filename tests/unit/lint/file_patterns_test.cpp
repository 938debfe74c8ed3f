#include "lint/files/file_patterns.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"

using namespace bayplan;
using lint::FilePatterns;

TEST_CASE("file patterns - relative to their folder, for files and folders around them") {
  const auto patterns = FilePatterns::of("/repo", {"legacy/", "*.taskdef", "!keep.taskdef"});
  CHECK(patterns.hold("/repo/legacy/a.json"));
  CHECK(patterns.hold("/repo/x/legacy/b/a.json"));
  CHECK(patterns.hold("/repo/x/web.taskdef"));
  CHECK_FALSE(patterns.hold("/repo/x/keep.taskdef"));
  CHECK_FALSE(patterns.hold("/repo/a.json"));
  CHECK_FALSE(patterns.hold("/other/legacy/a.json"));
  CHECK_FALSE(patterns.hold("/repository/legacy/a.json"));
  CHECK(FilePatterns::of("/", {"a.json"}).hold("/x/a.json"));
}

TEST_CASE("file patterns - how a file is called from a folder") {
  CHECK(lint::path_seen_from("/repo", "/repo/deploy/a.json") == "deploy/a.json");
  CHECK(lint::path_seen_from("/repo/ci", "/repo/deploy/a.json") == "../deploy/a.json");
  CHECK(lint::path_seen_from("/repo/a/b", "/x.json") == "../../../x.json");
  CHECK(lint::path_seen_from("/repo", "/repo") == "../repo");
  CHECK(lint::path_seen_from("/", "/a.json") == "a.json");
  CHECK(lint::path_seen_from(".", "deploy/a.json") == "deploy/a.json");
}

TEST_CASE("file patterns - a path from the root, also of a file that is none") {
  class Rooted : public MemoryFiles {
   public:
    using MemoryFiles::MemoryFiles;
    std::string absolute(const std::string& path) const override {
      if (path == ".") return "/repo";
      return exists(path) ? "/repo/" + path : path;
    }
  };
  const Rooted files(std::map<std::string, std::string>{{"a.json", ""}});
  CHECK(lint::path_from_root("a.json", files) == "/repo/a.json");
  CHECK(lint::path_from_root("./deploy/new.json", files) == "/repo/deploy/new.json");
  CHECK(lint::path_from_root("/x/a.json", files) == "/x/a.json");
}

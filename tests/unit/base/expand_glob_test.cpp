#include "base/expand_glob.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"

using namespace bayplan;
using Paths = std::vector<std::string>;

namespace {

Paths expanded(std::string_view pattern, GlobMatches matches = GlobMatches::kFiles) {
  const MemoryFiles files({{"a.json", ""},
                           {".hidden.json", ""},
                           {"tasks/b.json", ""},
                           {"tasks/a.json", ""},
                           {"tasks/c.yaml", ""},
                           {"tasks/.git/d.json", ""},
                           {"tasks/web/api/e.json", ""},
                           {"tasks/web/f.json", ""}});
  return expand_glob(pattern, matches, files);
}

}  // namespace

TEST_CASE("a pattern matches files in the order of their bytes") {
  CHECK(expanded("tasks/*.json") == Paths{"tasks/a.json", "tasks/b.json"});
  CHECK(expanded("tasks/[bc].*") == Paths{"tasks/b.json", "tasks/c.yaml"});
  CHECK(expanded("*/a.json") == Paths{"tasks/a.json"});
  CHECK(expanded("tasks/*.tf").empty());
  CHECK(expanded("nowhere/*.json").empty());
}

TEST_CASE("two stars stand for any number of folders") {
  CHECK(expanded("**/*.json") ==
        Paths{"a.json", "tasks/a.json", "tasks/b.json", "tasks/web/api/e.json", "tasks/web/f.json"});
  CHECK(expanded("tasks/**/[ef].json") == Paths{"tasks/web/api/e.json", "tasks/web/f.json"});
  CHECK(expanded("tasks/web/**") == Paths{"tasks/web/api/e.json", "tasks/web/f.json"});
  CHECK(expanded("**/**/f.json") == Paths{"tasks/web/f.json"});
}

TEST_CASE("names that begin with a dot are matched only by a dot") {
  CHECK(expanded(".*.json") == Paths{".hidden.json"});
  CHECK(expanded("tasks/.git/*") == Paths{"tasks/.git/d.json"});
}

TEST_CASE("braces list words") {
  CHECK(expanded("tasks/{a,c}.{json,yaml}") == Paths{"tasks/a.json", "tasks/c.yaml"});
  CHECK(expanded("tasks/*.{json,yaml}") == Paths{"tasks/a.json", "tasks/b.json", "tasks/c.yaml"});
  CHECK(is_path_glob("{a,b}.json"));
  CHECK_FALSE(is_path_glob("{a}.json"));
  CHECK_FALSE(is_path_glob("a.json"));
}

TEST_CASE("folders match where they are wanted") {
  CHECK(expanded("tasks/*", GlobMatches::kFiles) == Paths{"tasks/a.json", "tasks/b.json", "tasks/c.yaml"});
  CHECK(expanded("tasks/w*", GlobMatches::kFilesAndFolders) == Paths{"tasks/web"});
}

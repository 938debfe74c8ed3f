#include "lsp/file_uri.hpp"

#include "catch.hpp"

using namespace bayplan::lsp;

TEST_CASE("lsp file uri - paths and back") {
  CHECK(path_of("file:///a/b%20c%23.json") == "/a/b c#.json");
  CHECK(path_of("FILE://localhost/a") == "/a");
  CHECK(path_of("file:///%C3%A9") == "/\xc3\xa9");
  CHECK(path_of("file:///a%2") == "/a%2");
  CHECK(path_of("file:///a?x#y") == "/a");
  CHECK_FALSE(path_of("file://server/a"));
  CHECK_FALSE(path_of("untitled:Untitled-1"));
  CHECK_FALSE(path_of("file:"));
  CHECK_FALSE(path_of("file:///a%00b"));
  CHECK(to_file_uri("/a/b c#.json") == "file:///a/b%20c%23.json");
  CHECK(normal_path("/a/./b/../c//d") == "/a/c/d");
  CHECK(normal_path("/../..") == "/");
  CHECK(last_name("untitled:Untitled-1") == "Untitled-1");
  CHECK(last_name("/a/b.json") == "b.json");
}

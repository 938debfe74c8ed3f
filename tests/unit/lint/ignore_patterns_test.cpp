#include "lint/files/ignore_patterns.hpp"

#include "catch.hpp"

using bayplan::lint::IgnorePatterns;

namespace {

/// "in", "out" or "-": ignored, taken back, not spoken of.
std::string verdict(std::string_view patterns, std::string_view path, bool is_folder = false) {
  const auto decision = IgnorePatterns::parse(patterns).ignores(path, is_folder);
  return !decision ? "-" : *decision ? "in" : "out";
}

}  // namespace

TEST_CASE("ignore patterns without a slash match in any folder") {
  CHECK(verdict("*.json", "a.json") == "in");
  CHECK(verdict("*.json", "deep/er/a.json") == "in");
  CHECK(verdict("*.json", "a.jsonc") == "-");
  CHECK(verdict("a?c.[jy]*", "abc.yaml") == "in");
  CHECK(verdict("a?c", "a/c") == "-");
}

TEST_CASE("ignore patterns with a slash are anchored") {
  CHECK(verdict("/a.json", "a.json") == "in");
  CHECK(verdict("/a.json", "b/a.json") == "-");
  CHECK(verdict("b/a.json", "b/a.json") == "in");
  CHECK(verdict("b/a.json", "c/b/a.json") == "-");
  CHECK(verdict("b/*.json", "b/c/a.json") == "-");
}

TEST_CASE("ignore patterns with two stars cross folders") {
  CHECK(verdict("**/b/a.json", "c/d/b/a.json") == "in");
  CHECK(verdict("**/b/a.json", "b/a.json") == "in");
  CHECK(verdict("a/**/z", "a/z") == "in");
  CHECK(verdict("a/**/z", "a/b/c/z") == "in");
  CHECK(verdict("a/**", "a/b/c") == "in");
  CHECK(verdict("a/**", "a", true) == "-");
  CHECK(verdict("**/x/**/y", "x/x/q/y") == "in");
}

TEST_CASE("ignore patterns of folders leave files alone") {
  CHECK(verdict("out/", "out", true) == "in");
  CHECK(verdict("out/", "out", false) == "-");
}

TEST_CASE("ignore patterns - the last match decides and a bang takes back") {
  CHECK(verdict("*.json\n!keep.json", "keep.json") == "out");
  CHECK(verdict("!keep.json\n*.json", "keep.json") == "in");
}

TEST_CASE("ignore patterns - comments blanks and escapes") {
  CHECK(verdict("# a.json\n\n", "# a.json") == "-");
  CHECK(verdict("\\#a", "#a") == "in");
  CHECK(verdict("\\!a", "!a") == "in");
  CHECK(verdict("a  ", "a") == "in");
  CHECK(verdict("a\\ ", "a ") == "in");
  CHECK(verdict("a\r\nb\r\n", "b") == "in");
  CHECK(verdict("[!a-c]x", "dx") == "in");
  CHECK(verdict("[!a-c]x", "bx") == "-");
  CHECK(verdict("[]]x", "]x") == "in");
  CHECK(verdict("[a", "[a") == "-");
  CHECK(IgnorePatterns::parse("# only a comment\n").empty());
}

TEST_CASE("ignore patterns - many stars end soon") {
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "*a";
  CHECK(verdict(stars + "b", std::string(20000, 'a')) == "-");
}

#include "text/unified_diff.hpp"

#include <random>
#include <sstream>
#include <vector>

#include "catch.hpp"

namespace {

using bayplan::text::unified_diff;

/// Applies a diff of one file as a patch program does: every context and removed line must be where the hunk says.
std::string patched(const std::string& before, const std::string& diff) {
  std::vector<std::string> old;
  for (std::size_t i = 0; i < before.size();) {
    const std::size_t end = std::min(before.find('\n', i), before.size() - 1) + 1;
    old.push_back(before.substr(i, end - i));
    i = end;
  }
  std::string after;
  std::size_t at = 0;
  std::istringstream lines(diff);
  std::string line;
  std::string* last = nullptr;
  std::vector<std::string> out;
  while (std::getline(lines, line)) {
    if (line.starts_with("--- ") || line.starts_with("+++ ")) continue;
    if (line.starts_with("@@ ")) {
      std::size_t first = 0, count = 1;
      const int read = std::sscanf(line.c_str(), "@@ -%zu,%zu", &first, &count);
      REQUIRE(read >= 1);
      const std::size_t begin = count == 0 ? first : first - 1;
      while (at < begin) out.push_back(old.at(at++));
    } else if (line[0] == '\\') {
      REQUIRE(last != nullptr);
      last->pop_back();
    } else if (line[0] == '+') {
      out.push_back(line.substr(1) + "\n");
      last = &out.back();
    } else {
      static std::string scratch;
      std::string& wanted = old.at(at++);
      scratch = line.substr(1) + "\n";
      const bool ends = wanted.ends_with('\n');
      REQUIRE(line.substr(1) == (ends ? wanted.substr(0, wanted.size() - 1) : wanted));
      if (line[0] == ' ') out.push_back(wanted);
      scratch += ' ';
      last = &scratch;
    }
  }
  while (at < old.size()) out.push_back(old[at++]);
  for (const auto& one : out) after += one;
  return after;
}

}  // namespace

TEST_CASE("unified diff - one change with three lines around it") {
  CHECK(unified_diff("x.json", "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n") ==
        "--- a/x.json\n+++ b/x.json\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

TEST_CASE("unified diff - changes near each other share a hunk, others do not") {
  std::string before, near, far;
  for (int i = 1; i <= 20; ++i) {
    const std::string line = std::to_string(i) + "\n";
    before += line;
    near += i == 3 || i == 10 ? "x\n" : line;  // six lines between
    far += i == 3 || i == 11 ? "x\n" : line;   // seven
  }
  CHECK(unified_diff("x", before, near).find("@@ -1,13 +1,13 @@") != std::string::npos);
  const std::string two = unified_diff("x", before, far);
  CHECK(two.find("@@ -1,6 +1,6 @@") != std::string::npos);
  CHECK(two.find("@@ -8,7 +8,7 @@") != std::string::npos);
}

TEST_CASE("unified diff - ends without a line feed are said") {
  CHECK(unified_diff("x", "a", "b") ==
        "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
  CHECK(unified_diff("x", "a\nb", "A\nb") ==
        "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n");
  CHECK(unified_diff("x", "a\r\n", "b\r\n") == "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\r\n+b\r\n");
}

TEST_CASE("unified diff - whole texts that come and go") {
  CHECK(unified_diff("x", "a\n", "a\n").empty());
  CHECK(unified_diff("x", "", "").empty());
  CHECK(unified_diff("x", "", "a\n") == "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n");
  CHECK(unified_diff("x", "a\nb\n", "") == "--- a/x\n+++ b/x\n@@ -1,2 +0,0 @@\n-a\n-b\n");
  CHECK(unified_diff("x", "1\n2\n3\n4\n5\n", "1\n2\n3\n4\n") == "--- a/x\n+++ b/x\n@@ -2,4 +2,3 @@\n 2\n 3\n 4\n-5\n");
}

TEST_CASE("unified diff - paths as git writes them") {
  const auto head = [](std::string_view path) {
    const std::string diff = unified_diff(path, "a\n", "b\n");
    return diff.substr(0, diff.find('\n'));
  };
  CHECK(head("./a/x.json") == "--- a/a/x.json");
  CHECK(head("/a/x.json") == "--- a/a/x.json");
  CHECK(head("task def.json") == "--- a/task def.json\t");
  CHECK(head("a\"b\\c\n.json") == "--- \"a/a\\\"b\\\\c\\012.json\"");
  CHECK(head("\xC3\xA4.json") == "--- a/\xC3\xA4.json");
}

TEST_CASE("unified diff - patches any text into any other") {
  std::mt19937 random(1);
  const auto text = [&](std::size_t lines) {
    std::string result;
    for (std::size_t i = 0; i < lines; ++i) result += std::string(1, "abc"[random() % 3]) + "\n";
    if (!result.empty() && random() % 3 == 0) result.pop_back();
    return result;
  };
  for (int i = 0; i < 3000; ++i) {
    const std::string before = text(random() % 20), after = text(random() % 20);
    CAPTURE(before, after);
    REQUIRE(patched(before, unified_diff("x", before, after)) == after);
  }
}

TEST_CASE("unified diff - texts that differ in every line are one change") {
  std::string before, after;
  for (int i = 0; i < 3000; ++i) {
    before += "a" + std::to_string(i) + "\n";
    after += "b" + std::to_string(i) + "\n";
  }
  CHECK(patched(before, unified_diff("x", before, after)) == after);
}

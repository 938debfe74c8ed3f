// The index of git, written here byte by byte; tests/formats/searching.py reads those that git writes.
#include "lint/files/tracked_files.hpp"

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "lint/files/find_files.hpp"

namespace {

using namespace bayplan;

struct Entry {
  std::string path;
  std::uint32_t mode = 0100644;
  bool is_extended = false;
};

std::string big_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 255U);
  return text;
}

/// What version 4 writes of a path: how much of the one before goes, then the rest.
std::string shortened(const std::string& before, const std::string& path) {
  std::size_t common = 0;
  while (common < std::min(before.size(), path.size()) && before[common] == path[common]) ++common;
  std::uint64_t dropped = before.size() - common;
  std::string number(1, static_cast<char>(dropped & 127U));
  while ((dropped >>= 7U) != 0) number.insert(0, 1, static_cast<char>(128U | (--dropped & 127U)));
  return number + path.substr(common) + '\0';
}

std::string index_of(const std::vector<Entry>& entries, int version = 2, std::size_t name_size = 20) {
  std::string index = "DIRC" + big_endian(static_cast<std::uint64_t>(version), 4) + big_endian(entries.size(), 4);
  std::string before;
  for (const auto& entry : entries) {
    std::string one = std::string(24, '\1') + big_endian(entry.mode, 4) + std::string(12 + name_size, '\2');
    one += big_endian((entry.is_extended ? 0x4000U : 0U) | entry.path.size(), 2);
    if (entry.is_extended) one += big_endian(0x2000, 2);
    if (version == 4) {
      one += shortened(before, entry.path);
    } else {
      one += entry.path;
      do one += '\0';
      while (one.size() % 8 != 0);
    }
    before = entry.path;
    index += one;
  }
  return index + std::string(name_size, '\3');
}

const std::vector<Entry> kEntries{{"a.json"}, {"gen/" + std::string(300, 'b') + "/b.json"}, {"gen/c.json"}};

const std::string kWeb = R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27"}]})";

/// "gitignored gen/", in the order of the search.
std::vector<std::string> passed_over(const lint::FoundFiles& found) {
  std::vector<std::string> told;
  for (const auto& one : found.passed_over) told.push_back(std::string(name_of(one.reason)) + " " + one.path);
  return told;
}

std::vector<std::string> paths(const lint::FoundFiles& found) {
  std::vector<std::string> paths;
  for (const auto& candidate : found.candidates) paths.push_back(candidate.path);
  return paths;
}

}  // namespace

TEST_CASE("tracked files - every version of the index, with names of both sizes") {
  for (const int version : {2, 3, 4}) {
    for (const std::size_t name_size : {20u, 32u}) {
      CAPTURE(version, name_size);
      auto entries = kEntries;
      entries[2].is_extended = version > 2;
      const auto tracked = lint::TrackedFiles::parse(index_of(entries, version, name_size), name_size);
      REQUIRE(tracked);
      for (const auto& entry : entries) CHECK(tracked->holds(entry.path));
      CHECK_FALSE(tracked->holds("gen"));
      CHECK_FALSE(tracked->holds("gen/d.json"));
      CHECK(tracked->holds_below("gen"));
      CHECK_FALSE(tracked->holds_below("ge"));
      CHECK_FALSE(lint::TrackedFiles::parse(index_of(entries, version, name_size), 52 - name_size));
    }
  }
}

TEST_CASE("tracked files - submodules are no files, links are") {
  const auto tracked = lint::TrackedFiles::parse(index_of({{"link.json", 0120000}, {"module", 0160000}}), 20);
  REQUIRE(tracked);
  CHECK(tracked->holds("link.json"));
  CHECK_FALSE(tracked->holds("module"));
}

TEST_CASE("tracked files - a damaged index is none, wherever it breaks off") {
  for (const int version : {2, 3, 4}) {
    const auto index = index_of(kEntries, version);
    for (std::size_t size = 0; size < index.size(); ++size) {
      CAPTURE(version, size);
      CHECK_FALSE(lint::TrackedFiles::parse(std::string_view(index).substr(0, size), 20));
    }
  }
  CHECK_FALSE(lint::TrackedFiles::parse(index_of(kEntries, 5), 20));
  CHECK_FALSE(lint::TrackedFiles::parse(index_of({{"b"}, {"a"}}), 20));
  CHECK_FALSE(lint::TrackedFiles::parse("DIRC" + big_endian(2, 4) + big_endian(0xFFFFFFFF, 4), 20));
}

TEST_CASE("tracked files - what git tracks is searched where .gitignore names it") {
  MemoryFiles files;
  files.content = {{"r/.gitignore", "gen/\n*.secret.json\n"},
                   {"r/.git/index", index_of({{"gen/deep/web.json"}, {"x.secret.json"}})},
                   {"r/gen/deep/web.json", kWeb},
                   {"r/gen/deep/other.json", kWeb},
                   {"r/out/node_modules/a.json", kWeb},
                   {"r/x.secret.json", kWeb},
                   {"r/y.secret.json", kWeb}};
  const auto found = lint::find_files({"r"}, files);
  CHECK(paths(found) == std::vector<std::string>{"r/gen/deep/web.json", "r/x.secret.json"});
  CHECK(passed_over(found) == std::vector<std::string>{"gitignored r/gen/deep/other.json",
                                                       "tool-folder r/out/node_modules/",
                                                       "gitignored r/y.secret.json"});
  CHECK(paths(lint::find_files({"r/gen"}, files)).size() == 2);  // whoever names a folder means all of it
  files.content["r/.git/index"].resize(100);
  CHECK(paths(lint::find_files({"r"}, files)).empty());
}

TEST_CASE("tracked files - a work tree whose .git is a file, with names of SHA-256") {
  MemoryFiles files;
  files.content = {{"r/.gitignore", "*.json\n"},
                   {"r/.git", "gitdir: m/worktrees/r\n"},
                   {"r/m/worktrees/r/commondir", "../..\n"},
                   {"r/m/worktrees/r/index", index_of({{"web.json"}}, 4, 32)},
                   {"r/m/worktrees/r/../../config", "[core]\n\tbare = false\n[Extensions]\n\tobjectFormat = sha256\n"},
                   {"r/web.json", kWeb}};
  CHECK(paths(lint::find_files({"r"}, files)) == std::vector<std::string>{"r/web.json"});
  files.content["r/m/worktrees/r/../../config"] = "[core]\n\tobjectFormat = sha256\n";
  CHECK(paths(lint::find_files({"r"}, files)).empty());
}

#include "base/journal.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <vector>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace bayplan;

}  // namespace

TEST_CASE("journal - what was appended is there, and the next run goes on behind it") {
  const TemporaryFolder folder;
  {
    auto journal = Journal::open(folder.file("a"));
    REQUIRE(journal);
    CHECK(journal->size() == 0);
    REQUIRE(journal->append("one\n"));
    CHECK(folder.get("a") == "one\n");
    const auto second = Journal::open(folder.file("a"));
    REQUIRE_FALSE(second);
    CHECK(second.error().message == "another program is writing it");
  }
  auto journal = Journal::open(folder.file("a"));
  REQUIRE(journal);
  CHECK(journal->size() == 4);
  REQUIRE(journal->append("two\nthr"));
  REQUIRE(journal->cut(8));
  REQUIRE(journal->append("3\n"));
  REQUIRE(journal->rename(folder.file("b")));
  CHECK(folder.get("b") == "one\ntwo\n3\n");
  CHECK(::access(folder.file("a").c_str(), F_OK) != 0);
}

TEST_CASE("journal - what cannot be written whole is not written at all") {
  const TemporaryFolder folder;
  auto journal = Journal::open(folder.file("a"));
  REQUIRE(journal);
  REQUIRE(journal->append("kept\n"));
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{8, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const auto written = journal->append("too long for it\n");
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  CHECK_FALSE(written);
  CHECK(folder.get("a") == "kept\n");
  CHECK(journal->size() == 5);
}

TEST_CASE("journal - what is no file that can be written is refused") {
  const TemporaryFolder folder;
  CHECK(Journal::open(folder.file("none/a")).error().message == "folder not found: " + folder.file("none"));
  CHECK(Journal::open(folder.file("")).error().message == "Is a directory");
  CHECK(Journal::open("/dev/null").error().message == "is not a regular file");
  CHECK(LineReader::open(folder.file("none")).error().message == "No such file or directory");
  CHECK(LineReader::open("/dev/null").error().message == "is not a regular file");
}

TEST_CASE("line reader - lines longer than its blocks, empty ones, and a last one that is cut off") {
  const TemporaryFolder folder;
  const std::string long_line(200'000, 'x');
  std::ofstream(folder.file("a"), std::ios::binary) << "one\n\n" << long_line << "\nhal";
  auto reader = LineReader::open(folder.file("a"));
  REQUIRE(reader);
  const std::vector<std::string> wanted{"one", "", long_line, "hal"};
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    REQUIRE(reader->next());
    CHECK(reader->line() == wanted[i]);
    CHECK(reader->number() == i + 1);
    CHECK(reader->offset() == offset);
    CHECK(reader->is_whole() == (i < 3));
    offset += wanted[i].size() + 1;
  }
  CHECK_FALSE(reader->next());
  CHECK(reader->error() == 0);
}

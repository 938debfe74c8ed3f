#include "base/journal.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <vector>

#include "catch.hpp"

namespace {

using namespace bayplan;

class Folder {
 public:
  Folder() : path_("/tmp/bayplan-journal-XXXXXX") { REQUIRE(::mkdtemp(path_.data()) != nullptr); }
  ~Folder() {
    for (const char* const name : {"a", "b"}) ::unlink(file(name).c_str());
    ::rmdir(path_.c_str());
  }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("journal - what was appended is there, and the next run goes on behind it") {
  const Folder folder;
  {
    auto journal = Journal::open(folder.file("a"));
    REQUIRE(journal);
    CHECK(journal->size() == 0);
    REQUIRE(journal->append("one\n"));
    CHECK(content_of(folder.file("a")) == "one\n");
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
  CHECK(content_of(folder.file("b")) == "one\ntwo\n3\n");
  CHECK(::access(folder.file("a").c_str(), F_OK) != 0);
}

TEST_CASE("journal - what cannot be written whole is not written at all") {
  const Folder folder;
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
  CHECK(content_of(folder.file("a")) == "kept\n");
  CHECK(journal->size() == 5);
}

TEST_CASE("journal - what is no file that can be written is refused") {
  const Folder folder;
  CHECK(Journal::open(folder.file("none/a")).error().message == "No such file or directory");
  CHECK(Journal::open(folder.file("")).error().message == "Is a directory");
  CHECK(Journal::open("/dev/null").error().message == "is not a regular file");
  CHECK(LineReader::open(folder.file("none")).error().message == "No such file or directory");
  CHECK(LineReader::open("/dev/null").error().message == "is not a regular file");
}

TEST_CASE("line reader - lines longer than its blocks, empty ones, and a last one that is cut off") {
  const Folder folder;
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

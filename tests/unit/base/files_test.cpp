#include "base/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace bayplan {
namespace {

mode_t kind_of(const std::string& path) {
  struct stat info {};
  REQUIRE(::lstat(path.c_str(), &info) == 0);
  return info.st_mode & S_IFMT;
}

TEST_CASE("writing replaces a file whole and leaves nothing beside it") {
  const TemporaryFolder folder;
  DiskFiles files;
  REQUIRE(files.write(folder.file("report.json"), "a long first report"));
  REQUIRE(files.write(folder.file("report.json"), "second"));
  CHECK(*files.read(folder.file("report.json"), 100) == "second");
  CHECK(files.list(folder.file("."))->size() == 1);
}

TEST_CASE("a file that is not committed was never there") {
  const TemporaryFolder folder;
  DiskFiles files;
  {
    const auto file = files.create(folder.file("report.json"));
    REQUIRE(file);
    (*file)->append("half of a rep");
  }
  CHECK_FALSE(files.exists(folder.file("report.json")));
  REQUIRE(files.write(folder.file("report.json"), "old"));
  ::chmod(folder.file("report.json").c_str(), 0640);
  {
    const auto file = files.create(folder.file("report.json"));
    REQUIRE(file);
    (*file)->append("half of a rep");
  }
  CHECK(*files.read(folder.file("report.json"), 100) == "old");
  CHECK(files.list(folder.file("."))->size() == 1);
  REQUIRE(files.write(folder.file("report.json"), "new"));
  struct stat info {};
  REQUIRE(::stat(folder.file("report.json").c_str(), &info) == 0);
  CHECK((info.st_mode & 07777) == 0640);
}

TEST_CASE("writing through a symbolic link keeps the link") {
  const TemporaryFolder folder;
  DiskFiles files;
  REQUIRE(files.write(folder.file("report.json"), "old"));
  REQUIRE(::symlink("report.json", folder.file("link").c_str()) == 0);
  REQUIRE(files.write(folder.file("link"), "new"));
  CHECK(kind_of(folder.file("link")) == S_IFLNK);
  CHECK(*files.read(folder.file("report.json"), 100) == "new");
}

TEST_CASE("writing to a pipe or a device does not put a file in its place") {
  const TemporaryFolder folder;
  DiskFiles files;
  REQUIRE(::mkfifo(folder.file("pipe").c_str(), 0600) == 0);
  const int reader = ::open(folder.file("pipe").c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  CHECK(files.write(folder.file("pipe"), "report"));
  CHECK(kind_of(folder.file("pipe")) == S_IFIFO);
  char seen[16] = {};
  CHECK(::read(reader, seen, sizeof seen) == 6);
  ::close(reader);
}

TEST_CASE("writing to a folder is refused") {
  const TemporaryFolder folder;
  DiskFiles files;
  const auto written = files.write(folder.file("."), "report");
  REQUIRE_FALSE(written);
  CHECK(written.error().message == "Is a directory");
}

}  // namespace
}  // namespace bayplan

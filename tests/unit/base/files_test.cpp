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

TEST_CASE("a link that leads nowhere is not taken for nothing") {
  const TemporaryFolder folder;
  const DiskFiles files;
  REQUIRE(::symlink("gone.json", folder.file("dangling").c_str()) == 0);
  REQUIRE(::symlink("circle", folder.file("circle").c_str()) == 0);
  folder.put("file", "");
  REQUIRE(::symlink("file", folder.file("sound").c_str()) == 0);
  for (const char* name : {"dangling", "circle"}) {
    CHECK(is_broken_link(files, folder.file(name)));
    const Error error = files.read(folder.file(name), 100).error();
    CHECK(error.message == "is a broken link");
    CHECK(error.id == kBrokenLink);
  }
  for (const char* name : {"sound", "file", "gone.json", "."}) CHECK_FALSE(is_broken_link(files, folder.file(name)));
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

TEST_CASE("a descriptor that is open is written to where it stands, though a file lies behind it") {
  const TemporaryFolder folder;
  DiskFiles files;
  REQUIRE(files.write(folder.file("log"), "before\n"));
  const int log = ::open(folder.file("log").c_str(), O_WRONLY | O_APPEND);
  REQUIRE(log >= 0);
  REQUIRE(::symlink(("/dev/fd/" + std::to_string(log)).c_str(), folder.file("link").c_str()) == 0);
  CHECK(files.write("/dev/fd/" + std::to_string(log), "report\n"));
  CHECK(files.write(folder.file("link"), "again\n"));
  CHECK(*files.read(folder.file("log"), 100) == "before\nreport\nagain\n");
  ::close(log);
  CHECK_FALSE(files.write("/dev/fd/" + std::to_string(log), "report"));
}

TEST_CASE("a name that holds NUL is no file, whatever it begins with") {
  const TemporaryFolder folder;
  DiskFiles files;
  REQUIRE(files.write(folder.file("web.json"), "{}"));
  const std::string name = folder.file("web.json") + std::string("\0x", 2);
  const auto read = files.read(name, 100);
  REQUIRE_FALSE(read);
  CHECK(read.error().message == "file name contains NUL");
  CHECK_FALSE(files.exists(name));
  CHECK_FALSE(files.is_folder(folder.file(".") + std::string("\0x", 2)));
  CHECK_FALSE(files.list(folder.file(".") + std::string("\0x", 2)));
  CHECK_FALSE(files.write(name, "report"));
  CHECK(*files.read(folder.file("web.json"), 100) == "{}");
}

TEST_CASE("writing to a folder is refused") {
  const TemporaryFolder folder;
  DiskFiles files;
  const auto written = files.write(folder.file("."), "report");
  REQUIRE_FALSE(written);
  CHECK(written.error().message == "Is a directory");
}

}  // namespace
TEST_CASE("a report that is passed on names no folder above its own") {
  CHECK(path_to_pass_on("defs/web.json", "/home/me") == "defs/web.json");
  CHECK(path_to_pass_on("/home/me/defs/web.json", "/home/me") == "defs/web.json");
  CHECK(path_to_pass_on("/home/meg/web.json", "/home/me") == "web.json");
  CHECK(path_to_pass_on("/tmp/report.html", "/home/me") == "report.html");
  CHECK(path_to_pass_on("/tmp/report.html", "/") == "report.html");
  CHECK(path_to_pass_on("C:/Users/me/web.json", "C:/Users") == "me/web.json");
  CHECK(path_to_pass_on("", "/home/me").empty());
}

}  // namespace bayplan

#include "cli/io/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <istream>
#include <ostream>
#include <string>
#include <thread>

#include "catch.hpp"
#include "cli/io/read_input.hpp"

using namespace bayplan::cli;

namespace {

constexpr std::size_t kLimit = 1u << 20;

/// A pipe that does not block, as another program may have left it.
struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    REQUIRE(::pipe(ends.data()) == 0);
    for (const int end : ends) ::fcntl(end, F_SETFL, O_NONBLOCK);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends) ::close(end);
  }
};

}  // namespace

TEST_CASE("standard streams - a pipe that does not block is waited for") {
  Pipe pipe;
  const std::string text(300'000, 'x');  // more than a pipe holds
  std::thread writer([&] {
    StandardOutput buffer(pipe.ends[1]);
    std::ostream out(&buffer);
    out << text << std::flush;
    CHECK(buffer.error() == 0);
  });
  StandardInput buffer(pipe.ends[0]);
  std::istream in(&buffer);
  std::string seen(text.size(), '\0');
  in.read(seen.data(), static_cast<std::streamsize>(seen.size()));
  writer.join();
  CHECK(seen == text);
}

TEST_CASE("standard streams - an input that cannot be read is not an empty one") {
  StandardInput closed(-1);
  std::istream in(&closed);
  const auto text = read_standard_input(in, kLimit);
  REQUIRE_FALSE(text);
  CHECK(text.error().message == "standard input is closed");

  const int folder = ::open(".", O_RDONLY);
  StandardInput wrong(folder);
  std::istream from_folder(&wrong);
  const auto none = read_standard_input(from_folder, kLimit);
  ::close(folder);
  REQUIRE_FALSE(none);
  CHECK(none.error().message == "cannot read standard input: Is a directory");
}

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>

#include "base/files.hpp"
#include "cli/application.hpp"
#include "cli/standard_output.hpp"

int main(int argc, char** argv) {
  using namespace bayplan::cli;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, and no failure of ours
  StandardOutput buffer(STDOUT_FILENO);
  std::ostream out(&buffer);
  bayplan::DiskFiles files;
  Streams io{std::cin,
             out,
             std::cerr,
             files,
             ::isatty(STDOUT_FILENO) == 1,
             ::isatty(STDERR_FILENO) == 1,
             [](const char* name) -> const char* { return std::getenv(name); },
             []() -> std::int64_t { return std::time(nullptr); }};
  const int code = run({argv + 1, argv + argc}, io);
  out.flush();
  if (buffer.error() == EPIPE) return kClean;
  return buffer.error() == 0 ? code
                             : fail(io, {std::string("cannot write the output: ") + std::strerror(buffer.error())});
}

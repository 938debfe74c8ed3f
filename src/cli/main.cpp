#include <unistd.h>

#include <csignal>
#include <iostream>

#include "base/files.hpp"
#include "cli/application.hpp"

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, and no failure of ours
  std::ios::sync_with_stdio(false);
  bayplan::DiskFiles files;
  bayplan::cli::Streams io{std::cin, std::cout, std::cerr, files, ::isatty(STDOUT_FILENO) == 1, ::isatty(STDERR_FILENO) == 1};
  return bayplan::cli::run({argv + 1, argv + argc}, io);
}

// Runs one command line again and again inside one process, as often as a line comes in on standard input: hundreds of
// thousands of damaged files cost a tenth of what as many processes would. Answers each line with
// "EXIT MICROSECONDS KIBIBYTES BYTES_OF_OUTPUT BYTES_OF_ERRORS" and the two texts. usage: zoo_driver ARGUMENTS...
#include <ctime>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/application.hpp"

namespace {

std::int64_t microseconds_used() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_nsec / 1'000;
}

/// What getrusage tells begins with the memory of whoever started this program, and never falls.
void forget_most_memory() {
  std::ofstream("/proc/self/clear_refs") << 5;
}

long kibibytes_at_most() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::stol(line.substr(6));
  }
  throw std::runtime_error("/proc/self/status has no VmHWM");
}

}  // namespace

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  bayplan::DiskFiles files;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    forget_most_memory();
    const auto before = microseconds_used();
    const int code = bayplan::cli::run(arguments, {in, out, err, files});
    std::cout << code << ' ' << microseconds_used() - before << ' ' << kibibytes_at_most() << ' ' << out.str().size()
              << ' ' << err.str().size() << '\n'
              << out.str() << err.str() << std::flush;
  }
}

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string_view>

#include "base/files.hpp"
#include "cli/application.hpp"
#include "cli/io/standard_streams.hpp"

namespace {

/// The signal that asked the program to end; 0 while none has.
std::atomic<int>& caught_signal() {
  static std::atomic<int> signal{0};
  return signal;
}

/// Whether the command looks for signals itself: it ends by itself then, and says what it keeps.
std::atomic<bool>& is_watching() {
  static std::atomic<bool> watching{false};
  return watching;
}

/// A command that does not watch ends here. Files appear whole or not at all, so that nothing is left half written.
void on_signal(int signal) {
  if (is_watching()) {
    caught_signal() = signal;
    return;
  }
  constexpr std::string_view kText = "\nbayplan: interrupted; no file was left incomplete\n";
  if (signal == SIGINT) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, kText.data(), kText.size());
  }
  ::raise(signal);  // it waits until the handler returns, and ends the program then
}

/// A second signal ends the program as if nobody watched; one that is ignored stays so.
void watch(int signal) {
  struct sigaction action {};
  if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

bool interrupted() {
  is_watching() = true;
  return caught_signal() != 0;
}

/// A standard stream that is closed would lend its number to the next file that is opened, and what is meant for the
/// stream would land there. It stays one that can neither be read nor written.
void hold_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) std::_Exit(2);
  }
}

/// The width of the terminal, or 0 if standard output is not a terminal.
std::size_t terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace bayplan::cli;
  hold_standard_descriptors();
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is a failed write, and no failure of ours
  std::signal(SIGXFSZ, SIG_IGN);  // so is a file that grows beyond `ulimit -f`: it is told, and nothing is left behind
  watch(SIGINT);
  watch(SIGTERM);
  StandardInput input(STDIN_FILENO);
  std::istream in(&input);
  StandardOutput buffer(STDOUT_FILENO);
  std::ostream out(&buffer);
  bayplan::DiskFiles files;
  Streams io{in,
             out,
             std::cerr,
             files,
             ::isatty(STDOUT_FILENO) == 1,
             ::isatty(STDERR_FILENO) == 1,
             [](const char* name) -> const char* { return std::getenv(name); },
             []() -> std::int64_t { return std::time(nullptr); },
             interrupted};
  io.out_columns = terminal_columns();
  const int code = run({argv + 1, argv + argc}, io);
  out.flush();
  if (caught_signal() != 0) std::raise(caught_signal());  // whoever started it sees what ended it
  if (buffer.error() == EPIPE) return kClean;
  return buffer.error() == 0 ? code
                             : fail(io, {std::string("cannot write the output: ") + std::strerror(buffer.error())});
}

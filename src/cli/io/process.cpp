#include "cli/io/process.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace bayplan::cli {
namespace {

/// The signal that asked the program to end; 0 while none has.
std::atomic<int>& caught_signal() {
  static std::atomic<int> signal{0};
  return signal;
}

/// Whether the command looks for signals itself.
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

/// A second signal ends the program by default; one that is ignored stays so.
void watch(int signal) {
  struct sigaction action {};
  if (::sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action = {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void hold_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) != descriptor) std::_Exit(2);
  }
}

void catch_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond `ulimit -f` is reported, and nothing is left behind
  watch(SIGINT);
  watch(SIGTERM);
}

bool interrupted() {
  is_watching() = true;
  return caught_signal() != 0;
}

void end_by_caught_signal() {
  if (caught_signal() != 0) std::raise(caught_signal());
}

bool is_terminal(int descriptor) {
  return ::isatty(descriptor) == 1;
}

std::size_t terminal_columns(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::vector<std::string> command_words(int argc, char** argv) {
  return {argv + 1, argv + argc};
}

}  // namespace bayplan::cli

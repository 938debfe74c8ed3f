#include "cli/io/process.hpp"

#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <string_view>

#include "base/posix.hpp"

extern char** environ;  // macOS has it in no header

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

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kMiB = 1 << 20;
  mallopt(M_TRIM_THRESHOLD, 256 * kMiB);
  mallopt(M_TOP_PAD, 16 * kMiB);
  mallopt(M_MMAP_THRESHOLD, 32 * kMiB);  // stating one of them fixes all: by default it is 128 KiB then
#endif
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

Result<std::string> run_program(const std::vector<std::string>& words) {
  const Error cannot_run{.message = "cannot run " + words.front(), .help = "Install it, or check PATH"};
  // In a hook, git is asked about other folders, too, than the one that the hook is for.
  ::unsetenv("GIT_INDEX_FILE");
  if (std::getenv("GIT_WORK_TREE") == nullptr) ::unsetenv("GIT_DIR");
  int ends[2];
  if (::pipe(ends) != 0) return cannot_run;
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  std::vector<std::string> copies = words;
  std::vector<char*> argv;
  for (auto& word : copies) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  const int problem = ::posix_spawnp(&child, argv.front(), &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string printed;
  std::array<char, 1 << 16> block{};
  while (problem == 0) {
    const auto size = posix::read_waiting(ends[0], block.data(), block.size());
    if (size <= 0) break;
    printed.append(block.data(), static_cast<std::size_t>(size));
  }
  ::close(ends[0]);
  if (problem != 0) return cannot_run;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return printed;
  return Error{.message = words.front() + " failed"};
}

std::string file_stamp(const std::string& path) {
  struct stat info {};
  if (posix::stat(path.c_str(), &info) != 0) return {};
#ifdef __APPLE__
  const timespec changed = info.st_mtimespec;
#else
  const timespec changed = info.st_mtim;
#endif
  return std::to_string(info.st_size) + " " + std::to_string(info.st_ino) + " " + std::to_string(changed.tv_sec) + "." +
         std::to_string(changed.tv_nsec);
}

void pause_polling() {
  constexpr timespec kPause{0, 200'000'000};
  ::nanosleep(&kPause, nullptr);
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

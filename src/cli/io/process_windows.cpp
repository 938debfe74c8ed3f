#include "cli/io/process.hpp"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/posix.hpp"

namespace bayplan::cli {
namespace {

std::atomic<int>& caught_signal() {
  static std::atomic<int> signal{0};
  return signal;
}

std::atomic<bool>& is_watching() {
  static std::atomic<bool> watching{false};
  return watching;
}

/// Notes the signal, or ends the program: Windows has reset the signal to its default.
void on_signal(int signal) {
  if (is_watching()) {
    caught_signal() = signal;
  } else {
    std::raise(signal);
  }
}

bool begins_with_drive(std::string_view path) {
  return path.size() > 2 && std::isalpha(static_cast<unsigned char>(path[0])) != 0 && path[1] == ':' &&
         (path[2] == '\\' || path[2] == '/');
}

/// Tells whether the path exists, or the folder of its last part. `TASKDEF=COUNT` is a path with a number.
bool names_a_file(const std::string& path) {
  const auto exists = [](const std::string& name) { return posix::access(name.c_str(), F_OK) == 0; };
  const auto equals = path.rfind('=');
  const auto slash = path.rfind('\\');
  if (exists(path) || (equals != std::string::npos && equals > slash && exists(path.substr(0, equals)))) return true;
  return path.find_first_of(" \t") == std::string::npos && exists(slash == 0 ? "\\" : path.substr(0, slash));
}

/// Where the path of `--output=json=C:\reports\a.json` or of `json=C:\reports\a.json` begins: behind a flag and a
/// format.
std::size_t path_begin(std::string_view word) {
  const auto is_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; };
  std::size_t begin = 0;
  for (int parts = 0; parts < 2; ++parts) {
    const auto end = std::find_if_not(word.begin() + static_cast<std::ptrdiff_t>(begin), word.end(), is_name);
    const auto length = static_cast<std::size_t>(end - word.begin()) - begin;
    if (end == word.end() || *end != '=' || length < 2) break;
    if (word.substr(begin + length + 1).find_first_of(":\\") == std::string_view::npos) break;
    begin += length + 1;
  }
  return begin;
}

/// What begins with a drive is a path; of other words the backslashes become slashes when they name a file or a folder
/// that is there: those of a query ('attribute:x =~ a\.b') stay. As packaging/npm/lib/paths.mjs does.
std::string program_word(const std::string& word) {
  const std::size_t begin = path_begin(word);
  std::string path = word.substr(begin);
  const bool has_drive = begins_with_drive(path);
  if (!has_drive && (path.find('\\') == std::string::npos || !names_a_file(path))) return word;
  std::replace(path.begin(), path.end(), '\\', '/');
  return word.substr(0, begin) + (has_drive ? "/" : "") + path;
}

}  // namespace

void hold_standard_streams() {
  for (const int descriptor : {0, 1, 2}) ::_setmode(descriptor, _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
  DWORD mode = 0;
  HANDLE const console = ::GetStdHandle(STD_OUTPUT_HANDLE);
  if (::GetConsoleMode(console, &mode) != 0) ::SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

void keep_freed_memory() {}

void catch_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

bool interrupted() {
  is_watching() = true;
  return caught_signal() != 0;
}

void end_by_caught_signal() {
  if (caught_signal() != 0) std::raise(caught_signal());
}

Result<std::string> run_program(const std::vector<std::string>& words) {
  // What a command line of Windows would read as something else is in no revision and no path that git prints.
  std::string line;
  for (const auto& word : words) {
    if (word.find_first_of("\"%") != std::string::npos)
      return Error{.message = "'" + word + "' cannot be passed to " + words.front()};
    line += (line.empty() ? "\"" : " \"") + word + "\"";
  }
  // In a hook, git is asked about other folders, too, than the one that the hook is for.
  ::_putenv_s("GIT_INDEX_FILE", "");
  if (std::getenv("GIT_WORK_TREE") == nullptr) ::_putenv_s("GIT_DIR", "");
  // cmd.exe removes the outer quotes.
  std::FILE* const pipe = ::_popen(("\"" + line + "\"").c_str(), "rb");
  if (pipe == nullptr) return Error{.message = "cannot run " + words.front(), .help = "Install it, or check PATH"};
  std::string printed;
  std::array<char, 1 << 16> block{};
  while (const auto size = std::fread(block.data(), 1, block.size(), pipe)) printed.append(block.data(), size);
  if (::_pclose(pipe) == 0) return printed;
  return Error{.message = words.front() + " failed"};
}

std::string file_stamp(const std::string& path) {
  struct stat info {};
  if (posix::stat(path.c_str(), &info) != 0) return {};
  return std::to_string(info.st_size) + " " + std::to_string(info.st_mtime);
}

void pause_polling() {
  ::Sleep(200);
}

bool is_terminal(int descriptor) {
  DWORD mode = 0;  // isatty also takes NUL for a terminal
  return ::GetConsoleMode(reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)), &mode) != 0;
}

std::size_t terminal_columns(int descriptor) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (::GetConsoleScreenBufferInfo(reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)), &info) == 0) return 0;
  return static_cast<std::size_t>(info.srWindow.Right - info.srWindow.Left + 1);
}

std::vector<std::string> command_words(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  std::transform(words.begin(), words.end(), words.begin(), program_word);
  return words;
}

}  // namespace bayplan::cli

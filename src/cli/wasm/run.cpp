/// The program as WebAssembly: what `main` is to the others. A host (system_calls.js says what it must have) calls
/// `bayplan_run` as often as it likes; nothing is kept from one call to the next.
#include <emscripten/emscripten.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "cli/application.hpp"
#include "cli/io/standard_streams.hpp"

extern "C" {
/// The value of a variable as bytes that end with NUL, from malloc; null when it is not set.
char* bayplan_host_environment(const char* name);
/// The path from the root, links and dots resolved, as above; null when there is no such file.
char* bayplan_host_real_path(const char* path);
/// The width of the terminal that the descriptor is, or 0.
int bayplan_host_columns(int descriptor);
/// Whether the user has interrupted the command (Ctrl-C). The first call notifies the host that the command handles
/// interrupts.
int bayplan_host_interrupted();
/// Loads the module that has the other half of the functions.
void bayplan_host_load_rest();
}

namespace {

const char* environment(const char* name) {
  static std::map<std::string, std::string> read;
  char* const value = bayplan_host_environment(name);
  if (value == nullptr) return nullptr;
  std::string& kept = read[name] = value;
  std::free(value);
  return kept.c_str();
}

/// "lint" and "." of "lint\0.\0".
std::vector<std::string> words_of(const char* text, int size) {
  std::vector<std::string> words;
  for (const char* at = text; at < text + size; at += words.back().size() + 1) words.emplace_back(at);
  return words;
}

}  // namespace

/// It replaces the function of the C library, which would ask for each folder on the way.
extern "C" char* realpath(const char* path, char* resolved) {
  char* const found = bayplan_host_real_path(path);
  if (found == nullptr) {
    errno = ENOENT;
  } else if (resolved != nullptr) {
    std::strcpy(resolved, found);
    std::free(found);
    return resolved;
  }
  return found;
}

/// Keeps the import for cmake/wasm/stand_ins.py, whose functions call it.
extern "C" EMSCRIPTEN_KEEPALIVE void bayplan_load_rest() {
  bayplan_host_load_rest();
}

/// `arguments`: each with a NUL behind it, `size` bytes together. Returns the exit code.
extern "C" EMSCRIPTEN_KEEPALIVE int bayplan_run(const char* arguments, int size) {
  using namespace bayplan::cli;
  StandardInput input(STDIN_FILENO);
  std::istream in(&input);
  StandardOutput out_buffer(STDOUT_FILENO);
  std::ostream out(&out_buffer);
  StandardOutput err_buffer(STDERR_FILENO);
  std::ostream err(&err_buffer);
  err << std::unitbuf;
  bayplan::DiskFiles files;
  Streams io{in,
             out,
             err,
             files,
             ::isatty(STDOUT_FILENO) == 1,
             ::isatty(STDERR_FILENO) == 1,
             environment,
             []() -> std::int64_t { return std::time(nullptr); },
             []() -> bool { return bayplan_host_interrupted() != 0; }};
  io.out_columns = static_cast<std::size_t>(bayplan_host_columns(STDOUT_FILENO));
  io.err_columns = static_cast<std::size_t>(bayplan_host_columns(STDERR_FILENO));
  const int code = run(words_of(arguments, size), io);
  out.flush();
  if (out_buffer.error() == EPIPE) return kClean;
  return out_buffer.error() == 0
             ? code
             : fail(io, {std::string("cannot write the output: ") + std::strerror(out_buffer.error())});
}

#pragma once
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.hpp"
#include "base/result.hpp"

namespace bayplan::cli {

class Activity;
class GuardedFiles;

/// Exit codes of the contract; kUnusable wins over kFindings.
enum ExitCode : int {
  kClean = 0,     ///< Nothing found; everything placed.
  kFindings = 1,  ///< Findings at or above --fail-on; something not placed.
  kUnusable = 2,  ///< Wrong usage, or an input that cannot be read or understood.
  kInternalError = 3,
};

/// All that a command touches, so that a whole command runs in a test.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Files& files;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  /// Environment, read through this so that tests decide it; nothing when unset.
  const char* (*environment)(const char* name) = nullptr;
  /// Seconds since 1970; without one it is 1970, and nothing has ended.
  std::int64_t (*clock)() = nullptr;
  /// Whether the user wants the program to end; the first call begins to watch for it. Without one, no one does.
  bool (*interrupted)() = nullptr;
  /// Takes what a command says of its progress, where that is not a terminal; from any thread.
  std::function<void(std::string_view words)> on_progress = {};
  /// Runs a program and returns what it printed on standard output. Without one no program can be run.
  Result<std::string> (*run_program)(const std::vector<std::string>& words) = nullptr;
  /// Something that changes when the file or folder does, read without its content. Without one the content is
  /// compared.
  std::string (*stamp)(const std::string& path) = nullptr;
  /// Waits a fifth of a second, or until a signal. Without one nothing waits.
  void (*pause)() = nullptr;
  /// Standard output is colored: `run` says so, when it has understood the command line.
  bool out_is_colored = false;
  /// --quiet: nothing is printed but the answer and errors.
  bool is_quiet = false;
  /// Columns of the terminal that standard output is; 0 where it is none.
  std::size_t out_columns = 0;
  /// The same of standard error, where progress is shown.
  std::size_t err_columns = 0;
  std::string command_line;  ///< The command as one would paste it; `run` sets it.
  std::string folder;        ///< Where the command runs, from the root; `run` sets it.
  std::string case_command;  ///< The same, with the option that writes a case for a bug report; `run` sets it.
  /// The guard of `files`, which `run` sets.
  GuardedFiles* guard = nullptr;
  std::vector<Error> errors;     ///< What `fail` has printed.
  bool has_reported = false;     ///< One of the requested outputs has begun.
  Activity* activity = nullptr;  ///< Progress on standard error; `run` sets it.
};

/// Runs `bayplan ARGUMENTS...` (without the program's name) and returns the exit code.
int run(const std::vector<std::string>& arguments, Streams io);

/// Prints "bayplan: file:line:column: message" and the help, if any; returns kUnusable.
int fail(Streams& io, const Error& error);
int fail_all(Streams& io, const std::vector<Error>& errors);

/// What the reports have of a result that failed a part of its verification.
enum class Reported : std::uint8_t { kNothing, kWhatHolds };

/// A result that failed its own verification: prints every mistake, and how to report it; returns kInternalError.
int internal_error(Streams& io, const std::vector<std::string>& mistakes, Reported reported = Reported::kNothing);

}  // namespace bayplan::cli

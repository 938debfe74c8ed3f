#pragma once
#include <string>
#include <vector>

#include "base/result.hpp"

namespace bayplan::cli {

/// Opens standard streams that are closed, so that they can neither be read nor written: otherwise the next file that
/// is opened would get the number of the stream and what is written to it. On Windows, it turns off the translation of
/// line ends.
void hold_standard_streams();

/// Keeps memory that is freed at the end of the heap, up to 256 MiB, instead of giving it back to the system at once: a
/// search that makes and drops tables of the same size would otherwise ask the system for each. Whether that happened
/// depended on where the end of the heap was: the same `fleet` took 14 or 78 seconds. No effect without glibc.
void keep_freed_memory();

/// From now on SIGINT and SIGTERM ask a command to end, or end the program where no command asks; a closed pipe and a
/// full disk are failed writes, and no signals.
void catch_signals();
/// Tells whether a signal has asked the command to end. The caller then ends by itself and reports what it keeps.
bool interrupted();
/// Ends the program by the signal that was caught, so that the parent process sees it; returns if there was none.
void end_by_caught_signal();

/// Runs a program that PATH has, without a shell, and returns what it printed on standard output; its standard error is
/// that of this program. An error if it could not be started or its exit code is not 0.
Result<std::string> run_program(const std::vector<std::string>& words);

/// Size, inode and time of change of a file or folder; empty when there is none.
std::string file_stamp(const std::string& path);

/// Waits a fifth of a second, or until a signal.
void pause_polling();

bool is_terminal(int descriptor);
/// Returns the width of the terminal, or 0 if the descriptor is not a terminal or the terminal does not know it.
std::size_t terminal_columns(int descriptor);

/// Returns the arguments without the name of the program. On Windows, paths in them become "/C:/project/web.json".
std::vector<std::string> command_words(int argc, char** argv);

}  // namespace bayplan::cli

#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command.hpp"

namespace bayplan::cli {

/// Values that name files: of a positional argument, or of an option that may be repeated.
struct FileList {
  std::vector<std::string>* values = nullptr;
  std::string_view value_name;  ///< "PATH", "TASKDEF=COUNT"
};

/// What the command line asks for.
struct ParsedLine {
  Command* command = nullptr;  ///< Nothing to run when absent: `text` says all.
  GlobalOptions global;
  /// Values of options and positional arguments, and what follows `--`: all that may name an input. Reports are
  /// none, nor is what `--continue-from` names: a run may go on into its own report.
  std::vector<std::string> input_words;
  std::vector<FileList> file_lists;  ///< Of the command.
  std::string text;                  ///< Help or version, ready to print, where the line is not refused.
  std::optional<Error> refused;
  int exit_code = kClean;  ///< When there is nothing to run.
};

ParsedLine parse_command_line(const std::vector<std::string>& words,
                              const std::vector<std::unique_ptr<Command>>& commands, const std::string& version);

}  // namespace bayplan::cli

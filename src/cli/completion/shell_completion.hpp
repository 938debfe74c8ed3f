#pragma once
#include <string>
#include <vector>

#include "cli/options/command_rows.hpp"

/// Completions for shells: all that can be said without looking at the user's files.
namespace bayplan::cli {

/// Words that are data: what a shell offers where a value is a rule, a type, a schema.
struct CompletionWords {
  std::vector<std::string> rules;  ///< Codes, names, groups.
  std::vector<std::string> types;  ///< EC2 instance types.
  std::vector<std::string> schemas;
};

/// Options before any command.
struct ProgramOption {
  std::string names;  ///< "-h,--help"
  std::string help;
};
std::vector<ProgramOption> program_options();

/// "bash", "zsh", "fish", "powershell".
std::vector<std::string> completion_shells();

/// A script to be sourced, or to lie where the shell looks for completions (docs/packages.md). None runs bayplan.
std::string bash_completion(const std::vector<CommandRows>& commands, const CompletionWords& words);
std::string zsh_completion(const std::vector<CommandRows>& commands, const CompletionWords& words);
std::string fish_completion(const std::vector<CommandRows>& commands, const CompletionWords& words);
std::string powershell_completion(const std::vector<CommandRows>& commands, const CompletionWords& words);

}  // namespace bayplan::cli

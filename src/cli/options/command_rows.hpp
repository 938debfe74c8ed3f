#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/command.hpp"

/// What the commands take, as values: completions and man pages are made of them, and so are never stale.
namespace bayplan::cli {

struct OptionRow {
  enum class Kind : std::uint8_t { kFlag, kValue, kPositional };
  Kind kind = Kind::kFlag;
  std::vector<std::string> names;  ///< Names with their dashes, short ones first; a positional argument has one name.
  std::string group;               ///< Heading of the option; "" = "Options".
  std::string value_name;          ///< "FILE"; of a choice its words; empty for flags.
  std::string help;
  std::vector<std::string> words;  ///< The only accepted values of a choice.
  bool is_integer = false;         ///< The value is a whole number.
  bool repeats = false;            ///< May be given several times.
  bool commas = false;             ///< One argument may hold several values.
  bool required = false;           ///< Positionals only.
};

struct CommandRows {
  std::string name;
  std::string summary;
  std::string examples;              ///< Lines, each two blanks in.
  std::vector<OptionRow> rows;       ///< Listed in the order of the help, the options of all commands behind its own.
  std::vector<std::string> formats;  ///< Formats of --output, the default first.
  bool takes_rest = false;           ///< Everything behind `--`, as it is.

  std::vector<const OptionRow*> positionals() const;
  std::vector<const OptionRow*> options() const;
};

/// Makes the rows of every command in the order of the help; `help` and `version`, which only the program itself knows,
/// are not in it.
std::vector<CommandRows> make_rows(const std::vector<std::unique_ptr<Command>>& commands);

/// Whether values that the help calls `value_name` name files.
bool names_files(std::string_view value_name);

/// What completes a value, by its name in the help.
enum class ValueKind : std::uint8_t {
  kText,
  kFile,
  kFolder,
  kRule,
  kInstanceType,
  kSchema,
  kFormat,
  kWord,  ///< One of OptionRow::words.
  kCommand,
  kShell,  ///< One that there are completions for.
};
ValueKind kind_of(const CommandRows& command, const OptionRow& row);

}  // namespace bayplan::cli

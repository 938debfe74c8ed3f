#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/application.hpp"
#include "cli/options/options.hpp"

namespace bayplan::cli {

/// One subcommand: describes its options, then runs. Parse, call, report; no logic.
class Command {
 public:
  virtual ~Command() = default;
  virtual std::string_view name() const = 0;
  virtual std::string_view summary() const = 0;     ///< One line, no full stop.
  virtual bool is_hidden() const { return false; }  ///< For other programs: not in help, completions and manual.
  /// Report formats of --output, the default first; what `run` hands to parse_outputs. Empty: it has no --output.
  virtual std::vector<std::string_view> formats() const { return {"text"}; }
  /// What --anonymize writes, where the command itself does it; else `run` of the application writes the run.
  virtual std::optional<std::string_view> anonymize_help() const { return std::nullopt; }
  /// It is to run again when a file that it read has changed.
  virtual bool watches() const { return false; }
  virtual void describe(OptionSet& options) = 0;
  virtual int run(const GlobalOptions& global, Streams& io) = 0;
};

/// Every command, in the order of the help: the one list, in commands.cpp.
std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace bayplan::cli

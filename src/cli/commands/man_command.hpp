#pragma once
#include "cli/options/command.hpp"

namespace bayplan::cli {

/// bayplan man [COMMAND]: for packagers, and for `bayplan man lint | man -l -`. Not in the list of commands.
class ManCommand : public Command {
 public:
  std::string_view name() const override { return "man"; }
  std::string_view summary() const override { return "Print a manual page: of bayplan, or of a command"; }
  bool is_hidden() const override { return true; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> names_;
  std::string folder_;
};

}  // namespace bayplan::cli

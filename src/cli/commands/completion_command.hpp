#pragma once
#include "cli/options/command.hpp"

namespace bayplan::cli {

/// bayplan completion bash|zsh|fish
class CompletionCommand : public Command {
 public:
  std::string_view name() const override { return "completion"; }
  std::string_view summary() const override { return "Print the completions of a shell: bash, zsh or fish"; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> shells_;
};

}  // namespace bayplan::cli

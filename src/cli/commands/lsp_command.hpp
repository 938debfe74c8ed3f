#pragma once
#include "cli/options/command.hpp"

namespace bayplan::cli {

/// bayplan lsp
class LspCommand : public Command {
 public:
  std::string_view name() const override { return "lsp"; }
  std::string_view summary() const override {
    return "Serve an editor: findings while typing, hover, completion, fixes";
  }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  bool stdio_ = false;
};

}  // namespace bayplan::cli

#pragma once
#include "cli/command.hpp"

namespace bayplan::cli {

/// bayplan explain CODE...
class ExplainCommand : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override { return "Say what a rule means, why it is there and what to do"; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> codes_;
  bool all_ = false;
};

}  // namespace bayplan::cli

#pragma once
#include "cli/options/command.hpp"

namespace bayplan::cli {

/// bayplan collect: prints the commands that describe a cluster; runs none.
class CollectCommand : public Command {
 public:
  std::string_view name() const override { return "collect"; }
  std::string_view summary() const override {
    return "Print the AWS CLI commands that describe a live cluster for place";
  }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::string cluster_ = "default";
  std::string region_;
  std::string folder_;
};

}  // namespace bayplan::cli

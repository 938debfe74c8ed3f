#pragma once
#include "cli/options/command.hpp"
#include "cli/options/scenario_options.hpp"

namespace bayplan::cli {

/// bayplan dry-run -- aws ecs run-task ...
class DryRunCommand : public Command {
 public:
  std::string_view name() const override { return "dry-run"; }
  std::string_view summary() const override { return "Tell what an aws ecs call would do; never runs aws"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> line_;   ///< Behind `--`.
  std::vector<std::string> stray_;  ///< Before it.
  ScenarioOptions scenario_;
  std::vector<std::string> definitions_;
};

}  // namespace bayplan::cli

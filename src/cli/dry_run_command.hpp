#pragma once
#include "cli/command.hpp"

namespace bayplan::cli {

/// bayplan dry-run -- aws ecs run-task ...
class DryRunCommand : public Command {
 public:
  std::string_view name() const override { return "dry-run"; }
  std::string_view summary() const override { return "Tell what an aws ecs call would do; never runs aws"; }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> line_;   ///< Behind `--`.
  std::vector<std::string> stray_;  ///< Before it.
  std::optional<std::string> cluster_;
  std::vector<std::string> parameters_;
  std::vector<std::string> instances_;
  std::vector<std::string> definitions_;
  std::optional<std::int64_t> seed_;
};

}  // namespace bayplan::cli

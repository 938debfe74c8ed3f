#pragma once
#include "cli/options/command.hpp"
#include "cli/options/scenario_options.hpp"
#include "study/why/why_question.hpp"

namespace bayplan::cli {

/// bayplan why TASKDEF [SCENARIO], or TASKDEF or --service with --cluster or --instances
class WhyCommand : public Command {
 public:
  std::string_view name() const override { return "why"; }
  std::string_view summary() const override { return "Say why a task goes where it goes, or why it has no place"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<study::QuestionRequest> request(const catalog::Catalog& catalog) const;

  std::vector<std::string> arguments_;
  ScenarioOptions scenario_;
  std::optional<std::string> service_;
  std::optional<std::int64_t> count_;
  bool no_lint_ = false;
};

}  // namespace bayplan::cli

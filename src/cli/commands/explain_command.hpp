#pragma once
#include "base/lazy.hpp"
#include "cli/options/command.hpp"
#include "report/explain/explain_report.hpp"
#include "rules/sentences.hpp"

namespace bayplan::cli {

/// bayplan explain CODE|TEXT...
class ExplainCommand : public Command {
 public:
  std::string_view name() const override { return "explain"; }
  std::string_view summary() const override { return "Say what a rule, a failure reason or any sentence of ECS means"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  struct Asked {
    std::vector<const rules::RuleRow*> rows;
    std::string text;
  };
  /// Words that name rules, the others as one text.
  Result<Asked> asked(const rules::RuleData& data, const Lazy<rules::Sentences>& sentences, std::size_t limit,
                      Streams& io) const;

  std::vector<std::string> words_;
  bool all_ = false;
};

}  // namespace bayplan::cli

#pragma once
#include "cli/options/command.hpp"
#include "cli/options/scenario_options.hpp"
#include "cli/options/view_options.hpp"

namespace bayplan::cli {

/// bayplan place SCENARIO, or --cluster/--instances and --task
class PlaceCommand : public Command {
 public:
  std::string_view name() const override { return "place"; }
  std::string_view summary() const override { return "Simulate where ECS would place tasks on a described cluster"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<scenario::ScenarioRequest> request(const catalog::Catalog& catalog) const;

  std::vector<std::string> scenarios_;
  ScenarioOptions cluster_;
  std::vector<std::string> tasks_;
  std::optional<std::int64_t> runs_;
  std::string ties_ = "all";
  std::optional<std::string> until_;
  std::optional<std::string> continue_from_;
  bool no_lint_ = false;
  bool no_placements_ = false;
  ViewOptions view_;
};

}  // namespace bayplan::cli

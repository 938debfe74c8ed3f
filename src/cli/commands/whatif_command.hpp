#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/scenario_options.hpp"
#include "study/whatif/load_variants.hpp"

namespace bayplan::cli {

/// A scenario, and variants of it side by side.
class WhatIfCommand : public Command {
 public:
  std::string_view name() const override { return "whatif"; }
  std::string_view summary() const override { return "What a lost zone, a drain, another type would do to the tasks"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<scenario::ScenarioRequest> request(const Streams& io, const catalog::Catalog& catalog) const;

  int whatif_at_time_0(const placement::Scenario& scenario, const std::vector<study::LoadedVariant>& variants,
                       catalog::Catalog& catalog, const std::vector<Output>& outputs, const GlobalOptions& global,
                       Streams& io, Stats& stats) const;

  std::vector<std::string> scenarios_;
  ScenarioOptions cluster_;
  std::vector<std::string> tasks_;
  study::VariationRequest variations_;
  std::optional<std::int64_t> runs_;
  std::optional<std::string> at_;
  bool no_lint_ = false;
};

}  // namespace bayplan::cli

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command.hpp"
#include "cli/options/scenario_options.hpp"
#include "study/repack/repack.hpp"

namespace bayplan::cli {

/// What could be given back of a cluster that runs.
class RepackCommand : public Command {
 public:
  std::string_view name() const override { return "repack"; }
  std::string_view summary() const override { return "Which instances could be given back, drained in which order"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<scenario::ScenarioRequest> request(const Streams& io, const catalog::Catalog& catalog,
                                            const Limits& limits) const;
  Result<study::RepackRequest> limits() const;
  Result<std::optional<MicroUsd>> least_saving() const;  ///< --min-saving

  std::vector<std::string> snapshots_;
  ScenarioOptions cluster_;
  std::optional<std::int64_t> max_moves_;
  std::optional<std::string> min_saving_;
  std::int64_t together_ = study::kMostTogether;
  bool keep_zones_ = false;
  bool wait_for_tasks_ = false;
  bool no_lint_ = false;
};

}  // namespace bayplan::cli

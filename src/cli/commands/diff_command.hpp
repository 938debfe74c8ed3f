#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/command.hpp"
#include "cli/options/scenario_options.hpp"
#include "lint/config/config.hpp"
#include "study/diff/diff.hpp"

namespace bayplan::cli {

/// bayplan diff OLD NEW
class DiffCommand : public Command {
 public:
  std::string_view name() const override { return "diff"; }
  std::string_view summary() const override { return "Say what a change of a task definition costs"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  struct Sides {
    study::DiffSide before;
    study::DiffSide after;
  };
  /// Nothing when they are of no use, which has been told. Takes --param out of the cluster's request where the
  /// definitions are templates.
  std::optional<Sides> read_sides(const lint::Config& config, const lint::Options& options, const lint::Tools& tools,
                                  scenario::ScenarioRequest& cluster, Streams& io) const;
  Result<study::CapacityRequest> capacity_request(const catalog::Catalog& catalog, const lint::Config& config,
                                                  const study::ClusterAnswers& cluster) const;

  std::vector<std::string> paths_;
  std::vector<std::string> types_;
  ScenarioOptions scenario_;
  std::optional<std::string> region_;
  std::string config_file_;
  std::string trunking_;
  std::string fail_on_ = "error";
  std::optional<std::int64_t> reserved_memory_;
};

}  // namespace bayplan::cli

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/io/outputs.hpp"
#include "cli/options/command.hpp"
#include "cli/options/scenario_options.hpp"
#include "cli/options/view_options.hpp"
#include "fleet/offers/market.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/fleet/throughput.hpp"

namespace bayplan::cli {

/// The cheapest fleet for a scenario's tasks.
class FleetCommand : public Command {
 public:
  std::string_view name() const override { return "fleet"; }
  std::string_view summary() const override { return "The cheapest instances for the tasks, with a proven bound"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<scenario::ScenarioRequest> scenario_request(const catalog::Catalog& catalog) const;
  /// All but what ends the search. What is taken for granted is added to the scenario's assumptions.
  Result<study::FleetRequest> fleet_request(placement::Scenario& scenario) const;

  struct Planned {
    placement::Scenario scenario;
    fleet::Market market;
    study::FleetRequest request;
    study::FleetPlan plan;
    std::vector<study::FamilyRate> rates;
  };
  int write(const Planned& planned, const std::vector<Output>& outputs, const report::ClusterView& view,
            const GlobalOptions& global, Streams& io) const;

  std::vector<std::string> scenarios_;
  ScenarioOptions cluster_;
  std::vector<std::string> tasks_;
  fleet::MarketRequest market_;
  std::optional<std::string> zones_;
  std::optional<std::string> headroom_;
  std::optional<std::int64_t> most_types_;
  std::int64_t orders_ = study::FleetRequest{}.orders;
  std::int64_t effort_ = study::FleetRequest{}.effort;
  std::optional<std::int64_t> time_limit_;
  bool survives_zone_loss_ = false;
  bool deployable_ = false;
  bool start_task_ = false;
  bool no_lint_ = false;
  ViewOptions view_;
};

}  // namespace bayplan::cli

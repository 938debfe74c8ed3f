#pragma once
#include <optional>
#include <string>
#include <vector>

#include "cli/application.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/stats.hpp"
#include "placement/scenario.hpp"
#include "report/place/cluster_view.hpp"

namespace bayplan::cli {

struct OverTimeOptions {
  std::optional<std::string> continue_from;  ///< Report of the run that this one goes on from.
  bool placements = true;
  report::ClusterView view;  ///< Of the text report.
};

/// Lets a scenario with time in it run and writes the reports. Exit code 1 when a task has no place at the end or a
/// deployment did not finish.
int place_over_time(const placement::Scenario& scenario, const std::vector<Output>& outputs,
                    const OverTimeOptions& options, const GlobalOptions& global, Streams& io, Stats& stats);

}  // namespace bayplan::cli

#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/application.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/stats.hpp"
#include "placement/scenario.hpp"
#include "study/load_variants.hpp"

namespace bayplan::cli {

/// Whether --at is there exactly when something happens at an instant of a run. Nothing where it is.
std::optional<Error> check_instant(const placement::Scenario& scenario,
                                   const std::vector<study::LoadedVariant>& variants,
                                   const std::optional<placement::Seconds>& at);

/// Simulates a scenario with time in it and its variants, and writes the reports. Exit code 1 when a variant leaves
/// more undone than the scenario.
int whatif_over_time(const placement::Scenario& scenario, const std::vector<study::LoadedVariant>& variants,
                     placement::Seconds at, const std::vector<Output>& outputs, const GlobalOptions& global,
                     Streams& io, Stats& stats);

}  // namespace bayplan::cli

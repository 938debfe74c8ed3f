#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.hpp"
#include "cli/options/options.hpp"
#include "cli/options/variable_options.hpp"
#include "scenario/load_scenario.hpp"

namespace bayplan::cli {

/// What commands that place tasks take of the command line: the cluster, and how tasks are placed on it.
class ScenarioOptions {
 public:
  void describe_cluster(OptionSet& options);
  void describe_seed(OptionSet& options);
  void describe_conditions(OptionSet& options);  ///< Constraints, region and seed.
  void describe_placement(OptionSet& options);   ///< Strategies, and those.

  bool names_cluster() const { return cluster_.has_value(); }  ///< --cluster
  bool has_cluster() const { return cluster_ || !instances_.empty(); }

  /// All of them, without a scenario and tasks; an error when they contradict each other or name no region.
  Result<scenario::ScenarioRequest> request(const catalog::Catalog& catalog) const;

 private:
  std::optional<std::string> cluster_;
  bool allow_partial_ = false;
  std::vector<std::string> parameters_;
  TerraformVariables variables_;
  std::vector<std::string> instances_;
  std::vector<std::string> strategies_;
  std::vector<std::string> aws_strategies_;
  std::vector<std::string> constraints_;
  std::optional<std::string> region_;
  std::optional<std::int64_t> seed_;
};

/// --allow-partial, of each command that reads a live cluster.
void describe_partial(OptionSet& options, bool& allow_partial);

/// An argument of an option that was given as a scenario: the 3 of `--task web.json 3`, `web.json=3` of
/// --task, `m5.large=2` of --instances. An error that says how to write it. `command`: "place"
std::optional<Error> misplaced_argument(std::string_view command, const std::vector<std::string>& scenarios,
                                        const std::vector<std::string>& tasks, const Files& files);

/// --runs; an error when there are too few or too many.
std::optional<Error> check_runs(const std::optional<std::int64_t>& runs);

/// Seconds of a flag that takes 90s, 30m, 1h30m or 7d; nothing where it is not given.
Result<std::optional<placement::Seconds>> parse_duration_flag(std::string_view flag,
                                                              const std::optional<std::string>& text);

/// Limits of what is read, as --max-input moves them.
Limits input_limits(const GlobalOptions& global);

}  // namespace bayplan::cli

#include "cli/options/scenario_options.hpp"

#include <fmt/core.h>

#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "catalog/region.hpp"
#include "cli/options/template_parameters.hpp"
#include "model/scenario_file.hpp"

namespace bayplan::cli {

void ScenarioOptions::describe_cluster(OptionSet& options) {
  options.option("--cluster", cluster_, "PATH",
                 "Cluster file, folder of aws ecs describe-... output, CloudFormation template, Terraform code or "
                 "terraform show -json; "
                 "replaces the cluster of the scenario");
  describe_partial(options, allow_partial_);
  describe_parameters(options, parameters_);
  variables_.describe(options);
  options.repeated("--instances", instances_, "TYPE=N@AZ,AZ", "Instances: N in total, spread over the zones");
}

void ScenarioOptions::describe_placement(OptionSet& options) {
  options.repeated("--strategy", strategies_, "STRATEGY",
                   "binpack:memory, binpack:cpu, spread:instanceId, spread:attribute:NAME, random; repeat for a chain");
  options.repeated("--placement-strategy", aws_strategies_, "type=...,field=...", "The same in AWS CLI syntax");
  describe_conditions(options);
}

void ScenarioOptions::describe_conditions(OptionSet& options) {
  options.repeated("--placement-constraints", constraints_, "type=...,expression=...", "In AWS CLI syntax");
  options.option("--region", region_, "REGION",
                 "Region of prices (default: the scenario's or the zones', else us-east-1)");
  describe_seed(options);
}

void ScenarioOptions::describe_seed(OptionSet& options) {
  options.option("--seed", seed_, "N", "Seed of random placement (default: the scenario's, else 1)");
}

Result<scenario::ScenarioRequest> ScenarioOptions::request(const catalog::Catalog& catalog) const {
  if (!strategies_.empty() && !aws_strategies_.empty())
    return Error{.message = "--strategy and --placement-strategy cannot be combined: the order matters",
                 .help = "Write all of them with one of the two."};
  if (seed_ && *seed_ < 0)
    return Error{.message = "--seed must be a number from 0, not " + std::to_string(*seed_),
                 .help = "For example: --seed 7"};
  if (region_) {
    const auto region = catalog::known_region(catalog, *region_);
    if (!region) return region.error();
  }
  auto parameters = parse_parameters(parameters_);
  if (!parameters) return parameters.error();
  auto variables = variables_.parse();
  if (!variables) return variables.error();
  scenario::ScenarioRequest request;
  request.cluster = cluster_;
  request.allow_partial = allow_partial_;
  request.parameters = std::move(*parameters);
  request.variables = std::move(*variables);
  request.variable_files = variables_.files();
  request.instances = instances_;
  request.strategies = strategies_.empty() ? aws_strategies_ : strategies_;
  request.constraints = constraints_;
  request.region = region_;
  request.seed = seed_;
  return request;
}

void describe_partial(OptionSet& options, bool& allow_partial) {
  options.flag("--allow-partial", allow_partial,
               "Accept a live cluster whose services, tasks or definitions are partly missing");
}

std::optional<Error> misplaced_argument(std::string_view command, const std::vector<std::string>& scenarios,
                                        const std::vector<std::string>& tasks, const Files& files) {
  for (const auto& scenario : scenarios) {
    if (files.exists(scenario)) continue;
    if (!tasks.empty() && (to_integer(scenario) || scenario == "max")) {
      const auto& task = tasks.back();
      return Error{.message = "unexpected argument '" + scenario + "'",
                   .help = "A count follows '=': --task " + task.substr(0, task.find('=')) + "=" + scenario};
    }
    const auto equals = scenario.rfind('=');
    if (equals == std::string::npos) continue;
    const auto name = scenario.substr(0, equals);
    const auto count = std::string_view(scenario).substr(equals + 1, scenario.find('@', equals) - equals - 1);
    const bool is_count = to_integer(count).has_value() || count == "max";
    if (!is_count) continue;
    const bool is_file = files.exists(name) || name.ends_with(".json") || name.ends_with(".yaml") ||
                         name.ends_with(".yml") || name.find('.') == std::string::npos;
    return Error{.message = "'" + scenario + "' is not a scenario",
                 .help = fmt::format("Write: bayplan {} {} {}{}", command, is_file ? "--task" : "--instances",
                                     shell_word(name), scenario.substr(equals))};
  }
  return std::nullopt;
}

std::optional<Error> check_runs(const std::optional<std::int64_t>& runs) {
  constexpr std::int64_t kMostRuns = 100'000;
  if (!runs || (*runs >= 1 && *runs <= kMostRuns)) return std::nullopt;
  return Error{.message = "--runs must be a number from 1 to 100000, not " + std::to_string(*runs),
               .help = "For example: --runs 200"};
}

Result<std::optional<placement::Seconds>> parse_duration_flag(std::string_view flag,
                                                              const std::optional<std::string>& text) {
  if (!text) return std::optional<placement::Seconds>();
  const auto seconds = model::parse_duration(*text);
  if (seconds) return seconds;
  return Error{.message = fmt::format("{} must be a duration, not '{}'", flag, *text),
               .help = "For example: 90s, 30m, 1h30m, 7d"};
}

Limits input_limits(const GlobalOptions& global) {
  Limits limits;
  if (global.max_input > 0)
    limits.definition_bytes = limits.snapshot_bytes = static_cast<std::size_t>(global.max_input);
  return limits;
}

}  // namespace bayplan::cli

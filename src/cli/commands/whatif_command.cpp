#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/strings.hpp"
#include "cli/application.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lint_gate.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/progress_line.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/options.hpp"
#include "cli/options/scenario_options.hpp"
#include "placement/engine/not_placeable.hpp"
#include "placement/model/scenario.hpp"
#include "report/whatif/whatif_report.hpp"
#include "study/in_flight.hpp"
#include "study/whatif/comparison.hpp"
#include "study/whatif/load_variants.hpp"
#include "study/whatif/played_variant.hpp"

namespace bayplan::cli {

/// A scenario, and variants of it side by side.
class WhatIfCommand : public Command {
 public:
  std::string_view name() const override { return "whatif"; }
  std::string_view summary() const override { return "Simulate a lost zone, a drain, a deployment, another type"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<scenario::ScenarioRequest> request(const Streams& io, const catalog::Catalog& catalog) const;
  /// The scenario and its variants side by side.
  study::Comparison compare(const placement::Scenario& scenario, std::vector<study::LoadedVariant> variants,
                            const catalog::Catalog& catalog, placement::Seconds at, bool wants_all, Streams& io) const;

  std::vector<std::string> scenarios_;
  ScenarioOptions cluster_;
  std::vector<std::string> tasks_;
  study::VariationRequest variations_;
  std::optional<std::int64_t> runs_;
  std::optional<std::string> at_;
  bool no_lint_ = false;
};

namespace {

constexpr std::array<Format<report::WhatIfReport>, 5> kWhatIfFormats{
    {{"text", report::whatif_document, report::Medium::kText},
     {"json", report::write_whatif_json},
     {"html", report::whatif_document, report::Medium::kPage},
     {"markdown", report::whatif_document, report::Medium::kComment},
     {"csv", report::write_whatif_csv}}};

/// Whether --at is there exactly when something happens at an instant of a run. Nothing where it is.
std::optional<Error> check_instant(const placement::Scenario& scenario,
                                   const std::vector<study::LoadedVariant>& variants,
                                   const std::optional<placement::Seconds>& at) {
  const auto happens = std::find_if(variants.begin(), variants.end(), study::happens_at_an_instant);
  if (!scenario.timetable.has_time) {
    if (!at) return std::nullopt;
    return Error{.message = "--at requires a scenario that runs over time; here events apply to the current cluster",
                 .help = "Remove --at."};
  }
  if (happens == variants.end()) {
    if (!at) return std::nullopt;
    return Error{.message = "--at has no effect: no variant has an event",
                 .help = "--lose-az, --drain, --terminate and --deploy are events; the rest applies from the start."};
  }
  if (at) return std::nullopt;
  const auto& origin = happens->variant.origin;
  const auto name = happens->variant.name.empty() ? std::string("a single failure") : happens->variant.name;
  return Error{.message = name + ": --at is required, because the scenario runs over time",
               .file = origin.file,
               .line = origin.line,
               .column = origin.column,
               .help = "Add --at DURATION, for example --at 1h30m."};
}

}  // namespace

using placement::Scenario;

std::vector<std::string_view> WhatIfCommand::formats() const {
  return list_names(kWhatIfFormats);
}

void WhatIfCommand::describe(OptionSet& options) {
  options.positional("SCENARIO", scenarios_,
                     "Cluster, services and tasks, YAML or JSON, or a template or plan; - reads standard input", false);
  options.group("Tasks and cluster");
  cluster_.describe_cluster(options);
  options.repeated(
      "--task", tasks_, "TASKDEF=COUNT",
      "Run COUNT tasks of a file (FILE#NAME: a definition of a template or plan), or of a definition of the "
      "scenario; =max: as many more as fit");
  options.group("Changes to compare");
  options.repeated("--lose-az", variations_.lose_az, "ZONE", "Remove every instance of the zone");
  options.repeated("--terminate", variations_.terminate, "ID",
                   "Terminate the instances; a glob names several, TYPE@AZ a pool");
  options.repeated("--drain", variations_.drain, "ID", "Drain the instances; a glob names several");
  options.repeated("--remove", variations_.remove, "TYPE=N", "Remove N instances, the emptiest first");
  options.repeated("--add", variations_.add, "TYPE=N@AZ,AZ", "Add N instances, spread over the zones");
  options.repeated("--scale", variations_.scale, "NAME=N",
                   "Set the desiredCount of a service, or the tasks of a family");
  options.repeated("--set-desired-capacity", variations_.desired_capacity, "PROVIDER=N",
                   "Set the desired capacity of a capacity provider's Auto Scaling group, in a run over time");
  options.repeated("--replace", variations_.replace, "OLD=NEW", "Replace every instance of a type with another type");
  options.repeated(
      "--deploy", variations_.deploy, "SERVICE=TASKDEF",
      "Deploy a file (or FILE#NAME) or definition once the rest has settled; reports its waves and whether it "
      "finishes");
  options.repeated("--strategy", variations_.strategy, "STRATEGY",
                   "Place all tasks but daemons by binpack:memory, spread:instanceId ...; repeat for a chain");
  options.repeated("--placement-strategy", variations_.placement_strategy, "type=...,field=...",
                   "The same in AWS CLI syntax");
  options.repeated("--variant", variations_.variants, "NAME",
                   "A variant of the scenario; default without any change: all of them");
  options.flag("--each-az", variations_.each_az, "Lose each zone, one at a time; worst first");
  options.flag("--each-instance", variations_.each_instance, "Lose each instance, one at a time");
  options.group("Simulation");
  options.option("--at", at_, "DURATION", "Time of the events in a scenario that runs over time: 30m, 1h30m");
  options.option("--runs", runs_, "N", "Place N times, each with other tie-breaks; report the median and the worst");
  cluster_.describe_conditions(options);
  options.group("Tasks and cluster");
  options.flag("--no-lint", no_lint_, "Simulate even what ECS would reject");
  options.examples(
      "  bayplan whatif examples/lose-a-zone/scenario.yaml --lose-az us-east-2a\n"
      "  bayplan whatif --cluster examples/lose-a-zone/live/cluster \\\n"
      "    --each-az --each-instance\n"
      "  bayplan whatif examples/will-it-deploy/scenario.yaml \\\n"
      "    --deploy api=examples/will-it-deploy/api-v2.json\n"
      "  bayplan whatif examples/gpu-cluster/scenario.yaml \\\n"
      "    --replace p3.2xlarge=p3.16xlarge\n"
      "  bayplan whatif examples/spread-or-binpack/scenario.yaml   # its variants\n"
      "  bayplan whatif examples/spread-or-binpack/scenario.yaml \\\n"
      "    --task large=max --runs 200 \\\n"
      "    --output markdown=report.md");
}

Result<scenario::ScenarioRequest> WhatIfCommand::request(const Streams& io, const catalog::Catalog& catalog) const {
  if (scenarios_.size() > 1)
    return Error{.message = "whatif takes one scenario, not " + std::to_string(scenarios_.size()) + ": " +
                            join(scenarios_, ", "),
                 .help = "Task definitions are given by --task FILE=COUNT."};
  if (scenarios_.empty() && !cluster_.has_cluster()) {
    return Error{.message = "no scenario or cluster to compare with",
                 .help = "Name a scenario file, or write: bayplan whatif --cluster PATH --each-az"};
  }
  if (auto error = check_runs(runs_)) return std::move(*error);
  auto request = cluster_.request(catalog);
  if (!request) return request.error();
  request->command = name();
  if (!scenarios_.empty()) request->scenario = scenarios_.front();
  request->tasks = tasks_;
  request->takes_services = true;
  request->takes_policy = true;
  request->deployed = study::definition_files(variations_, io.files);
  return request;
}

study::Comparison WhatIfCommand::compare(const Scenario& scenario, std::vector<study::LoadedVariant> variants,
                                         const catalog::Catalog& catalog, placement::Seconds at, bool wants_all,
                                         Streams& io) const {
  const bool is_over_time = scenario.timetable.has_time;
  const auto* doing = is_over_time ? "simulating runs over time" : runs_ ? "simulating runs" : "simulating variants";
  ProgressLine progress(io);
  const study::VariantLoader loader(scenario, catalog);
  study::ComparisonRequest request{std::move(variants), runs_, &loader, wants_all, at};
  request.on_progress = [&](std::int64_t done, std::int64_t all) { progress.show_share(doing, done, all); };
  auto comparison = study::compare(scenario, request);
  progress.clear();
  return comparison;
}

int WhatIfCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  if (const auto misplaced = misplaced_argument(name(), scenarios_, tasks_, io.files)) return fail(io, *misplaced);

  Stats stats(global.stats, io);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  const auto asked = request(io, catalog);
  if (!asked) return fail(io, asked.error());
  const auto at = parse_duration_flag("--at", at_);
  if (!at) return fail(io, at.error());

  stats.phase("read");
  const auto loaded = study::load_settled(*asked, io.files, catalog, input_limits(global));
  if (!loaded.scenario) return fail_all(io, loaded.errors);
  const Scenario& scenario = *loaded.scenario;
  const auto variants = study::load_variants(variations_, scenario, catalog);
  if (!variants.errors.empty()) return fail_all(io, variants.errors);
  if (!scenario.not_simulated.empty()) return fail_all(io, scenario.not_simulated);
  if (const auto error = check_instant(scenario, variants.variants, *at)) return fail(io, *error);

  stats.phase("lint");
  if (!no_lint_ && !accept_scenario(scenario, asked->parameters, global, io)) return kUnusable;
  if (runs_ && scenario.timetable.has_time) return fail_all(io, placement::refuse_over_time(scenario, "whatif --runs"));

  stats.phase(scenario.timetable.has_time ? "simulate" : "place");
  const bool wants_all = global.verbose || has_format(*outputs, {"json", "csv", "html", "markdown"});
  const auto comparison = compare(scenario, variants.variants, catalog, at->value_or(0), wants_all, io);
  stats.size(count_of(static_cast<std::int64_t>(comparison.variants.size()), "variant"));
  if (!comparison.errors.empty()) return fail_all(io, comparison.errors);
  if (!comparison.mistakes.empty()) return internal_error(io, comparison.mistakes);
  if (!comparison.withdrawn.empty() && comparison.variants.empty()) return internal_error(io, comparison.withdrawn);

  stats.phase("report");
  const auto played = has_format(*outputs, {"html"}) ? study::play_first_variant(scenario, comparison) : std::nullopt;
  const report::WhatIfReport report{scenario, comparison, played ? &*played : nullptr};
  const int written = write_report(*outputs, kWhatIfFormats, report, global, io);
  stats.print();
  if (written != kClean) return written;
  if (!comparison.withdrawn.empty()) return internal_error(io, comparison.withdrawn, Reported::kWhatHolds);
  return comparison.any_is_worse() ? kFindings : kClean;
}

std::unique_ptr<Command> whatif_command() {
  return std::make_unique<WhatIfCommand>();
}

}  // namespace bayplan::cli

#include "cli/whatif_command.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "cli/lint_gate.hpp"
#include "cli/outputs.hpp"
#include "cli/stats.hpp"
#include "placement/over_time.hpp"
#include "report/whatif_json.hpp"
#include "report/whatif_markdown.hpp"
#include "report/whatif_text.hpp"
#include "study/comparison.hpp"

namespace bayplan::cli {

using placement::Scenario;

namespace {

constexpr std::int64_t kMostRuns = 100'000;

/// What is not held against each other here.
std::vector<Error> not_compared(const Scenario& scenario, const std::vector<study::LoadedVariant>& variants) {
  if (!scenario.not_simulated.empty()) return scenario.not_simulated;
  if (scenario.timetable.has_time) return placement::refuse_over_time(scenario, "whatif");
  std::vector<Error> errors;
  for (const auto& loaded : variants) {
    if (loaded.variant.deployments.empty()) continue;
    const auto& origin = loaded.variant.origin;
    errors.push_back(
        {.message = "variant " + loaded.variant.name + " deploys: this release does not hold that against others",
         .file = origin.file,
         .line = origin.line,
         .column = origin.column});
  }
  return errors;
}

}  // namespace

void WhatIfCommand::describe(OptionSet& options) {
  options.positional("SCENARIO", scenarios_, "Cluster, services and tasks, YAML or JSON", false);
  cluster_.describe_cluster(options);
  options.repeated("--task", tasks_, "TASKDEF=COUNT",
                   "Run so many tasks of a file, or of a definition of the scenario; =max: tells how many more fit");
  options.repeated("--lose-az", variations_.lose_az, "ZONE", "Every instance of the zone is gone");
  options.repeated("--terminate", variations_.terminate, "ID", "The instances are gone; a glob names several");
  options.repeated("--drain", variations_.drain, "ID", "The instances are DRAINING; a glob names several");
  options.repeated("--remove", variations_.remove, "TYPE=N", "So many instances are given back, the emptiest first");
  options.repeated("--add", variations_.add, "TYPE=N@AZ,AZ", "So many more instances, dealt to the zones in turn");
  options.repeated("--scale", variations_.scale, "NAME=N", "desiredCount of a service, or tasks of a family");
  options.repeated("--replace", variations_.replace, "OLD=NEW", "Each instance of one type is one of another");
  options.repeated("--strategy", variations_.strategy, "STRATEGY",
                   "Everything but daemons is placed by binpack:memory, spread:instanceId ...; repeat it for a chain");
  options.repeated("--placement-strategy", variations_.placement_strategy, "type=...,field=...",
                   "The same as the AWS CLI takes it");
  options.repeated("--variant", variations_.variants, "NAME",
                   "One of the scenario's variants; without any variation all of them are told");
  options.flag("--each-az", variations_.each_az, "Lose every zone, one at a time; the worst are told first");
  options.flag("--each-instance", variations_.each_instance, "Lose every instance, one at a time");
  options.option("--runs", runs_, "N", "Place N times with every tie drawn anew; tells the median and the worst");
  cluster_.describe_conditions(options);
  options.flag("--no-lint", no_lint_, "Simulate even definitions that ECS would refuse");
  options.examples(
      "  bayplan whatif --cluster ecs-prod --each-az --each-instance    (bayplan collect fills the folder)\n"
      "  bayplan whatif --cluster ecs-prod --drain i-0f3 --add g4dn.12xlarge=1@us-east-2b\n"
      "  bayplan whatif scenario.yaml --replace p3.2xlarge=p3.16xlarge\n"
      "  bayplan whatif scenario.yaml                                   (its variants side by side)\n"
      "  bayplan whatif scenario.yaml --task train-4-gpu=max --runs 1000 --output markdown=report.md");
}

Result<placement::ScenarioRequest> WhatIfCommand::request(const Streams& io, const catalog::Catalog& catalog) const {
  if (scenarios_.size() > 1)
    return Error{.message = "whatif takes one scenario, not " + std::to_string(scenarios_.size())};
  if (scenarios_.empty() && !cluster_.has_cluster()) {
    return Error{.message = "nothing to hold variants against",
                 .help = "Name a scenario, or give --cluster PATH, or --instances TYPE=N@AZ and --task TASKDEF=COUNT."};
  }
  if (runs_ && (*runs_ < 1 || *runs_ > kMostRuns)) return Error{.message = "--runs wants a number from 1 to 100000"};
  auto request = cluster_.request(catalog);
  if (!request) return request.error();
  if (!scenarios_.empty()) request->scenario = scenarios_.front();
  request->tasks = tasks_;
  request->takes_services = true;
  request->definitions = study::definition_files(variations_, io.files);
  return request;
}

int WhatIfCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, {"text", "json", "markdown"});
  if (!outputs) return fail(io, outputs.error());

  Stats stats(global.stats);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  const auto asked = request(io, catalog);
  if (!asked) return fail(io, asked.error());
  stats.phase("read");
  const auto loaded = placement::load_scenario(*asked, io.files, catalog, input_limits(global));
  if (!loaded.scenario) return fail_all(io, loaded.errors);
  const Scenario& scenario = *loaded.scenario;
  const auto variants = study::load_variants(variations_, scenario, catalog);
  if (!variants.errors.empty()) return fail_all(io, variants.errors);
  if (const auto errors = not_compared(scenario, variants.variants); !errors.empty()) return fail_all(io, errors);
  stats.phase("lint");
  if (!no_lint_ && !accept_definitions(scenario, global, io)) return kUnusable;

  stats.phase("place");
  const study::VariantLoader loader(scenario, catalog);
  const bool wants_all = global.verbose || std::any_of(outputs->begin(), outputs->end(),
                                                       [](const Output& output) { return output.format == "json"; });
  study::ComparisonRequest comparing{{}, runs_, &loader, wants_all};
  for (const auto& variant : variants.variants) {
    auto all = study::asked_variants(scenario, variant);
    std::move(all.begin(), all.end(), std::back_inserter(comparing.variants));
  }
  const auto comparison = study::compare(scenario, comparing);
  stats.size(count_of(static_cast<std::int64_t>(comparison.variants.size()), "variant"));
  if (!comparison.mistakes.empty()) return internal_error(io, comparison.mistakes);
  stats.phase("report");
  const int written = write_outputs(*outputs, io, [&](std::string_view format, std::ostream& out, bool is_standard) {
    if (format == "json") return report::write_whatif_json(out, scenario, comparison);
    if (format == "markdown") return report::write_whatif_markdown(out, comparison);
    const bool colored = is_standard && report::wants_color(global.color, io.out_is_terminal, io.environment);
    report::write_whatif_text(
        out, scenario, comparison,
        {report::Style(colored), report::glyphs_for(io.environment), global.quiet, global.verbose});
  });
  stats.print(io.err);
  if (written != kClean) return written;
  return comparison.any_leaves_more() ? kFindings : kClean;
}

}  // namespace bayplan::cli

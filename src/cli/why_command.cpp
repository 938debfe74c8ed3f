#include "cli/why_command.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "cli/lint_gate.hpp"
#include "cli/outputs.hpp"
#include "cli/stats.hpp"
#include "placement/engine.hpp"
#include "placement/verify.hpp"
#include "report/why_json.hpp"
#include "report/why_text.hpp"
#include "study/why.hpp"

namespace bayplan::cli {

using placement::Scenario;
using placement::Workload;

namespace {

int fail_all(Streams& io, const std::vector<Error>& errors) {
  for (const auto& error : errors) fail(io, error);
  return kUnusable;
}

int internal_error(Streams& io, const std::vector<std::string>& mistakes) {
  io.err << "bayplan: internal error: the explanation does not stand up to its own check\n";
  for (const auto& mistake : mistakes) io.err << "  " << mistake << '\n';
  io.err << "  Please report it with the command line and the input.\n";
  return kInternalError;
}

/// Whether the scenario places tasks that `asked` means: a service's name, a family, a revision, or a file.
bool is_meant(const Scenario& scenario, const Workload& workload, std::string_view asked) {
  const auto& definition = scenario.task_definitions[workload.task_definition];
  return workload.name == asked || definition.family == asked || definition.name == asked ||
         definition.origin.file == asked;
}

struct Loaded {
  placement::LoadedScenario scenario;
  std::vector<std::uint32_t> meant;  ///< Workloads that the question is about.
};

}  // namespace

void WhyCommand::describe(OptionSet& options) {
  options.positional("TASKDEF", arguments_,
                     "The task: a file, or a definition or service of the scenario or cluster; then a SCENARIO", true);
  scenario_.describe_cluster(options);
  options.option("--count", count_, "N", "Tasks to run; the first that has no place is explained (default: 1)");
  scenario_.describe_placement(options);
  options.flag("--no-lint", no_lint_, "Simulate even definitions that ECS would refuse");
  options.examples(
      "  bayplan why train.json --cluster ecs-prod    (bayplan collect fills the folder)\n"
      "  bayplan why train scenario.yaml              (the scenario's own tasks, as it places them)\n"
      "  bayplan why t8.json --instances p3.16xlarge=2@us-east-2a --count 3 --strategy binpack:memory");
}

/// What is given beside the scenario makes it a task of its own, after those of the scenario.
bool WhyCommand::asks_for_another_task() const {
  return arguments_.size() < 2 || count_ || scenario_.has_placement();
}

Result<placement::ScenarioRequest> WhyCommand::request(const catalog::Catalog& catalog) const {
  if (arguments_.size() > 2)
    return Error{.message = "why takes one task and one scenario, not " + std::to_string(arguments_.size()) + " paths"};
  if (arguments_.size() < 2 && !scenario_.has_cluster()) {
    return Error{.message = "no cluster to place on",
                 .help = "Name a scenario after the task, or give --cluster PATH or --instances TYPE=N@AZ."};
  }
  if (count_ && *count_ < 1) return Error{.message = "--count wants a number from 1 up"};
  auto request = scenario_.request(catalog);
  if (request && arguments_.size() == 2) request->scenario = arguments_[1];
  return request;
}

namespace {

/// The scenario's own tasks where the question is about them, else one with the task added.
Loaded load(placement::ScenarioRequest request, const std::string& asked, bool may_be_own, std::int64_t count,
            Streams& io, catalog::Catalog& catalog, const Limits& limits) {
  Loaded loaded;
  if (may_be_own) {
    loaded.scenario = placement::load_scenario(request, io.files, catalog, limits);
    if (const auto& scenario = loaded.scenario.scenario) {
      for (std::uint32_t i = 0; i < scenario->workloads.size(); ++i) {
        if (is_meant(*scenario, scenario->workloads[i], asked)) loaded.meant.push_back(i);
      }
    }
    if (!loaded.meant.empty()) return loaded;
  }
  request.tasks = {asked + "=" + std::to_string(count)};
  loaded.scenario = placement::load_scenario(request, io.files, catalog, limits);
  if (const auto& scenario = loaded.scenario.scenario)
    loaded.meant = {static_cast<std::uint32_t>(scenario->workloads.size() - 1)};
  return loaded;
}

/// Of the workloads meant the first that has a failure, else the first that has a task.
std::optional<placement::Turn> turn_of(const placement::Outcome& outcome, const std::vector<std::uint32_t>& meant) {
  std::optional<placement::Turn> found;
  for (const auto workload : meant) {
    const auto turn = study::turn_to_explain(outcome, workload);
    if (!turn) continue;
    const bool has_failed = std::any_of(outcome.failures.begin(), outcome.failures.end(),
                                        [&](const auto& failure) { return failure.turn == *turn; });
    if (has_failed) return turn;
    if (!found) found = turn;
  }
  return found;
}

}  // namespace

int WhyCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, {"text", "json"});
  if (!outputs) return fail(io, outputs.error());

  Stats stats(global.stats);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  const auto asked = request(catalog);
  if (!asked) return fail(io, asked.error());
  stats.phase("read");
  const auto loaded =
      load(*asked, arguments_.front(), !asks_for_another_task(), count_.value_or(1), io, catalog, input_limits(global));
  if (!loaded.scenario.scenario) return fail_all(io, loaded.scenario.errors);
  const Scenario& scenario = *loaded.scenario.scenario;
  if (!scenario.not_simulated.empty()) return fail_all(io, scenario.not_simulated);
  if (!no_lint_ && !accept_definitions(scenario, global, io)) return kUnusable;

  stats.phase("place");
  const auto outcome = placement::place(scenario);
  if (const auto mistakes = placement::verify(scenario, outcome); !mistakes.empty())
    return internal_error(io, mistakes);
  const auto turn = turn_of(outcome, loaded.meant);
  if (!turn) {
    return fail(io, {.message = "the scenario places no task of " + arguments_.front(),
                     .help = "--count N asks for tasks beside those of the scenario"});
  }
  const auto& workload = scenario.workloads[turn->workload];
  if (workload.kind == placement::WorkloadKind::kDaemon) {
    return fail(io, {.message = workload.name + " is a DAEMON service: each instance is asked by itself",
                     .help = "bayplan place says on which it fails, and why"});
  }
  stats.phase("why");
  const auto why = study::ask_why(scenario, outcome, *turn, &catalog);
  stats.size(count_of(why.remedies.tried, "change") + " tried");
  if (!why.mistakes.empty()) return internal_error(io, why.mistakes);
  stats.phase("report");
  const int written = write_outputs(*outputs, io, [&](std::string_view format, std::ostream& out, bool is_standard) {
    if (format == "json") return report::write_why_json(out, why);
    const bool colored = is_standard && report::wants_color(global.color, io.out_is_terminal, io.environment);
    report::write_why_text(out, why, {report::Style(colored), global.quiet, global.verbose});
  });
  stats.print(io.err);
  if (written != kClean) return written;
  return why.instance ? kClean : kFindings;
}

}  // namespace bayplan::cli

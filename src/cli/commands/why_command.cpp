#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "base/file_part.hpp"
#include "base/limits.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lint_gate.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/scenario_options.hpp"
#include "importers/definition_file.hpp"
#include "importers/terraform_code.hpp"
#include "placement/engine/engine.hpp"
#include "placement/engine/not_placeable.hpp"
#include "placement/verify/verify.hpp"
#include "report/why/why_report.hpp"
#include "scenario/load_scenario.hpp"
#include "study/in_flight.hpp"
#include "study/why/why.hpp"
#include "study/why/why_question.hpp"
#include "text/read.hpp"

namespace bayplan::cli {

/// bayplan why TASKDEF [SCENARIO], or TASKDEF or --service with --cluster or --instances
class WhyCommand : public Command {
 public:
  std::string_view name() const override { return "why"; }
  std::string_view summary() const override {
    return "Explain why a task is placed where it is, or why it is not placed";
  }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<study::QuestionRequest> request(const catalog::Catalog& catalog) const;

  std::vector<std::string> arguments_;
  ScenarioOptions scenario_;
  std::optional<std::string> service_;
  std::optional<std::int64_t> count_;
  bool no_lint_ = false;
};

using placement::Scenario;

void WhyCommand::describe(OptionSet& options) {
  options.positional(
      "TASKDEF", arguments_,
      "The task: a file (FILE#NAME: a definition of a template or plan), or a definition or service of the "
      "scenario or cluster; then a SCENARIO",
      false);
  options.group("Tasks and cluster");
  scenario_.describe_cluster(options);
  options.option("--service", service_, "NAME",
                 "As a task of this service, with its strategies and constraints; default TASKDEF: what it runs");
  options.option("--count", count_, "N", "Tasks to run; the first that cannot be placed is explained (default: 1)");
  options.group("Placement");
  scenario_.describe_placement(options);
  options.group("Tasks and cluster");
  options.flag("--no-lint", no_lint_, "Simulate even what ECS would reject");
  options.examples(
      "  bayplan why big examples/why-not/scenario.yaml   # a task of the scenario\n"
      "  bayplan why examples/two-p3-16xlarge/defs/train-8-gpu.json \\\n"
      "    --instances p3.16xlarge=2@us-east-2a --count 3 --strategy binpack:memory\n"
      "  bayplan why examples/lose-a-zone/infer.json \\\n"
      "    --cluster examples/lose-a-zone/live/cluster\n"
      "  bayplan why --service infer --cluster examples/lose-a-zone/live/cluster\n"
      "                                        # one more task of a running service");
}

Result<study::QuestionRequest> WhyCommand::request(const catalog::Catalog& catalog) const {
  if (arguments_.size() > 2)
    return Error{.message = "why takes one task and one scenario, not " + std::to_string(arguments_.size()) + " paths",
                 .help = "Write: bayplan why TASKDEF SCENARIO"};
  if (arguments_.empty() && !service_)
    return Error{.message = "no task to explain",
                 .help = "Name a task definition first: bayplan why web.json scenario.yaml"};
  const bool names_scenario_only = service_ && arguments_.size() == 1 && !scenario_.has_cluster();
  if (arguments_.size() < 2 && !scenario_.has_cluster() && !names_scenario_only) {
    return Error{.message = "no cluster to place on",
                 .help = "Name a scenario after the task, or add --cluster PATH or --instances TYPE=N."};
  }
  if (count_ && *count_ < 1)
    return Error{.message = "--count must be a positive number, not " + std::to_string(*count_)};
  auto cluster = scenario_.request(catalog);
  if (!cluster) return cluster.error();
  if (arguments_.size() == 2 || names_scenario_only) cluster->scenario = arguments_.back();
  const bool has_task = !arguments_.empty() && !names_scenario_only;
  return study::QuestionRequest{std::move(*cluster), has_task ? arguments_.front() : std::string(), service_, count_};
}

namespace {

/// "web.json", "stack.yaml", "plan.json#aws_ecs_task_definition.web"
bool is_definition_file(const std::string& reference, const Files& files) {
  const auto path = parse_file_part(reference, files).file;
  if (importers::is_terraform_module(files, path)) return true;
  const auto content =
      files.is_folder(path) ? Result<std::string>(Error{}) : files.read(path, Limits().definition_bytes);
  if (!content) return false;
  const auto document = text::read_document(*content, {});
  const auto root = document->root();
  if (importers::definition_form(root) != importers::DefinitionForm::kPlain) return true;
  return root && root.is_object() && root.find("containerDefinitions") && !root.find("cluster");
}

/// Whether a file that is no definition precedes one that is: SCENARIO TASKDEF.
bool are_swapped(const std::vector<std::string>& arguments, const Files& files) {
  return arguments.size() == 2 && files.exists(arguments[0]) && !is_definition_file(arguments[0], files) &&
         is_definition_file(arguments[1], files);
}

/// SCENARIO alone, or before the name of a task: `bayplan why scenario.yaml big`.
bool is_scenario_first(const std::vector<std::string>& arguments, const Files& files) {
  return !arguments.empty() && files.exists(arguments[0]) && !files.is_folder(arguments[0]) &&
         !is_definition_file(arguments[0], files) && (arguments.size() == 1 || !files.exists(arguments[1]));
}

/// The task is missing: names those of the scenario.
Error no_task_of(const std::string& path, catalog::Catalog& catalog, const Files& files, const Limits& limits) {
  scenario::ScenarioRequest request;
  request.scenario = path;
  const auto loaded = study::load_settled(request, files, catalog, limits);
  if (!loaded.scenario) return loaded.errors.front();  // as every command would say
  constexpr std::size_t kListed = 8;
  std::vector<std::string_view> names;
  for (const auto& workload : loaded.scenario->workloads) {
    if (std::find(names.begin(), names.end(), workload.name) == names.end()) names.emplace_back(workload.name);
  }
  if (names.empty()) return {.message = "no task to explain", .file = path, .help = "the scenario has no tasks"};
  const auto example = fmt::format("bayplan why {} {}", shell_word(names.front()), shell_word(path));
  const bool has_more = names.size() > kListed;
  if (has_more) names.resize(kListed);
  return {.message = "no task to explain",
          .file = path,
          .help = fmt::format("its {} {}{}; write: {}", names.size() == 1 ? "task is" : "tasks are",
                              one_of(names, "and"), has_more ? ", among others" : "", example)};
}

/// Chooses the first matching workload with a failure, else the first with a task; daemons come last.
std::optional<placement::PlacementAttempt> make_attempt(const Scenario& scenario, const placement::Outcome& outcome,
                                                        const std::vector<std::uint32_t>& meant) {
  std::optional<placement::PlacementAttempt> found, daemon;
  for (const auto workload : meant) {
    const auto attempt = study::attempt_to_explain(outcome, workload);
    if (!attempt) continue;
    if (scenario.workloads[workload].kind == placement::WorkloadKind::kDaemon) {
      daemon = attempt;
      continue;
    }
    const bool has_failed = std::any_of(outcome.failures.begin(), outcome.failures.end(),
                                        [&](const auto& failure) { return failure.attempt == *attempt; });
    if (has_failed) return attempt;
    if (!found) found = attempt;
  }
  return found ? found : daemon;
}

constexpr std::array<Format<study::Why>, 5> kWhyFormats{{{"text", report::why_document, report::Medium::kText},
                                                         {"json", report::write_why_json},
                                                         {"html", report::why_document, report::Medium::kPage},
                                                         {"markdown", report::why_document, report::Medium::kComment},
                                                         {"csv", report::write_why_csv}}};

}  // namespace

std::vector<std::string_view> WhyCommand::formats() const {
  return list_names(kWhyFormats);
}

int WhyCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());

  Stats stats(global.stats, io);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  const bool is_only_scenario = arguments_.size() == 1 && !service_ && !scenario_.has_cluster();
  if (is_only_scenario && is_scenario_first(arguments_, io.files))
    return fail(io, no_task_of(arguments_.front(), catalog, io.files, input_limits(global)));
  const auto asked = request(catalog);
  if (!asked) return fail(io, asked.error());
  stats.phase("read");
  const auto question = study::load_question(*asked, io.files, catalog, input_limits(global));
  if (!question.loaded.scenario) {
    if (are_swapped(arguments_, io.files))
      return fail(io, {.message = arguments_[1] + " is a task definition, not a scenario",
                       .help = "Swap the arguments: bayplan why " + arguments_[1] + " " + arguments_[0]});
    if (arguments_.size() == 2 && is_scenario_first(arguments_, io.files))
      return fail(io, {.message = "the task must precede the scenario",
                       .help = "Swap the arguments: bayplan why " + shell_word(arguments_[1]) + " " +
                               shell_word(arguments_[0])});
    return fail_all(io, question.loaded.errors);
  }
  const Scenario& scenario = *question.loaded.scenario;
  if (!scenario.not_simulated.empty()) return fail_all(io, scenario.not_simulated);
  if (scenario.timetable.has_time) return fail_all(io, placement::refuse_over_time(scenario, "why"));
  if (!no_lint_ && !accept_scenario(scenario, asked->cluster.parameters, global, io)) return kUnusable;

  stats.phase("place");
  const auto outcome = placement::place(scenario);
  if (const auto mistakes = placement::verify(scenario, outcome); !mistakes.empty())
    return internal_error(io, mistakes);
  const auto attempt = make_attempt(scenario, outcome, question.workloads);
  if (!attempt) {
    return fail(io, {.message = "the scenario has no task of " + asked->task,
                     .file = asked->cluster.scenario,
                     .help = "--count N places tasks in addition to those of the scenario."});
  }
  const auto& workload = scenario.workloads[attempt->workload];
  if (workload.kind == placement::WorkloadKind::kDaemon) {
    return fail(io, {.message = workload.name + " is a DAEMON service, which has a task on every instance",
                     .help = "'bayplan place' shows on which instances it fails, and why."});
  }
  stats.phase("why");
  const auto why = study::ask_why(scenario, outcome, *attempt, &catalog);
  stats.size(count_of(why.remedies.tried, "change") + " tried");
  if (!why.mistakes.empty()) return internal_error(io, why.mistakes);
  stats.phase("report");
  const int written = write_report(*outputs, kWhyFormats, why, global, io);
  stats.print();
  if (written != kClean) return written;
  if (!why.withdrawn.empty()) return internal_error(io, why.withdrawn, Reported::kWhatHolds);
  return why.instance ? kClean : kFindings;
}

std::unique_ptr<Command> why_command() {
  return std::make_unique<WhyCommand>();
}

}  // namespace bayplan::cli

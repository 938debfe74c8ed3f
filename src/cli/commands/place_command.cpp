#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/compute_aside.hpp"
#include "base/limits.hpp"
#include "base/strings.hpp"
#include "base/utf8.hpp"
#include "cli/application.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lint_gate.hpp"
#include "cli/io/guarded_files.hpp"
#include "cli/io/load.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/progress_line.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/options.hpp"
#include "cli/options/scenario_options.hpp"
#include "cli/options/view_options.hpp"
#include "placement/engine/engine.hpp"
#include "placement/engine/not_placeable.hpp"
#include "placement/engine/tie_runs.hpp"
#include "placement/model/scenario.hpp"
#include "placement/verify/verify.hpp"
#include "report/document/figures.hpp"
#include "report/place/cluster_view.hpp"
#include "report/place/place_report.hpp"
#include "report/timeline/earlier_report.hpp"
#include "report/timeline/timeline_report.hpp"
#include "scenario/scenario_text.hpp"
#include "study/in_flight.hpp"
#include "study/memory_uncertainty.hpp"
#include "study/whatif/rollout.hpp"
#include "study/why/remedies.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify_history.hpp"

namespace bayplan::cli {

/// bayplan place SCENARIO, or --cluster/--instances and --task
class PlaceCommand : public Command {
 public:
  std::string_view name() const override { return "place"; }
  std::string_view summary() const override { return "Simulate where ECS would place tasks on a described cluster"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<scenario::ScenarioRequest> request(const catalog::Catalog& catalog) const;

  std::vector<std::string> scenarios_;
  ScenarioOptions cluster_;
  std::vector<std::string> tasks_;
  std::optional<std::int64_t> runs_;
  std::string ties_ = "all";
  std::optional<std::string> policy_;
  std::optional<std::string> until_;
  std::optional<std::string> continue_from_;
  std::optional<std::string> write_scenario_;
  bool no_lint_ = false;
  bool no_placements_ = false;
  ViewOptions view_;
};

namespace {

struct OverTimeOptions {
  std::optional<std::string> continue_from;  ///< Report of the run that this one goes on from.
  bool placements = true;
  report::ClusterView view;  ///< View of the text report.
};

using report::EarlierReport;

/// A report may be as large as a snapshot.
Result<EarlierReport> read_report(const std::string& file, const placement::Scenario& scenario, GlobalOptions global,
                                  Streams& io) {
  if (global.max_input == 0) global.max_input = static_cast<std::int64_t>(Limits().snapshot_bytes);
  const auto document = load_document(file, global, io);
  if (!document) return document.error();
  auto earlier = report::read_earlier_report(*document, file);
  if (!earlier) return earlier.error();
  const auto& until = scenario.timetable.until;
  if (until && *until < earlier->end) {
    return Error{.message = "the report already covers " + report::duration(earlier->end) + ", --until only " +
                            report::duration(*until),
                 .file = file};
  }
  return earlier;
}

struct Simulated {
  const report::TimelineReport& report;
  const OverTimeOptions& options;
};

/// Formats of `place` for a run over time.
constexpr std::array<Format<Simulated>, 6> kTimelineFormats{
    {{"text", [](const Simulated& run) { return report::timeline_document(run.report, run.options.view); },
      report::Medium::kText},
     {"json", [](std::ostream& out,
                 const Simulated& run) { report::write_timeline_json(out, run.report, {run.options.placements}); }},
     {"html", [](const Simulated& run) { return report::timeline_document(run.report); }, report::Medium::kPage},
     {"markdown", [](const Simulated& run) { return report::timeline_document(run.report); }, report::Medium::kComment},
     {"csv",
      [](std::ostream& out, const Simulated& run) { report::write_timeline_csv(out, run.report.figures().series); }},
     {"svg", [](std::ostream& out, const Simulated& run) { report::write_timeline_svg(out, run.report); }}}};

/// Lets a scenario with time in it run and writes the reports. Exit code 1 when a task has no place at the end or a
/// deployment did not finish.
int place_over_time(const placement::Scenario& scenario, const std::vector<Output>& outputs,
                    const OverTimeOptions& options, const GlobalOptions& global, Streams& io, Stats& stats) {
  std::optional<EarlierReport> earlier;
  if (options.continue_from) {
    stats.phase("read report");
    auto read = read_report(*options.continue_from, scenario, global, io);
    if (!read) return fail(io, read.error());
    earlier = std::move(*read);
    may_be_replaced(io, *options.continue_from);  // the run that goes on may well be written over what it goes on from
  }
  stats.phase("simulate");
  const auto history = timeline::simulate(scenario);
  stats.size(count_of(static_cast<std::int64_t>(history.events.size()), "event"));
  if (!history.errors.empty()) return fail_all(io, history.errors);
  auto verification = compute_aside([&] { return timeline::verify(scenario, history); });
  std::optional<report::ContinuedFrom> continued;
  if (earlier) continued = {earlier->file, earlier->end, earlier->events.size()};
  stats.phase("study");
  auto held = study::find_blocked_deployments(scenario, history);
  const report::TimelineReport report(scenario, history, continued, std::move(held));
  stats.phase("verify");  // what is left of it
  if (const auto mistakes = verification.get(); !mistakes.empty()) return internal_error(io, mistakes);
  if (earlier) {
    if (const auto difference = report::first_difference(*earlier, scenario, history)) return fail(io, *difference);
  }
  stats.phase("report");
  const int written = write_report(outputs, kTimelineFormats, Simulated{report, options}, global, io);
  stats.print();
  if (written != kClean) return written;
  return report.has_failures() ? kFindings : kClean;
}

}  // namespace

using placement::Scenario;

namespace {

Error ties_and_runs() {
  return {.message = "--ties first and --runs cannot be combined",
          .help = "--runs 200 reports in how many tie orders everything is placed; --ties first tries only one."};
}

Error policy_and_strategy() {
  return {.message = "--policy and --strategy cannot be combined: a policy takes the place of the strategies",
          .help = "Remove one of them; a grid of bayplan sweep compares both."};
}

Error not_over_time() {
  return {.message = "--continue-from requires a run over time; this scenario places everything at time 0",
          .help = "Give tasks a duration, or add --until 2h."};
}

/// A file that exists is an error, because its user may have edited it.
std::optional<Error> not_new_scenario(const std::string& file, const Files& files) {
  if (!file.ends_with(".yaml") && !file.ends_with(".yml"))
    return Error{.message = "--write-scenario writes YAML, not '" + file + "'", .help = "Name a file *.yaml."};
  if (files.exists(file))
    return Error{.message = "already exists", .file = file, .help = "Name another file, or remove this one first."};
  return std::nullopt;
}

std::optional<Error> begin_scenario(const std::string& file, const std::string& text, Streams& io) {
  if (const auto done = io.files.write(file, text); !done) return cannot_write(done.error(), file);
  if (!io.is_quiet) io.err << "bayplan: wrote " << printable(file) << '\n';
  return std::nullopt;
}

struct Placed {
  const report::PlaceReport& report;
  bool lists_placements;
  const report::ClusterView& view;
};

constexpr std::array<Format<Placed>, 6> kPlaceFormats{
    {{"text", [](const Placed& placed) { return report::place_document(placed.report, placed.view); },
      report::Medium::kText},
     {"json", [](std::ostream& out,
                 const Placed& placed) { report::write_place_json(out, placed.report, {placed.lists_placements}); }},
     {"html", [](const Placed& placed) { return report::place_document(placed.report); }, report::Medium::kPage},
     {"markdown", [](const Placed& placed) { return report::place_document(placed.report); }, report::Medium::kComment},
     {"csv", [](std::ostream& out, const Placed& placed) { report::write_place_csv(out, placed.report); }},
     {"svg", [](std::ostream& out, const Placed& placed) { report::write_place_svg(out, placed.report); }}}};

}  // namespace

std::vector<std::string_view> PlaceCommand::formats() const {
  return list_names(kPlaceFormats);
}

void PlaceCommand::describe(OptionSet& options) {
  options.positional("SCENARIO", scenarios_,
                     "Cluster, services and tasks, YAML or JSON, or a template or plan; - reads standard input", false);
  options.group("Tasks and cluster");
  cluster_.describe_cluster(options);
  options.repeated(
      "--task", tasks_, "TASKDEF=COUNT",
      "Run COUNT tasks of a file (FILE#NAME: a definition of a template or plan), or of a definition of the "
      "scenario; =max: as many as fit");
  options.group("Placement");
  cluster_.describe_placement(options);
  options.group("Ties");
  options.option(
      "--runs", runs_, "N",
      "Place N times, each with other tie-breaks; report in how many everything is placed, and show the worst");
  options.choice("--ties", ties_, {"all", "first"},
                 "Tie-breaks between equal instances: file order and 20 random ones (all), or file order only (first)");
  options.group("Placement");
  options.option(
      "--policy", policy_, "NAME",
      "Choose instances by a policy of the literature in place of the strategies; ECS offers none: best-fit, "
      "fgd ...");
  options.group("Runs over time");
  options.option("--until", until_, "DURATION", "Simulate over time up to DURATION: 30m, 1h30m, 7d");
  options.option("--continue-from", continue_from_, "REPORT.json",
                 "Continue the run of a JSON report, which the scenario must reproduce");
  options.group("Tasks and cluster");
  options.option("--write-scenario", write_scenario_, "FILE.yaml",
                 "Write a scenario file of the cluster and the tasks that are given by options or a template, to edit");
  options.flag("--no-lint", no_lint_, "Simulate even what ECS would reject");
  options.group("Report");
  options.flag("--no-placements", no_placements_, "Omit the list of placements from the JSON report");
  view_.describe(options);
  options.examples(
      "  bayplan place examples/two-p3-16xlarge/scenario.yaml\n"
      "  bayplan place --instances p3.16xlarge=2@us-east-2a \\\n"
      "    --task examples/two-p3-16xlarge/defs/train-4-gpu.json=3\n"
      "  bayplan place --cluster examples/lose-a-zone/live/cluster --task infer=max\n"
      "                                      # bayplan collect fills such a folder\n"
      "  bayplan place --cluster examples/cluster-from-template/cluster-cpu-gpu.yml \\\n"
      "    --param GPUInstanceType=p3.16xlarge \\\n"
      "    --task examples/replace-p3/tensorflow-4-gpu.json=1\n"
      "  bayplan place examples/gpu-cluster/scenario.yaml --runs 200\n"
      "  bayplan place examples/gpu-cluster/scenario.yaml --strategy binpack:memory\n"
      "  bayplan place examples/policies/scenario.yaml --policy best-fit\n"
      "  bayplan place examples/gpu-cluster/scenario.yaml --wide --sort free-gpu \\\n"
      "    --where 'attribute:ecs.instance-type =~ p3.*'\n"
      "  bayplan place examples/gpu-cluster/scenario.yaml --output text \\\n"
      "    --output json=report.json --output svg=cluster.svg --output html=report.html\n"
      "  bayplan place examples/lost-zone/scenario.yaml --until 2h \\\n"
      "    --output json=run.json\n"
      "  bayplan place examples/lost-zone/scenario.yaml --continue-from run.json");
}

Result<scenario::ScenarioRequest> PlaceCommand::request(const catalog::Catalog& catalog) const {
  if (scenarios_.size() > 1)
    return Error{
        .message = "place takes one scenario, not " + std::to_string(scenarios_.size()) + ": " + join(scenarios_, ", "),
        .help = "A task definition is given by --task FILE=COUNT; 'bayplan sweep' tries many scenarios."};
  if (scenarios_.empty() && tasks_.empty() && !cluster_.names_cluster()) {
    return Error{.message = "nothing to place",
                 .help = "Name a scenario file, or write: bayplan place --instances m5.large=2 --task web.json=3"};
  }
  if (scenarios_.empty() && !cluster_.has_cluster()) {
    return Error{.message = "no cluster to place on",
                 .help = "Add --cluster PATH, or --instances TYPE=N such as m5.large=2."};
  }
  if (auto error = check_runs(runs_)) return std::move(*error);
  if (runs_ && ties_ == "first") return ties_and_runs();
  auto request = cluster_.request(catalog);
  if (!request) return request.error();
  const auto until = parse_duration_flag("--until", until_);
  if (!until) return until.error();
  request->until = *until;
  request->takes_policy = true;
  if (policy_) {
    if (!request->strategies.empty()) return policy_and_strategy();
    const auto policy = placement::parse_policy(*policy_);
    if (!policy) return policy.error();
    request->policy = *policy;
  }
  if (!scenarios_.empty()) request->scenario = scenarios_.front();
  request->tasks = tasks_;
  return request;
}

int PlaceCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  const auto view = view_.view(*outputs);
  if (!view) return fail(io, view.error());

  Stats stats(global.stats, io);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  if (const auto misplaced = misplaced_argument(name(), scenarios_, tasks_, io.files)) return fail(io, *misplaced);
  const auto asked = request(catalog);
  if (!asked) return fail(io, asked.error());
  if (const auto error = write_scenario_ ? not_new_scenario(*write_scenario_, io.files) : std::nullopt)
    return fail(io, *error);
  stats.phase("read");
  auto loaded = study::load_settled(*asked, io.files, catalog, input_limits(global));
  if (loaded.scenario && loaded.scenario->timetable.has_time && !loaded.scenario->services.empty()) {
    // Over time the services of a described cluster react to what happens: they take part like those of the scenario.
    auto over_time = *asked;
    over_time.takes_services = true;
    loaded = study::load_settled(over_time, io.files, catalog, input_limits(global));
  }
  if (!loaded.scenario) return fail_all(io, loaded.errors);
  Scenario& scenario = *loaded.scenario;
  const auto new_scenario =
      write_scenario_ ? scenario::scenario_text(*asked, loaded, *write_scenario_, io.files, input_limits(global))
                      : std::string();
  if (!new_scenario) return fail(io, new_scenario.error());
  study::ask_for_unsettled(scenario);
  if (const auto errors = placement::not_placeable(scenario); !errors.empty()) return fail_all(io, errors);
  const bool has_time = scenario.timetable.has_time;
  if (has_time && runs_) return fail_all(io, placement::refuse_over_time(scenario, "place --runs"));
  if (!has_time && continue_from_) return fail(io, not_over_time());
  stats.phase("lint");
  const bool is_accepted = no_lint_ || accept_scenario(scenario, asked->parameters, global, io, FindingsShown::kAll);
  if (!is_accepted) return kUnusable;
  if (write_scenario_) {
    if (const auto error = begin_scenario(*write_scenario_, *new_scenario, io)) return fail(io, *error);
  }
  if (has_time) return place_over_time(scenario, *outputs, {continue_from_, !no_placements_, *view}, global, io, stats);

  std::optional<placement::TieRuns> runs;
  if (runs_) {
    stats.phase("runs");
    ProgressLine progress(io);
    runs = placement::place_in_tie_orders(
        scenario, *runs_, [&](std::int64_t done) { progress.show_share("placing in tie orders", done, *runs_); });
    scenario.ties = placement::TieOrder::kDrawn;
    scenario.seed = runs->worst_seed;
  }
  stats.phase("place");
  placement::Outcome outcome;  // outlives the verification that reads it
  placement::ConcurrentVerification verification(scenario);
  outcome = placement::place(scenario, &verification);
  verification.complete(outcome);
  stats.size(count_of(static_cast<std::int64_t>(outcome.placements.size()), "placement"));
  stats.phase("ties");
  auto report = ties_ == "first" ? report::make_report_of_one_order(scenario, outcome)
                                 : report::make_place_report(scenario, outcome, std::move(runs));
  if (outcome.failures.empty() && study::rests_on_estimated_memory(scenario, outcome))
    report.memory_uncertainty = study::memory_uncertainty(scenario, /*orders=*/1);
  std::vector<std::string> withdrawn;
  // Of many orders, a remedy of one is none.
  if (!report.runs) {
    report.remedies = study::find_place_remedies(scenario, outcome, &catalog);
    stats.phase("scheduler");
    report.scheduler = study::find_better_scheduler(scenario, outcome);
    if (auto& found = report.scheduler.found; found && !found->mistakes.empty()) {
      withdrawn = std::move(found->mistakes);
      found.reset();
    }
  }
  stats.phase("verify");  // what is left of it
  if (const auto mistakes = verification.get(); !mistakes.empty()) return internal_error(io, mistakes);
  stats.phase("report");
  const int written = write_report(*outputs, kPlaceFormats, Placed{report, !no_placements_, *view}, global, io);
  stats.print();
  if (written != kClean) return written;
  if (!withdrawn.empty()) return internal_error(io, withdrawn, Reported::kWhatHolds);
  return report.tie_orders.all_fit() ? kClean : kFindings;
}

std::unique_ptr<Command> place_command() {
  return std::make_unique<PlaceCommand>();
}

}  // namespace bayplan::cli

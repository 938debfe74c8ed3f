#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/scenario_options.hpp"
#include "replay/recorded_scenario.hpp"
#include "replay/replay.hpp"
#include "report/replay/replay_report.hpp"
#include "scenario/arguments.hpp"

namespace bayplan::cli {

/// How real placements compare with the simulation.
class ReplayCommand : public Command {
 public:
  std::string_view name() const override { return "replay"; }
  std::string_view summary() const override { return "Compare recorded ECS placements with the simulation"; }
  std::vector<std::string_view> formats() const override;
  std::optional<std::string_view> anonymize_help() const override {
    return "Also write a disagreement without any name of the account, to send it (docs/replay.md)";
  }
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<replay::ReplayRequest> request(const GlobalOptions& global) const;
  Result<std::optional<double>> min_agreement() const;  ///< --min-agreement

  /// Writes a disagreement to `file`.
  std::optional<Error> donate(const replay::ReplayResult& result, const catalog::Catalog& catalog,
                              const std::string& file, Streams& io) const;

  std::vector<std::string> paths_;
  std::vector<std::string> definitions_;
  std::vector<std::string> strategies_;
  std::optional<std::string> cluster_name_;
  std::optional<std::string> min_agreement_;
  std::optional<std::string> to_scenario_;
  std::optional<std::string> task_;
  std::optional<std::string> fit_assumptions_;
};

namespace {

constexpr std::array<Format<report::ReplayReport>, 5> kReplayFormats{
    {{"text", report::replay_document, report::Medium::kText},
     {"json", report::write_replay_json},
     {"html", report::replay_document, report::Medium::kPage},
     {"markdown", report::replay_document, report::Medium::kComment},
     {"csv", report::write_replay_csv}}};

}  // namespace

std::vector<std::string_view> ReplayCommand::formats() const {
  return list_names(kReplayFormats);
}

void ReplayCommand::describe(OptionSet& options) {
  options.positional("RECORDS", paths_,
                     "Files or folders: EventBridge events as JSON lines, CloudTrail files (also .gz), lookup-events "
                     "output, and snapshots (folders that bayplan collect fills)",
                     true);
  options.repeated("--definitions", definitions_, "TASKDEF", "Task definitions that the snapshots do not contain");
  options.repeated("--strategy", strategies_, "TYPE:FIELD",
                   "Placement strategy of tasks whose RunTask call or service no record contains");
  options.option("--cluster-name", cluster_name_, "NAME", "Cluster to replay, if the records are of several");
  options.option("--min-agreement", min_agreement_, "SHARE",
                 "Exit with 1 if the lower end of the interval is below this: 0 to 1");
  options.option("--to-scenario", to_scenario_, "FILE",
                 "Also write the records as a scenario over time, for place, whatif and fleet");
  options.option("--fit-assumptions", fit_assumptions_, "FILE",
                 "Also write the tie rule that the records show; every command reads it as assumptions.json in the "
                 "folder of a snapshot");
  options.option("--task", task_, "ID", "With --anonymize: the disagreement about this task; default the first one");
  options.examples(
      "  bayplan replay examples/replay/snapshot examples/replay/events.jsonl\n"
      "  bayplan replay examples/replay/snapshot examples/replay/events.jsonl \\\n"
      "    --min-agreement 0.9 --output json=replay.json --output text");
}

Result<replay::ReplayRequest> ReplayCommand::request(const GlobalOptions& global) const {
  replay::ReplayRequest request;
  request.paths = paths_;
  request.definitions = definitions_;
  request.cluster = cluster_name_;
  if (task_ && !global.anonymize) return Error{.message = "--task requires --anonymize FILE"};
  if (global.anonymize) request.donates = task_.value_or("");
  if (global.max_input > 0) request.record_bytes = static_cast<std::size_t>(global.max_input);
  request.has_strategies = !strategies_.empty();
  for (const auto& text : strategies_) {
    const auto parsed = scenario::parse_strategy_argument(text);
    if (!parsed) return parsed.error();
    request.strategies.insert(request.strategies.end(), parsed->begin(), parsed->end());
  }
  return request;
}

Result<std::optional<double>> ReplayCommand::min_agreement() const {
  if (!min_agreement_) return std::optional<double>();
  const auto share = to_number(*min_agreement_);
  if (!share || *share < 0 || *share > 1)
    return Error{.message = "--min-agreement must be a number from 0 to 1, not '" + *min_agreement_ + "'",
                 .help = "For example: --min-agreement 0.9"};
  return std::optional(*share);
}

std::optional<Error> ReplayCommand::donate(const replay::ReplayResult& result, const catalog::Catalog& catalog,
                                           const std::string& file, Streams& io) const {
  if (!result.donated)
    return Error{.message =
                     task_ ? "no disagreement about task " + *task_ : std::string("there is no disagreement to send")};
  if (!*result.donated) return result.donated->error();
  const auto& donated = **result.donated;
  if (auto error = replay::check_donated_case(donated, catalog)) return error;
  const auto written = io.files.write(file, donated.records);
  return written ? std::nullopt : std::optional(written.error());
}

int ReplayCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  const auto asked = request(global);
  if (!asked) return fail(io, asked.error());
  const auto least = min_agreement();
  if (!least) return fail(io, least.error());

  Stats stats(global.stats, io);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  stats.phase("replay");
  const auto replayed = replay::replay(*asked, io.files, catalog, input_limits(global));
  if (!replayed.result) return fail_all(io, replayed.errors);
  const auto& result = *replayed.result;
  stats.size(count_of(result.placements, "placement"));
  if (result.history.counts.used() == 0) {
    return fail(io, {.message = "no records of ECS placements here",
                     .help = "EventBridge events of source aws.ecs, or CloudTrail records of ecs.amazonaws.com; "
                             "see docs/replay.md"});
  }
  stats.phase("report");
  const auto report = report::make_replay_report(result, *least);
  if (global.anonymize) {
    if (auto error = donate(result, catalog, *global.anonymize, io)) return fail(io, *error);
  }
  if (fit_assumptions_) {
    const auto fitted = report::fitted_assumptions(result);
    if (!fitted)
      return fail(io, {.message = "the tie rule that the records show depends on the state of the instances",
                       .help = "bayplan cannot simulate it; the report names it"});
    if (const auto done = io.files.write(*fit_assumptions_, *fitted); !done) return fail(io, done.error());
  }
  if (to_scenario_) {
    std::ostringstream scenario;
    replay::write_recorded_scenario(scenario, result);
    if (const auto done = io.files.write(*to_scenario_, scenario.str()); !done) return fail(io, done.error());
  }
  const int written = write_report(*outputs, kReplayFormats, report, global, io);
  stats.print();
  if (written != kClean) return written;
  return report.is_good() ? kClean : kFindings;
}

std::unique_ptr<Command> replay_command() {
  return std::make_unique<ReplayCommand>();
}

}  // namespace bayplan::cli

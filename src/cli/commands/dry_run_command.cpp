#include <memory>

#include "awscli/request.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "catalog/region.hpp"
#include "cli/commands/commands.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/scenario_options.hpp"
#include "report/dry_run/dry_run_report.hpp"
#include "study/dry_run/dry_run.hpp"

namespace bayplan::cli {

/// bayplan dry-run -- aws ecs run-task ...
class DryRunCommand : public Command {
 public:
  std::string_view name() const override { return "dry-run"; }
  std::string_view summary() const override { return "Show what an aws ecs call would do, without running aws"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  std::vector<std::string> line_;   ///< The words behind `--`.
  std::vector<std::string> stray_;  ///< The words before `--`.
  ScenarioOptions scenario_;
  std::vector<std::string> definitions_;
};
namespace {

struct TriedCall {
  const study::DryRun& run;
  const Lazy<rules::RuleData>& rules;
  std::ostream& err;
};

void write_tried_text(std::ostream& out, const TriedCall& tried, const report::TextOptions& options) {
  report::write_dry_run_text(out, tried.run, tried.rules, options);
}

void write_tried_json(std::ostream& out, const TriedCall& tried) {
  report::write_dry_run_json(out, tried.run, tried.rules);
}

/// What the AWS CLI would print: a refusal goes to standard error.
void write_as_aws(std::ostream& out, const TriedCall& tried) {
  const auto& run = tried.run;
  if (run.refusal) tried.err << '\n' << study::client_words(*run.refusal, *run.request.operation) << '\n';
  report::write_dry_run_response(out, run);
}

constexpr std::array<Format<TriedCall>, 3> kDryRunFormats{
    {{"text", write_tried_text}, {"json", write_tried_json}, {"aws", write_as_aws}}};

}  // namespace

void DryRunCommand::describe(OptionSet& options) {
  options.rest(line_);
  options.positional(
      "LINE", stray_,
      "After --: aws ecs run-task, create-service, register-task-definition or another call that starts, "
      "stops or configures tasks, with its options as for the AWS CLI",
      false);
  scenario_.describe_cluster(options);
  options.repeated("--definition", definitions_, "TASKDEF",
                   "Task definition to treat as registered: FILE, or FILE#NAME of a template or plan");
  scenario_.describe_seed(options);
  options.examples(
      "  bayplan dry-run -- aws ecs register-task-definition \\\n"
      "    --cli-input-json file://examples/broken-gpu/train.json\n"
      "  bayplan dry-run --cluster examples/lose-a-zone/live/cluster -- \\\n"
      "    aws ecs run-task --task-definition infer --count 3\n"
      "  bayplan dry-run --cluster examples/lose-a-zone/live/cluster -- \\\n"
      "    aws ecs stop-task --cluster prod --task 0a1e0\n"
      "  bayplan dry-run --instances p3.8xlarge=2@us-east-2a --output aws \\\n"
      "    --definition examples/two-p3-16xlarge/defs/train-4-gpu.json -- \\\n"
      "    aws ecs run-task \\\n"
      "    --task-definition train-4-gpu --placement-strategy type=binpack,field=memory");
}

std::vector<std::string_view> DryRunCommand::formats() const {
  return list_names(kDryRunFormats);
}

int DryRunCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  if (!stray_.empty() || line_.empty()) {
    return fail(io,
                {.message = stray_.empty() ? "missing AWS CLI command after --" : "the AWS CLI command must follow --",
                 .help = stray_.empty() ? "For example: bayplan dry-run -- aws ecs register-task-definition "
                                          "--cli-input-json file://web.json"
                         : stray_.front() != "aws"
                             ? "Write: bayplan dry-run -- aws ecs register-task-definition --cli-input-json FILE"
                             : "Write: bayplan dry-run -- " + join(stray_, " ")});
  }

  Stats stats(global.stats, io);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  auto described = scenario_.request(catalog);
  if (!described) return fail(io, described.error());
  described->definitions = definitions_;
  const study::DryRunSetting setting{*std::move(described), input_limits(global)};
  stats.phase("read");
  const awscli::Operations operations;
  // A whole line in quotes, as it is pasted.
  const auto pasted = line_.size() == 1 ? shell_words(line_.front()) : std::nullopt;
  const auto line = awscli::parse_command_line(pasted ? *pasted : line_, operations);
  if (!line.line) return fail_all(io, line.errors);
  auto request = awscli::read_request(*line.line, {io.files, setting.limits, io.environment});
  if (!request.request) return fail_all(io, request.errors);

  if (line.line->region) {
    const auto region = catalog::known_region(catalog, *line.line->region);
    if (!region) return fail(io, region.error());
  }
  stats.phase("try");
  const lint::Tools tools;
  const auto tried = study::dry_run(*line.line, *std::move(request.request), setting, io.files, catalog, tools);
  if (!tried.mistakes.empty()) return internal_error(io, tried.mistakes);
  if (!tried.run) return fail_all(io, tried.errors);
  const study::DryRun& run = *tried.run;
  stats.phase("report");
  const int written = write_report(*outputs, kDryRunFormats, TriedCall{run, tools.rule_data, io.err}, global, io);
  stats.print();
  if (written != kClean) return written;
  if (!tried.withdrawn.empty()) return internal_error(io, tried.withdrawn, Reported::kWhatHolds);
  return run.succeeds() ? kClean : kFindings;
}

std::unique_ptr<Command> dry_run_command() {
  return std::make_unique<DryRunCommand>();
}

}  // namespace bayplan::cli

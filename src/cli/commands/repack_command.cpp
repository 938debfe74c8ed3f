#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lint_gate.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/scenario_options.hpp"
#include "placement/engine/not_placeable.hpp"
#include "report/repack/repack_report.hpp"
#include "study/in_flight.hpp"
#include "study/repack/repack.hpp"
#include "text/read.hpp"

namespace bayplan::cli {

/// What could be given back of a cluster that runs.
class RepackCommand : public Command {
 public:
  std::string_view name() const override { return "repack"; }
  std::string_view summary() const override { return "Find instances to remove, and the order in which to drain them"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<scenario::ScenarioRequest> request(const Streams& io, const catalog::Catalog& catalog,
                                            const Limits& limits) const;
  Result<study::RepackRequest> limits() const;
  Result<std::optional<MicroUsd>> least_saving() const;  ///< --min-saving

  std::vector<std::string> snapshots_;
  ScenarioOptions cluster_;
  std::optional<std::int64_t> max_moves_;
  std::optional<std::string> min_ratio_;
  std::optional<std::string> min_saving_;
  std::int64_t together_ = study::kMostTogether;
  bool keep_zones_ = false;
  bool wait_for_tasks_ = false;
  bool no_lint_ = false;
};

using placement::Scenario;

namespace {

constexpr double kMostUsd = 1e9, kMostRatio = 1'000;

/// A scenario says which cluster it is about; everything else that is a file describes one.
bool is_scenario(const Files& files, const std::string& path, const Limits& limits) {
  if (files.is_folder(path)) return false;
  const auto content = files.read(path, limits.snapshot_bytes);
  if (!content) return true;  // the loader says why
  const auto document = text::read_document(*content, {});
  return document->root() && static_cast<bool>(document->root().find("cluster"));
}

/// Groups that keep minSize, or scale by themselves, are no reason: the plan lowers them, as far as they allow it.
std::vector<Error> refuse_time(const Scenario& scenario) {
  auto errors = placement::refuse_over_time(scenario, "repack");
  std::erase_if(errors,
                [](const Error& error) { return error.subject == "minSize" || error.subject == "managedScaling"; });
  return errors;
}

constexpr std::array<Format<report::RepackReport>, 5> kRepackFormats{
    {{"text", report::repack_document, report::Medium::kText},
     {"json", report::write_repack_json},
     {"html", report::repack_document, report::Medium::kPage},
     {"markdown", report::repack_document, report::Medium::kComment},
     {"csv", report::write_repack_csv}}};

}  // namespace

std::vector<std::string_view> RepackCommand::formats() const {
  return list_names(kRepackFormats);
}

void RepackCommand::describe(OptionSet& options) {
  options.positional("SNAPSHOT", snapshots_,
                     "Folder of aws ecs describe-... output (bayplan collect fills it), a cluster file, or a scenario",
                     false);
  options.group("Cluster");
  cluster_.describe_cluster(options);
  options.group("Plan");
  options.option("--max-moves", max_moves_, "K", "Maximum number of service tasks that move, over all steps");
  options.option(
      "--min-ratio", min_ratio_, "R",
      "Stop before the first step whose share of the cost saved, divided by its share of the tasks moved, is "
      "lower; 0.5 is the balance of Karpenter");
  options.option("--min-saving", min_saving_, "USD",
                 "Minimum saving per hour; a plan that saves less is reported as not worth it");
  options.option("--together", together_, "N",
                 "Maximum number of instances that drain at a time: 1 to 10 (default 10)");
  options.flag("--keep-zones", keep_zones_, "Keep every service in as many zones as now");
  options.flag("--wait-for-tasks", wait_for_tasks_,
               "Also drain instances with RunTask tasks, waiting for these to end");
  options.group("Simulation");
  cluster_.describe_conditions(options);
  options.group("Cluster");
  options.flag("--no-lint", no_lint_, "Simulate even what ECS would reject");
  options.examples(
      "  bayplan repack examples/give-back/cluster   # as bayplan collect makes it\n"
      "  bayplan repack examples/give-back/cluster --keep-zones \\\n"
      "    --max-moves 20 --min-saving 1.50\n"
      "  bayplan repack examples/give-back/cluster --output text \\\n"
      "    --output json=plan.json");
}

Result<scenario::ScenarioRequest> RepackCommand::request(const Streams& io, const catalog::Catalog& catalog,
                                                         const Limits& limits) const {
  if (snapshots_.size() > 1)
    return Error{.message = "repack takes one snapshot, not " + std::to_string(snapshots_.size()),
                 .help = "Write one repack per cluster."};
  if (snapshots_.empty() && !cluster_.has_cluster()) {
    return Error{.message = "nothing to repack",
                 .help = "Name a cluster file, a scenario, or the folder that 'bayplan collect --cluster NAME' fills."};
  }
  auto request = cluster_.request(catalog);
  if (!request) return request.error();
  request->takes_services = true;
  request->may_be_idle = true;
  if (snapshots_.empty()) return request;
  if (is_scenario(io.files, snapshots_.front(), limits)) {
    request->scenario = snapshots_.front();
  } else if (cluster_.has_cluster()) {
    return Error{.message = "two clusters: " + snapshots_.front() + ", and that of --cluster or --instances",
                 .help = "Remove one of them."};
  } else {
    request->cluster = snapshots_.front();
  }
  return request;
}

Result<study::RepackRequest> RepackCommand::limits() const {
  if (max_moves_ && *max_moves_ < 0)
    return Error{.message = "--max-moves must be a number from 0, not " + std::to_string(*max_moves_)};
  if (together_ < 1 || together_ > study::kMostTogether) {
    return Error{.message = "--together must be a number from 1 to 10",
                 .help = "One update-container-instances-state call takes up to 10 instances."};
  }
  const auto min_ratio = min_ratio_ ? to_number(*min_ratio_) : std::nullopt;
  if (min_ratio_ && (!min_ratio || *min_ratio < 0 || *min_ratio > kMostRatio))
    return Error{.message = "--min-ratio must be a number from 0 to 1000, not '" + *min_ratio_ + "'",
                 .help = "For example: --min-ratio 0.5"};
  study::RepackRequest request;
  request.max_moves = max_moves_;
  request.min_ratio = min_ratio;
  request.keeps_zones = keep_zones_;
  request.waits_for_tasks = wait_for_tasks_;
  request.together = together_;
  return request;
}

Result<std::optional<MicroUsd>> RepackCommand::least_saving() const {
  if (!min_saving_) return std::optional<MicroUsd>();
  const auto usd = to_number(min_saving_->starts_with('$') ? min_saving_->substr(1) : *min_saving_);
  if (!usd || *usd < 0 || *usd > kMostUsd)
    return Error{.message = "--min-saving must be USD per hour, not '" + *min_saving_ + "'",
                 .help = "For example: --min-saving 1.50"};
  return std::optional(static_cast<MicroUsd>(*usd * static_cast<double>(kMicroUsdPerUsd) + 0.5));
}

int RepackCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  const auto asked = limits();
  if (!asked) return fail(io, asked.error());
  const auto min_saving = least_saving();
  if (!min_saving) return fail(io, min_saving.error());

  Stats stats(global.stats, io);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  const auto cluster = request(io, catalog, input_limits(global));
  if (!cluster) return fail(io, cluster.error());
  stats.phase("read");
  const auto loaded = study::load_settled(*cluster, io.files, catalog, input_limits(global));
  if (!loaded.scenario) return fail_all(io, loaded.errors);
  const Scenario& scenario = *loaded.scenario;
  if (!scenario.not_simulated.empty()) return fail_all(io, scenario.not_simulated);
  if (const auto errors = refuse_time(scenario); !errors.empty()) return fail_all(io, errors);
  stats.phase("lint");
  if (!no_lint_ && !accept_scenario(scenario, cluster->parameters, global, io)) return kUnusable;

  stats.phase("repack");
  const auto plan = study::repack(scenario, *asked);
  stats.size(count_of(static_cast<std::int64_t>(scenario.instances.size()), "instance"));
  if (!plan.mistakes.empty()) return internal_error(io, plan.mistakes);
  stats.phase("report");
  const report::RepackReport report{plan, *min_saving, max_moves_};
  const int written = write_report(*outputs, kRepackFormats, report, global, io);
  stats.print();
  if (written != kClean || plan.withdrawn.empty()) return written;
  return internal_error(io, plan.withdrawn, Reported::kWhatHolds);
}

std::unique_ptr<Command> repack_command() {
  return std::make_unique<RepackCommand>();
}

}  // namespace bayplan::cli

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "base/ascii.hpp"
#include "base/percent.hpp"
#include "base/strings.hpp"
#include "cli/application.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/lint_gate.hpp"
#include "cli/io/outputs.hpp"
#include "cli/io/progress_line.hpp"
#include "cli/io/stats.hpp"
#include "cli/options/command.hpp"
#include "cli/options/formats.hpp"
#include "cli/options/jobs_option.hpp"
#include "cli/options/scenario_options.hpp"
#include "cli/options/view_options.hpp"
#include "fleet/offers/market.hpp"
#include "lint/lint.hpp"
#include "model/scenario_file.hpp"
#include "placement/engine/not_placeable.hpp"
#include "placement/explain/result_summary.hpp"
#include "report/document/figures.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/place/place_report.hpp"
#include "study/fleet/filled_fleet.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/fleet/fleet_tasks.hpp"
#include "study/fleet/fleet_terms.hpp"
#include "study/fleet/managed_fleet.hpp"
#include "study/fleet/spot_share.hpp"
#include "study/fleet/throughput.hpp"
#include "study/fleet/trunking.hpp"
#include "study/in_flight.hpp"
#include "study/launch_types/launch_type_costs.hpp"
#include "study/payment/load_curve.hpp"
#include "study/payment/payment_plan.hpp"
#include "study/payment/payment_terms.hpp"

namespace bayplan::cli {

/// The cheapest fleet for a scenario's tasks.
class FleetCommand : public Command {
 public:
  std::string_view name() const override { return "fleet"; }
  std::string_view summary() const override { return "Find the cheapest instances for the tasks, with a lower bound"; }
  std::vector<std::string_view> formats() const override;
  void describe(OptionSet& options) override;
  int run(const GlobalOptions& global, Streams& io) override;

 private:
  Result<scenario::ScenarioRequest> scenario_request(const catalog::Catalog& catalog) const;
  template <class T>
  struct Loaded {
    std::optional<T> value;  ///< Nothing when there are errors.
    std::vector<Error> errors;
  };

  /// The tasks to plan for and the limits of the plan, as the scenario and the flags state them.
  struct TasksToPlan {
    placement::Scenario scenario;
    study::FleetRequest request;
    std::vector<study::Throughput> throughput;
    std::optional<study::LoadCurve> load;
    std::optional<study::SpotRequest> spot;
  };
  Loaded<TasksToPlan> load_tasks(const placement::Scenario& settled, const catalog::Catalog& catalog,
                                 const Files& files, const Limits& limits) const;
  /// All but what ends the search. Adds assumptions to the scenario.
  Result<study::FleetRequest> fleet_request(placement::Scenario& scenario) const;
  /// Nothing without --spot.
  Result<std::optional<study::SpotRequest>> spot_request() const;
  /// Why a load curve cannot be combined with the other flags.
  std::optional<Error> refuse_load() const;

  /// The tasks of a plan with Spot Instances and On-Demand Instances, and the Spot market.
  struct SpotPart {
    placement::Scenario tasks;  ///< All tasks, of both parts.
    fleet::Market market;
    std::vector<std::string> zones;  ///< Of both parts: the stated ones, else those with a Spot price.
  };
  /// Tasks with the instances and prices that are available to them.
  struct PricedTasks {
    TasksToPlan tasks;  ///< With --spot, the On-Demand part.
    fleet::MarketRequest market_request;
    fleet::Market market;
    study::PaymentTerms terms;
    std::optional<SpotPart> spot;
    std::optional<placement::Scenario> on_managed;  ///< Tasks on capacity providers of Managed Instances.
  };
  /// Includes --burst-baseline and --trunking.
  Result<fleet::MarketRequest> market_request() const;
  Loaded<PricedTasks> load_market(TasksToPlan tasks, fleet::MarketRequest asked, const catalog::Catalog& catalog,
                                  const Files& files, const Limits& limits) const;
  Loaded<SpotPart> load_spot_part(const PricedTasks& on_demand, const catalog::Catalog& catalog, const Files& files,
                                  const Limits& limits) const;

  struct Planned {
    placement::Scenario scenario;
    fleet::Market market;
    study::FleetRequest request;
    study::FleetPlan plan;
    std::vector<study::FamilyRate> rates;
    study::LaunchTypeCosts launch_types;
    std::optional<study::PaymentPlan> payment;
    std::optional<study::SpotPlan> spot;
    std::optional<study::TrunkedFleet> trunked;
    std::optional<study::FleetByStartTask> by_start_task;
    std::optional<study::ManagedFleet> managed;
    std::vector<std::string> withdrawn;  ///< Faults of the program in claims that are left out.
    std::vector<Error> errors;           ///< If there are any, or mistakes, nothing is reported.
    std::vector<std::string> mistakes;   ///< Faults of the program.
  };
  Planned plan(PricedTasks priced, const catalog::Catalog& catalog) const;
  int write(const Planned& planned, const std::vector<Output>& outputs, const report::ClusterView& view,
            const GlobalOptions& global, Streams& io) const;

  std::vector<std::string> scenarios_;
  ScenarioOptions cluster_;
  std::vector<std::string> tasks_;
  fleet::MarketRequest market_;
  std::optional<std::string> zones_;
  std::optional<std::string> headroom_;
  std::optional<std::int64_t> most_types_;
  std::int64_t orders_ = study::FleetRequest{}.orders;
  std::optional<std::int64_t> effort_;
  std::optional<std::string> gap_;
  std::optional<std::string> time_limit_;
  std::int64_t jobs_ = 0;
  std::string load_;
  std::vector<std::string> commitments_;
  std::optional<std::string> spot_;
  std::optional<std::int64_t> spot_pools_;
  std::string spot_prices_;
  std::vector<std::string> spot_discounts_;
  std::optional<std::string> burst_baseline_;
  std::string trunking_;
  bool survives_zone_loss_ = false;
  bool deployable_ = false;
  bool start_task_ = false;
  bool compare_ = false;
  bool no_lint_ = false;
  ViewOptions view_;
};

namespace {

/// Watches over the search for a fleet: says on standard error how far it is, where that is a terminal, and ends it
/// when somebody wants it to end or its time is over.
class FleetProgress {
 public:
  /// `time_limit`: seconds; 0 = none.
  FleetProgress(Streams& io, std::int64_t effort, std::int64_t time_limit)
      : io_(io), line_(io), effort_(effort), time_limit_(time_limit) {}

  std::optional<study::FleetStop> look(const study::FleetProgress& progress);
  /// Whether the time after a stop is not over.
  bool has_grace() const { return !stopped_at_ || line_.elapsed() < *stopped_at_ + grace_; }
  void clear() { line_.clear(); }

 private:
  static constexpr std::chrono::milliseconds kGraceOfInterrupt{300};
  static constexpr std::chrono::milliseconds kGraceOfTime{2000};

  std::optional<study::FleetStop> stopped(study::FleetStop by, std::chrono::milliseconds grace);

  Streams& io_;
  ProgressLine line_;
  std::int64_t effort_;
  std::chrono::seconds time_limit_;
  std::optional<std::chrono::milliseconds> stopped_at_;
  std::chrono::milliseconds grace_{};
};

using study::FleetStop;
using Phase = study::FleetProgress::Phase;

std::string words_of(const study::FleetProgress& progress, std::int64_t effort) {
  const auto& packing = progress.packing;
  std::string found = "no fleet yet";
  if (packing.cost > 0) found = fmt::format("${}/h", report::usd(packing.cost));
  if (packing.lower_bound > 0) found += fmt::format(", lower bound ${}/h", report::usd(packing.lower_bound));
  if (progress.phase == Phase::kFilling) return "simulating ECS placement; ideal packing: " + found;
  if (progress.phase == Phase::kComparing) return "comparing with other fleets";
  return fmt::format("packing: {}, {}% of the search", found,
                     std::min<std::int64_t>(100, 100 * packing.effort / effort));
}

std::optional<FleetStop> FleetProgress::look(const study::FleetProgress& progress) {
  if (line_.is_due()) line_.show(words_of(progress, effort_));
  if (io_.interrupted != nullptr && io_.interrupted()) return stopped(FleetStop::kInterrupt, kGraceOfInterrupt);
  if (time_limit_.count() > 0 && line_.elapsed() >= time_limit_) return stopped(FleetStop::kTime, kGraceOfTime);
  return std::nullopt;
}

std::optional<FleetStop> FleetProgress::stopped(FleetStop by, std::chrono::milliseconds grace) {
  if (!stopped_at_) {
    stopped_at_ = line_.elapsed();
    grace_ = grace;
  }
  return by;
}

}  // namespace

using placement::Scenario;

namespace {

constexpr Percent kMostHeadroom = Percent::of(1'000);

std::vector<std::string> names_in(std::string_view list) {
  std::vector<std::string> names;
  for (const auto name : split(list, ',')) names.emplace_back(trim(name));
  return names;
}

/// --zones: how many, or their names.
Result<std::vector<std::string>> stated_zones(const std::string& text, Scenario& scenario) {
  const auto count = to_integer(text);
  if (!count) {
    auto zones = names_in(text);
    if (std::find(zones.begin(), zones.end(), "") == zones.end()) return zones;
  }
  if (!count || *count < 1 || *count > study::kMostZones)
    return Error{.message = fmt::format("--zones must be a number from 1 to {} or names of zones, not '{}'",
                                        study::kMostZones, text),
                 .help = "For example: --zones 3, or --zones us-east-2a,us-east-2b"};
  return study::first_zones(*count, scenario);
}

/// --time-limit in seconds; 0 = none. A plain number is one of seconds.
Result<std::int64_t> parse_time_limit(const std::optional<std::string>& text) {
  if (!text) return std::int64_t{0};
  const auto seconds = is_digits(*text) ? to_integer(*text) : model::parse_duration(*text);
  if (seconds && *seconds > 0) return *seconds;
  return Error{.message = "--time-limit must be a positive number of seconds or a duration, not '" + *text + "'",
               .help = "For example: --time-limit 90s"};
}

/// "0.01%" is 0.0001.
std::optional<double> parse_gap(std::string_view text) {
  if (text.ends_with('%')) text.remove_suffix(1);
  const auto percent = to_number(trim(text));
  if (!percent || *percent < 0 || *percent > 100) return std::nullopt;
  return *percent / 100;
}

void append(const std::vector<std::string>& more, std::vector<std::string>& all) {
  all.insert(all.end(), more.begin(), more.end());
}

/// A plan of the payment is left out if it fails its checks: the fleet stays what it is.
void leave_out_failed(std::optional<study::PaymentPlan>& payment, std::vector<std::string>& withdrawn) {
  append(payment->withdrawn, withdrawn);
  append(payment->mistakes, withdrawn);
  if (!payment->mistakes.empty()) payment.reset();
}

struct PlannedFleet {
  const report::FleetReport& report;
  report::FleetView view;
};

constexpr std::array<Format<PlannedFleet>, 6> kFleetFormats{
    {{"text", [](const PlannedFleet& fleet) { return report::fleet_document(fleet.report, fleet.view); },
      report::Medium::kText},
     {"json", [](std::ostream& out, const PlannedFleet& fleet) { report::write_fleet_json(out, fleet.report); }},
     {"html", [](const PlannedFleet& fleet) { return report::fleet_document(fleet.report); }, report::Medium::kPage},
     {"markdown", [](const PlannedFleet& fleet) { return report::fleet_document(fleet.report); },
      report::Medium::kComment},
     {"csv", [](std::ostream& out, const PlannedFleet& fleet) { report::write_fleet_csv(out, fleet.report); }},
     {"svg", [](std::ostream& out, const PlannedFleet& fleet) { report::write_fleet_svg(out, fleet.report); }}}};

}  // namespace

std::vector<std::string_view> FleetCommand::formats() const {
  return list_names(kFleetFormats);
}

void FleetCommand::describe(OptionSet& options) {
  options.positional(
      "SCENARIO", scenarios_,
      "Services and tasks, YAML or JSON, or a template or plan; no cluster required; - reads standard input", false);
  options.group("Tasks and cluster");
  cluster_.describe_cluster(options);
  options.repeated(
      "--task", tasks_, "TASKDEF=COUNT",
      "Plan for COUNT tasks of a file (FILE#NAME: a definition of a template or plan), or of a definition of the "
      "scenario");
  options.group("Instance types and prices");
  options.repeated("--types", market_.types, "GLOB",
                   "Only these instance types: 'g4dn.*', p3.8xlarge (default: all on sale in the region)", true);
  options.option("--prices", market_.prices, "FILE",
                 "Prices that replace the built-in ones: AWS Price List JSON, spot price history JSON, or CSV");
  options.repeated("--discount", market_.discounts, "TYPES=FACTOR",
                   "Price factor of a type, family or glob: g4dn=0.72");
  options.repeated("--limit", market_.limits, "TYPE=N", "At most N instances of the type");
  options.repeated("--owned", market_.owned, "TYPE=N", "Use N instances that you own, at no cost");
  options.repeated("--quota", market_.quotas, "QUOTA=VCPUS", "EC2 quota of running vCPUs: \"G and VT=256\"");
  options.option("--burst-baseline", burst_baseline_, "PERCENT",
                 "CPU that tasks on burstable types use, of what they reserve: 30% (default 100%)");
  options.choice("--trunking", trunking_, {"on", "off", "compare"},
                 "awsvpcTrunking of the instances to buy (default: as the scenario has it)");
  options.option("--max-types", most_types_, "N", "At most N different instance types, including owned ones");
  options.group("Availability and headroom");
  options.option("--zones", zones_, "N", "Spread the instances over N zones, or named zones: us-east-2a,us-east-2b");
  options.flag("--survive-zone-loss", survives_zone_loss_, "Keep every task placed after the loss of any single zone");
  options.option("--headroom", headroom_, "PERCENT", "Plan for PERCENT more tasks of each kind: 10%, 12.5%");
  options.flag("--deployable", deployable_, "Leave room for each service to deploy within its healthy percentages");
  options.group("Load curves and commitments");
  options.option("--load", load_, "FILE", "CSV of task counts by hour, a column for each service: hour,web,api");
  options.repeated("--commitment", commitments_, "TYPE=DISCOUNT",
                   "Savings Plan or Reserved Instances: COMPUTE_SP=28%, EC2_INSTANCE_SP:c6a=40%@0.5");
  options.group("Spot Instances");
  options.option("--spot", spot_, "PERCENT", "Run PERCENT of the tasks on Spot Instances, in several pools: 70%");
  options.option("--spot-pools", spot_pools_, "N", "Pools (a type in a zone) that share the Spot tasks (default 4)");
  options.option("--spot-prices", spot_prices_, "FILE", "Spot prices: spot price history JSON, or CSV");
  options.repeated("--spot-discount", spot_discounts_, "TYPES=FACTOR",
                   "Spot price as a factor of the On-Demand price: '*=0.35'");
  options.group("Report");
  options.flag("--compare", compare_, "Compare in full with Fargate, Fargate Spot and ECS Managed Instances");
  options.group("Tasks and cluster");
  options.flag("--add-only", market_.keeps_cluster, "Keep the existing cluster; plan what to buy in addition");
  options.group("Instance types and prices");
  options.flag("--allow-unpriced", market_.allow_unpriced,
               "Accept types without a price in the region: use another region's, else rank by vCPUs");
  options.group("Search");
  options.option("--orders", orders_, "N",
                 "Launch orders in which simulated ECS placement must fill the fleet (default 20)");
  options.group("Report");
  options.flag("--start-task", start_task_, "Print the aws ecs start-task commands that fill the ideal fleet");
  options.group("Search");
  options.option("--gap", gap_, "PERCENT",
                 "End the search at this gap between cost and lower bound if an exact proof is out of reach "
                 "(default 0.01%)");
  options.option("--effort", effort_, "N", "Search steps (default 250000000: up to 10 to 30 s; 10000000 with a load)");
  options.option("-j,--jobs", jobs_, "N", "Threads of the search (default: one per core); the result is the same");
  options.option("--time-limit", time_limit_, "DURATION",
                 "Stop after this time (90, 90s, 10m) with the best result so far (not reproducible)");
  options.group("Placement");
  cluster_.describe_conditions(options);
  options.group("Tasks and cluster");
  options.flag("--no-lint", no_lint_, "Plan even for definitions that ECS would reject");
  options.group("Report");
  view_.describe(options);
  options.examples(
      "  bayplan fleet examples/cheapest-fleet/scenario.yaml --types 'g4dn.*,p2.*'\n"
      "  bayplan fleet examples/cheapest-fleet/scenario.yaml --types 'g4dn.*' \\\n"
      "    --zones 2 --survive-zone-loss\n"
      "  bayplan fleet --task examples/hundred-gpu-tasks/infer.json=100 \\\n"
      "    --types g4dn.12xlarge \\\n"
      "    --quota 'G and VT=1536'\n"
      "  bayplan fleet --task examples/where-to-run/web.json=10 --compare\n"
      "  bayplan fleet --task examples/where-to-run/web.json=10 \\\n"
      "    --commitment COMPUTE_SP=28%\n"
      "  bayplan fleet --task examples/where-to-run/web.json=40 --spot 70% \\\n"
      "    --spot-discount '*=0.35' --types 'c6a.*,m6a.*'\n"
      "  bayplan fleet --cluster examples/lose-a-zone/live/cluster --task infer=8 \\\n"
      "    --types 'g4dn.*' --add-only\n"
      "  bayplan fleet examples/one-instance-type/scenario.yaml --types 'p3.*' \\\n"
      "    --headroom 10% --wide \\\n"
      "    --output text --output json=fleet.json");
}

Result<scenario::ScenarioRequest> FleetCommand::scenario_request(const catalog::Catalog& catalog) const {
  if (scenarios_.size() > 1)
    return Error{
        .message = "fleet takes one scenario, not " + std::to_string(scenarios_.size()) + ": " + join(scenarios_, ", "),
        .help = "Task definitions are given by --task FILE=COUNT."};
  if (scenarios_.empty() && tasks_.empty() && !cluster_.has_cluster()) {
    return Error{.message = "nothing to plan for",
                 .help = "Name a scenario file, or write: bayplan fleet --task web.json=10"};
  }
  if (market_.keeps_cluster && scenarios_.empty() && !cluster_.has_cluster())
    return Error{.message = "--add-only requires an existing cluster",
                 .help = "Add --cluster PATH or --instances TYPE=N."};
  auto request = cluster_.request(catalog);
  if (!request) return request.error();
  request->command = name();
  if (!scenarios_.empty()) request->scenario = scenarios_.front();
  request->tasks = tasks_;
  if (zones_ && !to_integer(*zones_)) request->zones = names_in(*zones_);
  request->takes_services = true;
  request->keeps_groups = true;
  request->may_be_idle = true;
  return request;
}

Result<study::FleetRequest> FleetCommand::fleet_request(Scenario& scenario) const {
  if (most_types_ && *most_types_ < 1)
    return Error{.message = "--max-types must be a positive number, not " + std::to_string(*most_types_)};
  const auto threads = parse_jobs(jobs_);
  if (!threads) return threads.error();
  study::FleetRequest request;
  request.effort = effort_.value_or(study::FleetRequest{}.effort);
  if (gap_) {
    const auto gap = parse_gap(*gap_);
    if (!gap) return Error{.message = "--gap must be a percentage from 0 to 100, not '" + *gap_ + "'"};
    request.gap = *gap;
  }
  request.threads = *threads;
  request.orders = orders_;
  request.most_types = most_types_.value_or(0);
  request.keeps_cluster = market_.keeps_cluster;
  request.deployable = deployable_;
  request.survives_zone_loss = survives_zone_loss_;
  if (headroom_) {
    const auto percent = parse_percent(*headroom_);
    if (!percent || *percent > kMostHeadroom)
      return Error{.message = "--headroom must be a percentage from 0 to 1000, not '" + *headroom_ + "'",
                   .help = "For example: --headroom 12.5%"};
    request.headroom_percent = *percent;
  }
  request.zones = study::list_zones(scenario);
  if (zones_) {
    auto zones = stated_zones(*zones_, scenario);
    if (!zones) return zones.error();
    request.zones = std::move(*zones);
  }
  if (auto refused = study::refuse_request(request)) return std::move(*refused);
  return request;
}

Result<fleet::MarketRequest> FleetCommand::market_request() const {
  fleet::MarketRequest request = market_;
  if (trunking_ == "on" || trunking_ == "off") request.trunking = trunking_ == "on";
  if (!burst_baseline_) return request;
  const auto percent = parse_percent(*burst_baseline_);
  if (!percent || *percent > kHundredPercent) {
    return Error{.message = "--burst-baseline must be a percentage from 0 to 100, not '" + *burst_baseline_ + "'",
                 .help = "It is the CPU that tasks use, of what they reserve. For example: --burst-baseline 30%"};
  }
  request.burst_percent = *percent;
  return request;
}

std::optional<Error> FleetCommand::refuse_load() const {
  const auto refuse = [](std::string_view flag, std::string help) {
    return Error{.message = fmt::format("{} does not support a load curve", flag), .help = std::move(help)};
  };
  if (market_.keeps_cluster) return refuse("--add-only", "plan all instances of each hour, without --add-only");
  if (deployable_) return refuse("--deployable", "plan the peak with --deployable and without a load");
  return std::nullopt;
}

Result<std::optional<study::SpotRequest>> FleetCommand::spot_request() const {
  using Request = std::optional<study::SpotRequest>;
  if (!spot_) {
    const char* flag = spot_pools_                ? "--spot-pools"
                       : !spot_prices_.empty()    ? "--spot-prices"
                       : !spot_discounts_.empty() ? "--spot-discount"
                                                  : nullptr;
    if (flag == nullptr) return Request();
    return Error{.message = fmt::format("{} requires --spot", flag), .help = "For example: --spot 70%"};
  }
  const auto percent = parse_percent(*spot_);
  if (!percent || *percent == Percent{} || *percent > kHundredPercent)
    return Error{.message = "--spot must be a percentage above 0, at most 100, not '" + *spot_ + "'",
                 .help = "For example: --spot 70%"};
  study::SpotRequest request;
  request.percent = *percent;
  request.pools = spot_pools_.value_or(request.pools);
  if (request.pools < 1 || request.pools > study::kMostPools)
    return Error{
        .message = fmt::format("--spot-pools must be a number from 1 to {}, not {}", study::kMostPools, request.pools)};
  if (spot_prices_.empty() && spot_discounts_.empty()) {
    return Error{.message = "Spot prices change by the hour, and none are built in",
                 .help =
                     "Save `aws ec2 describe-spot-price-history --product-descriptions Linux/UNIX` and name the file "
                     "with --spot-prices, or state a factor: --spot-discount '*=0.35'."};
  }
  const auto refuse = [](std::string_view flag) {
    return Error{.message = fmt::format("{} and --spot cannot be combined", flag),
                 .help = "Plan the On-Demand part alone with that flag."};
  };
  if (market_.keeps_cluster) return refuse("--add-only");
  if (deployable_) return refuse("--deployable");
  if (survives_zone_loss_) return refuse("--survive-zone-loss");
  if (compare_) return refuse("--compare");
  if (start_task_) return refuse("--start-task");
  return Request(request);
}

FleetCommand::Loaded<FleetCommand::TasksToPlan> FleetCommand::load_tasks(const Scenario& settled,
                                                                         const catalog::Catalog& catalog,
                                                                         const Files& files,
                                                                         const Limits& limits) const {
  auto throughput = study::load_throughput(settled, catalog);
  if (!throughput.errors.empty()) return {std::nullopt, std::move(throughput.errors)};
  TasksToPlan tasks;
  tasks.throughput = std::move(throughput.list);
  tasks.scenario = market_.keeps_cluster ? settled : study::tasks_to_plan(settled);
  auto load = study::load_curve(tasks.scenario, load_, files, limits);
  if (tasks.scenario.timetable.has_time) {
    if (load.curve) return {std::nullopt, placement::refuse_over_time(tasks.scenario, "fleet with a load")};
    if (load.errors.empty()) load = study::curve_over_time(tasks.scenario);
    tasks.scenario = study::without_times(std::move(tasks.scenario));
  }
  if (!load.errors.empty()) return {std::nullopt, std::move(load.errors)};
  tasks.load = std::move(load.curve);
  if (tasks.load) {
    if (auto refused = refuse_load()) return {std::nullopt, {std::move(*refused)}};
    tasks.scenario = study::with_counts(std::move(tasks.scenario), tasks.load->peak());
  }
  auto spot = spot_request();
  if (!spot) return {std::nullopt, {spot.error()}};
  if (*spot && tasks.load) return {std::nullopt, {Error{.message = "--spot does not support a load curve"}}};
  tasks.spot = *spot;
  auto request = fleet_request(tasks.scenario);
  if (!request) return {std::nullopt, {request.error()}};
  tasks.request = std::move(*request);
  if (tasks.load && !effort_) tasks.request.effort = study::kEffortWithLoad;
  return {std::move(tasks), {}};
}

FleetCommand::Loaded<FleetCommand::PricedTasks> FleetCommand::load_market(TasksToPlan tasks, fleet::MarketRequest asked,
                                                                          const catalog::Catalog& catalog,
                                                                          const Files& files,
                                                                          const Limits& limits) const {
  PricedTasks priced;
  priced.on_managed = study::take_managed_tasks(tasks.scenario);
  if (priced.on_managed && tasks.load) {
    return {std::nullopt,
            {Error{.message = "tasks on ECS Managed Instances have no fleet with a load: ECS launches instances hour "
                              "by hour",
                   .help = "'bayplan place --until' simulates them over time"}}};
  }
  auto market = fleet::load_market(asked, tasks.scenario, catalog, files, limits);
  if (!market.market) return {std::nullopt, std::move(market.errors)};
  priced.market_request = std::move(asked);
  priced.market = std::move(*market.market);
  priced.tasks = std::move(tasks);
  if (priced.tasks.spot) {
    auto spot = load_spot_part(priced, catalog, files, limits);
    if (!spot.value) return {std::nullopt, std::move(spot.errors)};
    const auto counts = study::on_demand_counts(spot.value->tasks, priced.tasks.spot->percent);
    priced.tasks.scenario = study::with_counts(spot.value->tasks, counts);
    priced.tasks.request.zones = spot.value->zones;
    priced.spot = std::move(spot.value);
  }
  auto terms = study::load_payment_terms(priced.tasks.scenario, commitments_, priced.market, catalog);
  if (!terms.errors.empty()) return {std::nullopt, std::move(terms.errors)};
  priced.terms = std::move(terms.terms);
  return {std::move(priced), {}};
}

FleetCommand::Loaded<FleetCommand::SpotPart> FleetCommand::load_spot_part(const PricedTasks& on_demand,
                                                                          const catalog::Catalog& catalog,
                                                                          const Files& files,
                                                                          const Limits& limits) const {
  const TasksToPlan& tasks = on_demand.tasks;
  const fleet::MarketRequest& stated = on_demand.market_request;
  if (on_demand.market.has_spot_prices) {
    return {std::nullopt,
            {{.message = "--spot needs On-Demand prices for the tasks that stay On-Demand: --prices has Spot prices",
              .help = "State the Spot prices with --spot-prices instead of --prices."}}};
  }
  if (auto refused = study::refuse_spot(tasks.scenario, *tasks.spot)) return {std::nullopt, {std::move(*refused)}};
  fleet::MarketRequest asked;
  asked.types = stated.types;
  asked.prices = spot_prices_.empty() ? stated.prices : spot_prices_;
  asked.discounts = spot_discounts_;
  asked.burst_percent = stated.burst_percent;
  asked.trunking = stated.trunking;
  auto market = fleet::load_market(asked, tasks.scenario, catalog, files, limits);
  if (!market.market) return {std::nullopt, std::move(market.errors)};
  SpotPart part{tasks.scenario, std::move(*market.market), tasks.request.zones};
  for (auto& one : part.market.assumptions) {
    if (one.id == "spot-prices")
      one.text =
          fmt::format("prices are the newest Spot price of each pool in {}: they change by the hour", one.subject);
    part.tasks.assumptions.push_back(one);
  }
  if (spot_prices_.empty()) {
    part.tasks.assumptions.push_back(
        {"spot-price-factor", "", "Spot prices are On-Demand prices times the factor of --spot-discount"});
  }
  if (part.zones.empty()) {
    for (const auto& [pool, price] : part.market.pool_prices) {
      auto zone = pool.substr(pool.find('@') + 1);
      if (std::find(part.zones.begin(), part.zones.end(), zone) == part.zones.end())
        part.zones.push_back(std::move(zone));
    }
    std::sort(part.zones.begin(), part.zones.end());
  }
  constexpr std::int64_t kZones = 3;
  if (part.zones.empty()) part.zones = study::first_zones(kZones, part.tasks);
  return {std::move(part), {}};
}

FleetCommand::Planned FleetCommand::plan(PricedTasks priced, const catalog::Catalog& catalog) const {
  TasksToPlan& tasks = priced.tasks;
  Planned planned;
  planned.scenario = std::move(tasks.scenario);
  planned.market = std::move(priced.market);
  planned.request = std::move(tasks.request);
  const auto& scenario = planned.scenario;
  const auto& market = planned.market;
  const auto& request = planned.request;
  const auto& plan = planned.plan;
  planned.plan = study::plan_fleet(scenario, market, request);
  const bool has_fleet = plan.tasks > 0 && plan.left_over() == 0 && plan.mistakes.empty();
  if (has_fleet && (tasks.load || priced.terms.is_stated())) {
    const auto curve = tasks.load ? *tasks.load : study::constant_load(scenario);
    if (priced.spot) {
      planned.payment = study::plan_payment(scenario, market, request, plan, curve, priced.terms);
    } else {
      auto paid = study::plan_paid_fleet(scenario, market, request, std::move(planned.plan), curve, priced.terms);
      planned.plan = std::move(paid.plan);
      planned.payment = std::move(paid.payment);
    }
    leave_out_failed(planned.payment, planned.withdrawn);
  }
  if (priced.spot) {
    auto spot = study::plan_spot(priced.spot->tasks, priced.spot->market, *tasks.spot, request, market, plan);
    if (!spot) {
      planned.errors = {spot.error()};
      return planned;
    }
    planned.spot = std::move(*spot);
    planned.plan.review.rollouts = {};  // of a part of each service
    planned.mistakes = planned.spot->mistakes;
    append(planned.spot->withdrawn, planned.withdrawn);
  } else {
    const lint::Tools tools;
    planned.launch_types = study::compare_launch_types(scenario, market, request, plan, catalog, tools);
    if (plan.mistakes.empty())
      planned.trunked = study::compare_trunking(scenario, market, request, plan, trunking_ == "compare");
  }
  append(plan.mistakes, planned.mistakes);
  if (!planned.mistakes.empty()) return planned;
  append(plan.withdrawn, planned.withdrawn);
  planned.by_start_task = study::find_fleet_by_start_task(scenario, market, request, plan);
  if (planned.by_start_task && !planned.by_start_task->mistakes.empty()) {
    append(planned.by_start_task->mistakes, planned.withdrawn);
    planned.by_start_task.reset();
  }
  planned.rates = study::compute_rates(tasks.throughput, scenario, plan.review.placed, catalog);
  return planned;
}

int FleetCommand::write(const Planned& planned, const std::vector<Output>& outputs, const report::ClusterView& view,
                        const GlobalOptions& global, Streams& io) const {
  const auto& [scenario, market, request, plan, rates, launch_types, payment, spot, trunked, by_start_task, managed,
               withdrawn, errors, mistakes] = planned;
  // A fleet of millions of instances has as many assignments, which a text does not show.
  const bool shows_assignments = start_task_ || has_format(outputs, {"json"});
  std::vector<fleet::Assignment> assignments;
  if (shows_assignments)
    assignments = fleet::assignments(scenario, market, plan.question, plan.ideal.packing, request.keeps_cluster);
  const bool shows_cluster = view.is_asked() || has_format(outputs, {"html", "svg"});
  const auto filled = shows_cluster ? study::fill_recommended_fleet(scenario, market, request, plan) : std::nullopt;
  std::optional<report::PlaceReport> cluster;
  if (filled) {
    cluster.emplace(report::PlaceReport{filled->scenario, filled->outcome,
                                        placement::summarize(filled->scenario, filled->outcome)});
  }
  const report::FleetReport report{scenario,
                                   market,
                                   request,
                                   plan,
                                   assignments,
                                   rates,
                                   market_.prices,
                                   launch_types,
                                   payment ? &*payment : nullptr,
                                   spot ? &*spot : nullptr,
                                   by_start_task ? &*by_start_task : nullptr,
                                   trunked ? &*trunked : nullptr,
                                   managed ? &*managed : nullptr,
                                   cluster ? &*cluster : nullptr};
  return write_report(outputs, kFleetFormats, PlannedFleet{report, {start_task_, compare_, view}}, global, io);
}

int FleetCommand::run(const GlobalOptions& global, Streams& io) {
  const auto outputs = parse_outputs(global, formats());
  if (!outputs) return fail(io, outputs.error());
  const auto view = view_.view(*outputs);
  if (!view) return fail(io, view.error());
  Stats stats(global.stats, io);
  stats.phase("catalog");
  auto catalog = catalog::Catalog::load();
  if (const auto misplaced = misplaced_argument(name(), scenarios_, tasks_, io.files)) return fail(io, *misplaced);
  const auto asked = scenario_request(catalog);
  if (!asked) return fail(io, asked.error());

  stats.phase("read");
  const auto limits = input_limits(global);
  const auto loaded = study::load_settled(*asked, io.files, catalog, limits);
  if (!loaded.scenario) return fail_all(io, loaded.errors);
  if (const auto errors = study::not_plannable(*loaded.scenario); !errors.empty()) return fail_all(io, errors);
  const auto time_limit = parse_time_limit(time_limit_);
  if (!time_limit) return fail(io, time_limit.error());
  auto tasks = load_tasks(*loaded.scenario, catalog, io.files, limits);
  if (!tasks.value) return fail_all(io, tasks.errors);
  const auto market = market_request();
  if (!market) return fail(io, market.error());
  stats.phase("lint");
  if (!no_lint_ && !accept_scenario(*loaded.scenario, asked->parameters, global, io)) return kUnusable;

  stats.phase("market");
  auto priced = load_market(std::move(*tasks.value), *market, catalog, io.files, limits);
  if (!priced.value) return fail_all(io, priced.errors);
  study::FleetRequest& request = priced.value->tasks.request;
  stats.size(count_of(static_cast<std::int64_t>(priced.value->market.offers.size()), "offer"));
  std::optional<study::ManagedFleet> managed;
  if (auto& on_managed = priced.value->on_managed) {
    stats.phase("simulate Managed Instances");
    auto launched = study::launch_managed_fleet(std::move(*on_managed), *market, request, catalog, io.files, limits);
    if (!launched.fleet) return fail_all(io, launched.errors);
    if (!launched.fleet->mistakes.empty()) return internal_error(io, launched.fleet->mistakes);
    managed = std::move(launched.fleet);
  }

  stats.phase("plan");
  FleetProgress progress(io, request.effort, *time_limit);
  request.stop = [&progress](const study::FleetProgress& state) { return progress.look(state); };
  request.grace = [&progress] { return progress.has_grace(); };
  auto planned = plan(std::move(*priced.value), catalog);
  planned.managed = std::move(managed);
  progress.clear();
  if (!planned.errors.empty()) return fail_all(io, planned.errors);
  stats.size(count_of(planned.plan.tasks, "task"));
  if (!planned.mistakes.empty()) return internal_error(io, planned.mistakes);

  stats.phase("report");
  const int written = write(planned, *outputs, *view, global, io);
  stats.print();
  if (written != kClean) return written;
  if (!planned.withdrawn.empty()) return internal_error(io, planned.withdrawn, Reported::kWhatHolds);
  const auto& plan = planned.plan;
  const bool is_survivable = !survives_zone_loss_ || plan.fill.recommended || plan.tasks == 0;
  const bool is_kept = is_survivable && (!deployable_ || plan.review.rollouts.all_roll());
  const bool are_launched = !planned.managed || planned.managed->unplaced.empty();
  return plan.question.unplaceable.empty() && plan.left_over() == 0 && is_kept && are_launched ? kClean : kFindings;
}

std::unique_ptr<Command> fleet_command() {
  return std::make_unique<FleetCommand>();
}

}  // namespace bayplan::cli

#include "bayplan/fleet.hpp"

#include <cmath>
#include <utility>

#include "base/decimal.hpp"
#include "fleet/offers/market.hpp"
#include "library/errors.hpp"
#include "library/loaded_input.hpp"
#include "placement/engine/checks.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_words.hpp"
#include "study/fleet/fleet_plan.hpp"
#include "study/fleet/fleet_tasks.hpp"
#include "study/fleet/fleet_terms.hpp"
#include "study/fleet/managed_fleet.hpp"

namespace bayplan::v0 {
namespace {

using bayplan::fleet::Market;
using bayplan::fleet::Purchases;
using bayplan::placement::Scenario;

std::vector<std::string> assignments_of(const std::map<std::string, std::int64_t>& numbers) {
  std::vector<std::string> list;
  for (const auto& [name, number] : numbers) list.push_back(name + "=" + std::to_string(number));
  return list;
}

bayplan::fleet::MarketRequest market_request(const FleetOptions& options) {
  bayplan::fleet::MarketRequest request;
  request.types = options.types;
  request.prices = options.prices;
  for (const auto& discount : options.discounts)
    request.discounts.push_back(discount.types + "=" + plain_decimal(discount.factor));
  request.limits = assignments_of(options.limits);
  request.owned = assignments_of(options.owned);
  request.quotas = assignments_of(options.vcpu_quotas);
  request.allow_unpriced = options.allow_unpriced;
  request.keeps_cluster = options.add_only;
  return request;
}

Result<std::vector<std::string>> list_zones(const FleetOptions& options, Scenario& scenario) {
  if (const auto* names = std::get_if<std::vector<std::string>>(&options.zones)) return *names;
  const auto* count = std::get_if<std::int64_t>(&options.zones);
  if (count == nullptr) return bayplan::study::list_zones(scenario);
  if (*count < 1 || *count > bayplan::study::kMostZones)
    return Error{.message = "zones must be a number from 1 to " + std::to_string(bayplan::study::kMostZones)};
  return bayplan::study::first_zones(*count, scenario);
}

/// Between steps it asks the caller, if there is one to ask.
std::optional<bayplan::study::FleetStop> ask(const FleetOptions& options, const bayplan::study::FleetProgress& state) {
  if (!options.go_on) return std::nullopt;
  const auto& packing = state.packing;
  if (options.go_on({packing.cost, packing.lower_bound, packing.effort})) return std::nullopt;
  return bayplan::study::FleetStop::kInterrupt;
}

Result<bayplan::study::FleetRequest> plan_request(const FleetOptions& options, Scenario& scenario) {
  bayplan::study::FleetRequest request;
  request.effort = options.effort;
  if (!(options.gap >= 0 && options.gap <= 1)) return Error{.message = "gap must be from 0 to 1"};
  request.gap = options.gap;
  request.orders = options.orders;
  constexpr double kMostHeadroom = 1e6;  // refuse_request has the limit of a plan
  if (!(options.headroom_percent >= 0 && options.headroom_percent <= kMostHeadroom))
    return Error{.message = "headroom_percent must be from 0 to 1000"};
  request.headroom_percent = {std::llround(options.headroom_percent * 100)};
  if (options.max_types && *options.max_types < 1) return Error{.message = "max_types must be a number above 0"};
  request.most_types = options.max_types.value_or(0);
  request.keeps_cluster = options.add_only;
  request.deployable = options.deployable;
  request.survives_zone_loss = options.survive_zone_loss;
  auto zones = list_zones(options, scenario);
  if (!zones) return zones.errors();
  request.zones = std::move(*zones);
  if (auto refused = bayplan::study::refuse_request(request)) return public_error(std::move(*refused));
  request.stop = [&options](const bayplan::study::FleetProgress& state) { return ask(options, state); };
  return request;
}

Fleet public_fleet(const Purchases& purchases, bayplan::MicroUsd cost, const Market& market) {
  Fleet made{{}, cost};
  for (const auto& one : purchases) {
    const auto& offer = market.offers[one.offer];
    made.purchases.push_back(
        {offer.profile.instance_type, one.availability_zone, one.count, offer.hourly_price, offer.is_owned});
  }
  return made;
}

FilledFleet public_filled(const bayplan::fleet::FilledFleet& filled, const bayplan::report::FleetReport& report) {
  using bayplan::placement::ConstraintType;
  FilledFleet made;
  made.fleet = public_fleet(filled.purchases, filled.hourly_cost, report.market);
  made.strategy = filled.policy.name;
  made.largest_first = filled.policy.order == bayplan::placement::TaskOrder::kLargestFirst;
  made.orders = filled.orders;
  made.confirmed_orders = filled.confirmed;
  for (const auto& [workload, constraint] : filled.policy.constraints) {
    const bool is_distinct = constraint.type == ConstraintType::kDistinctInstance;
    made.added_constraints.emplace_back(report.scenario.workloads[workload].name,
                                        is_distinct ? "distinctInstance" : constraint.source);
  }
  return made;
}

StoppedBy public_stop(bayplan::study::FleetStop stop) {
  switch (stop) {
    case bayplan::study::FleetStop::kProof:
      return StoppedBy::kProof;
    case bayplan::study::FleetStop::kGap:
      return StoppedBy::kGap;
    case bayplan::study::FleetStop::kEffort:
      return StoppedBy::kEffort;
    case bayplan::study::FleetStop::kTime:
    case bayplan::study::FleetStop::kInterrupt:
      break;
  }
  return StoppedBy::kCaller;
}

FleetProof public_proof(const bayplan::study::FleetPlan& plan) {
  using bayplan::study::Proof;
  FleetProof made;
  made.lower_bound = plan.lower_bound;
  made.optimal = plan.optimal;
  made.method = bayplan::report::bound_method(plan);
  made.certificate_checked = plan.proof != Proof::kNotChecked;
  made.on_trust = plan.proof != Proof::kChecked;
  made.stopped_by = public_stop(plan.stopped_by);
  for (const auto& one : plan.question.relaxed) made.relaxations.push_back({one.id, one.subject, one.text});
  return made;
}

Unplaceable public_unplaceable(const bayplan::fleet::Unplaceable& one, const Scenario& scenario) {
  const auto& workload = scenario.workloads[one.workload];
  Unplaceable made{
      workload.name, scenario.task_definitions[workload.task_definition].name, one.count, one.contradiction, {}};
  for (const auto& rejection : one.rejections) {
    TypeRejection type{rejection.instance_type, {}, bayplan::report::rejection_words(rejection)};
    for (const auto check : rejection.failed.list()) type.reasons.push_back(bayplan::placement::reason_text(check));
    made.types.push_back(std::move(type));
  }
  return made;
}

FleetReport public_report(const bayplan::report::FleetReport& report) {
  const auto& plan = report.plan;
  FleetReport made;
  made.answer = bayplan::report::fleet_headline(report);
  made.region = report.market.region;
  made.counts_vcpus = report.market.counts_vcpus;
  made.tasks = plan.tasks;
  made.left_over = plan.left_over();
  if (plan.fill.recommended) made.recommended = public_filled(*plan.fill.recommended, report);
  if (plan.tasks > 0 && made.left_over == 0) {
    made.ideal = public_fleet(plan.ideal.purchases, plan.ideal.hourly_cost, report.market);
    made.proof = public_proof(plan);
  }
  for (const auto& one : plan.question.unplaceable)
    made.unplaceable.push_back(public_unplaceable(one, report.scenario));
  made.contradiction = plan.contradiction;
  if (report.managed != nullptr) {
    for (const auto& one : report.managed->instances)
      made.managed_instances.push_back({one.capacity_provider, one.instance_type, one.count, one.hourly_price});
    made.managed_unplaced = report.managed->unplaced;
  }
  for (const auto& one : bayplan::report::collect_assumptions(report))
    made.assumptions.push_back({one.id, one.subject, one.text});
  return made;
}

/// What the program refuses before it reads anything.
std::optional<Error> nothing_to_plan(const ScenarioInput& input, const FleetOptions& options) {
  const bool has_cluster = input.cluster || !input.instances.empty();
  if (options.add_only && input.path.empty() && !has_cluster)
    return Error{.message = "add_only keeps a cluster, and there is none", .help = "name one, or instances"};
  if (!input.path.empty() || !input.tasks.empty() || has_cluster) return std::nullopt;
  return Error{.message = "nothing to plan for", .help = "name a scenario, tasks, or a live cluster"};
}

}  // namespace

Result<FleetReport> plan_fleet(const ScenarioInput& input, const FleetOptions& options) {
  if (auto error = nothing_to_plan(input, options)) return std::move(*error);
  auto catalog = bayplan::catalog::Catalog::load();
  auto asked = request_of(input, catalog);
  if (!asked) return asked.errors();
  asked->constraints = options.constraints;
  asked->takes_services = asked->keeps_groups = asked->may_be_idle = true;
  const InputFiles files(input.texts, input.reads_disk);
  const auto limits = limits_of(input);
  const auto loaded = load(*asked, files, catalog, limits);
  if (!loaded) return loaded.errors();
  if (auto errors = bayplan::study::not_plannable(*loaded); !errors.empty()) return public_errors(std::move(errors));
  auto scenario = options.add_only ? *loaded : bayplan::study::tasks_to_plan(*loaded);
  const auto request = plan_request(options, scenario);
  if (!request) return request.errors();
  if (auto errors = refused_definitions(input, *loaded); !errors.empty()) return errors;
  const auto market_options = market_request(options);
  auto on_managed = bayplan::study::take_managed_tasks(scenario);
  auto market = bayplan::fleet::load_market(market_options, scenario, catalog, files, limits);
  if (!market.market) return public_errors(std::move(market.errors));
  std::optional<bayplan::study::ManagedFleet> managed;
  if (on_managed) {
    auto launched =
        bayplan::study::launch_managed_fleet(std::move(*on_managed), market_options, *request, catalog, files, limits);
    if (!launched.fleet) return public_errors(std::move(launched.errors));
    if (!launched.fleet->mistakes.empty()) return internal_errors(launched.fleet->mistakes);
    managed = std::move(launched.fleet);
  }
  const auto plan = bayplan::study::plan_fleet(scenario, *market.market, *request);
  if (!plan.mistakes.empty()) return internal_errors(plan.mistakes);
  if (!plan.withdrawn.empty()) return internal_errors(plan.withdrawn);
  bayplan::report::FleetReport report{scenario, *market.market, *request, plan, {}, {}, market_options.prices, {}};
  report.managed = managed ? &*managed : nullptr;
  return public_report(report);
}

}  // namespace bayplan::v0

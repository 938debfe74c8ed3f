#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/json_writer.hpp"
#include "fleet/offers/price_dates.hpp"
#include "packing/money.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/memory_doubt.hpp"
#include "report/fleet/fleet_launch_types.hpp"
#include "report/fleet/fleet_managed.hpp"
#include "report/fleet/fleet_payment.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_spot.hpp"
#include "report/fleet/fleet_words.hpp"

namespace bayplan::report {

using fleet::FilledFleet;
using fleet::Purchases;
using Layout = JsonWriter::Layout;

namespace {

/// Left out for want of a price in the region, or planned with at another.
std::vector<std::string> unpriced_types(const FleetReport& report) {
  std::vector<std::string> names;
  for (const auto& one : report.market.left_out) {
    if (one.is_unpriced) names.push_back(one.instance_type);
  }
  for (const auto& offer : report.market.offers) {
    const auto& name = offer.profile.instance_type;
    if (!offer.exists() && !offer.listed && (names.empty() || names.back() != name)) names.push_back(name);
  }
  return names;
}

/// Types that may be bought at a price that is derived from others.
std::vector<std::string> estimated_types(const FleetReport& report) {
  std::vector<std::string> names;
  for (const auto& offer : report.market.offers) {
    const auto& name = offer.profile.instance_type;
    if (offer.listed && offer.listed->is_estimated() && (names.empty() || names.back() != name)) names.push_back(name);
  }
  return names;
}

void write_prices(JsonWriter& json, const FleetReport& report) {
  const auto days = price_dates(report.market);
  json.key("prices").begin_object(Layout::kLine).member("region", report.market.region);
  json.member_or_null("oldest", days.oldest);
  json.member_or_null("newest", days.newest);
  json.key("sources").begin_array(Layout::kLine);
  for (const auto& source : days.sources) json.value(source);
  json.end_array().member("countsVcpus", report.market.counts_vcpus).key("unpriced").begin_array(Layout::kLine);
  for (const auto& name : unpriced_types(report)) json.value(name);
  json.end_array().key("estimated").begin_array(Layout::kLine);
  for (const auto& name : estimated_types(report)) json.value(name);
  json.end_array().end_object();
  json.key("leftOut").begin_array();
  for (const auto* list : {&report.market.left_out, &report.plan.question.left_out}) {
    for (const auto& one : *list)
      json.begin_object(Layout::kLine).member("instanceType", one.instance_type).member("why", one.why).end_object();
  }
  json.end_array();
}

void write_left_over(JsonWriter& json, const study::FleetPlan& plan, const std::vector<std::string>& names) {
  const auto& counts = plan.bounded.solution.left_over;
  json.key("leftOver").begin_object(Layout::kLine);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) json.member(names[i], counts[i]);
  }
  json.end_object();
}

void write_fleet(JsonWriter& json, const FleetReport& report, const Purchases& purchases) {
  json.key("fleet");
  write_purchases_json(json, report.market, purchases);
}

void write_filled(JsonWriter& json, const FleetReport& report, const FilledFleet& fleet) {
  write_fleet(json, report, fleet.purchases);
  json.member("hourlyCost", usd_number(fleet.hourly_cost));
  json.member("strategy", fleet.policy.name);
  json.member("order", fleet.policy.order == placement::TaskOrder::kLargestFirst ? "largestFirst" : "any");
  json.member("orders", fleet.orders).member("confirmedOrders", fleet.confirmed);
  json.key("placementConstraints").begin_array(Layout::kLine);
  for (const auto& [workload, constraint] : fleet.policy.constraints) {
    const bool is_distinct = constraint.type == placement::ConstraintType::kDistinctInstance;
    json.begin_object(Layout::kLine).member("name", report.scenario.workloads[workload].name);
    json.member("type", is_distinct ? "distinctInstance" : "memberOf");
    if (!is_distinct) json.member("expression", constraint.source);
    json.end_object();
  }
  json.end_array();
}

void write_recommended(JsonWriter& json, const FleetReport& report) {
  json.key("recommended");
  if (!report.plan.fill.recommended) {
    json.null();
    return;
  }
  json.begin_object();
  write_filled(json, report, *report.plan.fill.recommended);
  json.end_object();
}

bool has_plan(const study::FleetPlan& plan) {
  return plan.tasks > 0 && plan.left_over() == 0;
}

void write_assignment(JsonWriter& json, const FleetReport& report, const fleet::Assignment& one) {
  std::map<std::string_view, std::int64_t> tasks;
  for (const auto& [workload, count] : one.tasks)
    tasks[report.scenario.task_definitions[report.scenario.workloads[workload].task_definition].name] += count;
  json.begin_object(Layout::kLine).member("instance", one.instance).key("tasks").begin_object(Layout::kLine);
  for (const auto& [name, count] : tasks) json.member(name, count);
  json.end_object().end_object();
}

void write_ideal(JsonWriter& json, const FleetReport& report) {
  json.key("ideal");
  if (!has_plan(report.plan)) {
    json.null();
    return;
  }
  json.begin_object();
  write_fleet(json, report, report.plan.ideal.purchases);
  json.member("hourlyCost", usd_number(report.plan.ideal.hourly_cost)).key("assignments").begin_array();
  for (const auto& one : report.assignments) write_assignment(json, report, one);
  json.end_array().end_object();
}

double exact_micro_usd(packing::NanoUsd amount) {
  return static_cast<double>(amount) / static_cast<double>(packing::kNanoUsdPerMicroUsd);
}

void write_micro_by_shape(JsonWriter& json, const study::FleetPlan& plan, const std::vector<std::string>& names,
                          std::string_view key) {
  const auto& worth = plan.bounded.solution.certificate.duals.worth;
  json.key(key).begin_object(Layout::kLine);
  for (std::size_t i = 0; i < worth.size(); ++i) json.member(names[i], exact_micro_usd(worth[i]));
  json.end_object();
}

void write_certificate(JsonWriter& json, const study::FleetPlan& plan, const std::vector<std::string>& names) {
  const auto& solution = plan.bounded.solution;
  json.begin_object();
  write_micro_by_shape(json, plan, names, "duals");
  json.member("unit", "microUSD").member("bound", exact_micro_usd(solution.certificate.bound));
  write_list(json, "scope", plan.question.dimensions);
  std::vector<std::string> relaxed;
  for (const auto& one : plan.question.relaxed) {
    if (std::find(relaxed.begin(), relaxed.end(), one.id) == relaxed.end()) relaxed.push_back(one.id);
  }
  write_list(json, "relaxed", relaxed);
  json.member("verified", plan.proof != study::Proof::kNotChecked);
  json.key("onTrust").begin_array(Layout::kLine);
  if (plan.proof == study::Proof::kSearchTree) json.value("searchTree");
  if (plan.proof == study::Proof::kNotChecked) json.value("certificate");
  json.end_array().end_object();
}

/// How far the bound is below the cost, as a share of the cost: what solvers report as the gap of an incumbent.
void write_gap(JsonWriter& json, std::string_view key, std::optional<MicroUsd> cost, MicroUsd bound) {
  json.key(key);
  if (!cost || (bound <= 0 && *cost > bound)) {
    json.null();
  } else {
    json.value(*cost <= bound ? 0.0 : static_cast<double>(*cost - bound) / static_cast<double>(*cost));
  }
}

void write_proof(JsonWriter& json, const study::FleetPlan& plan, const std::vector<std::string>& names) {
  const auto& solution = plan.bounded.solution;
  const auto bound = solution.lower_bound;
  json.key("lowerBound");
  has_plan(plan) ? json.value(usd_number(bound)) : json.null();
  json.key("fleetLowerBound");
  has_plan(plan) ? json.value(usd_number(plan.lower_bound)) : json.null();
  write_gap(json, "gap", has_plan(plan) ? std::optional(plan.ideal.hourly_cost) : std::nullopt, bound);
  const auto& recommended = plan.fill.recommended;
  write_gap(json, "fleetGap", recommended ? std::optional(recommended->hourly_cost) : std::nullopt, plan.lower_bound);
  json.member("optimal", plan.optimal).member("boundMethod", bound_method(plan));
  // Whoever ended it, it was by the clock: `answer` says who.
  const bool is_interrupted = plan.stopped_by == study::FleetStop::kInterrupt;
  const auto stopped_by = is_interrupted ? study::FleetStop::kTime : plan.stopped_by;
  json.member("stoppedBy", name_of(stopped_by)).member("effort", solution.effort);
  json.member("fillExhausted", plan.fill.exhausted);
  json.member("fillMethod", name_of(plan.fill.method));
  json.key("certificate");
  has_plan(plan) && !plan.has_withdrawn_bound() ? write_certificate(json, plan, names) : static_cast<void>(json.null());
  json.key("relaxations").begin_array();
  for (const auto& one : plan.question.relaxed)
    json.begin_object(Layout::kLine)
        .member("id", one.id)
        .member("subject", one.subject)
        .member("text", one.text)
        .end_object();
  json.end_array();
}

placement::Summary make_summary(const study::Use& use) {
  placement::Summary summary;
  summary.cpu = use.cpu;
  summary.memory = use.memory;
  summary.gpu_devices = use.gpu;
  summary.neuron_devices = use.neuron;
  return summary;
}

void write_binding(JsonWriter& json, const study::FleetUse& use) {
  json.member_or_null("bindingResource", use.binding_resource());
}

void write_use(JsonWriter& json, const study::FleetPlan& plan) {
  const auto& use = plan.use();
  write_utilization(json, make_summary(use.all));
  write_binding(json, use);
}

void write_marginal_prices(JsonWriter& json, const study::FleetPlan& plan, const std::vector<std::string>& names) {
  const auto& worth = plan.bounded.solution.certificate.duals.worth;
  json.key("marginalPrice").begin_object(Layout::kLine);
  for (std::size_t i = 0; i < worth.size() && !plan.has_no_bound(); ++i)
    json.member(names[i], exact_micro_usd(worth[i]) / kMicroUsdPerUsd);
  json.end_object();
}

/// Rounds to a micro-USD, because further digits of a floating-point solver are noise.
double rounded(double usd) {
  return std::round(usd * kMicroUsdPerUsd) / kMicroUsdPerUsd;
}

void write_resource_prices(JsonWriter& json, const study::FleetPlan& plan) {
  json.key("marginalResourcePrice").begin_object(Layout::kLine);
  for (const auto& one : plan.resource_prices) json.member(one.resource, rounded(one.usd));
  json.end_object();
}

void write_quota(JsonWriter& json, const FleetReport& report, const Purchases& purchases) {
  json.key("vcpuQuota").begin_object(Layout::kLine);
  for (const auto& [name, vcpus] : study::vcpus_by_quota(report.market, purchases))
    json.member(name.empty() ? "unknown" : name, vcpus);
  json.end_object();
}

void write_deployable(JsonWriter& json, const study::FleetPlan& plan) {
  json.key("deployable").begin_array();
  for (const auto& one : plan.review.rollouts.services) {
    json.begin_object(Layout::kLine).member("serviceName", one.service_name).key("ok");
    one.is_tried ? json.value(one.ok) : json.null();
    json.key("needs").begin_object(Layout::kLine);
    for (const auto& missing : one.needs) json.member(missing.instance_type, missing.count);
    json.end_object().member_or_null("why", one.why);
    json.end_object();
  }
  json.end_array();
}

void write_zones(JsonWriter& json, const study::FleetPlan& plan) {
  json.key("zoneLosses").begin_array();
  for (const auto& loss : plan.review.zone_losses) {
    json.begin_object(Layout::kLine).member("availabilityZone", loss.availability_zone);
    json.member("instances", loss.instances).member("withoutPlace", loss.without_place).end_object();
  }
  json.end_array();
}

void write_fleets(JsonWriter& json, const FleetReport& report, std::string_view key,
                  const std::vector<FilledFleet>& list) {
  json.key(key).begin_array();
  for (const auto& one : list) {
    json.begin_object(Layout::kLine);
    write_filled(json, report, one);
    json.end_object();
  }
  json.end_array();
}

/// Null where no burstable type is bought, and none would be without credits.
void write_credits(JsonWriter& json, const FleetReport& report) {
  json.key("cpuCredits");
  if (credit_words(report).empty()) {
    json.null();
    return;
  }
  json.begin_object();
  write_usd(json, "hourlyCost", reported_credits(report));
  json.member("usePercent", static_cast<double>(report.market.credits.used.hundredths) / 100)
      .key("instanceTypes")
      .begin_array();
  for (const auto& [offer, use] : report.plan.use().offers) {
    const auto& profile = report.market.offers[offer].profile;
    const auto* rate = fleet::find_rate(report.market.credits, profile);
    if (rate == nullptr) continue;
    json.begin_object(Layout::kLine).member("instanceType", profile.instance_type);
    json.member("baselinePercent", static_cast<double>(rate->baseline.permille) / 10);
    json.member("reservedPercent", use.cpu.registered == 0 ? 0.0
                                                           : rounded(100.0 * static_cast<double>(use.cpu.reserved) /
                                                                     static_cast<double>(use.cpu.registered)));
    json.member("unlimitedByDefault", rate->baseline.is_unlimited);
    json.member("vcpuHourPrice", usd_number(rate->price.price / packing::kNanoUsdPerMicroUsd));
    json.member("date", rate->price.date).member("source", rate->price.source);
    json.member("baselineSource", rate->baseline.source);
    write_usd(json, "hourlyCost", use.credits);
    json.end_object();
  }
  json.end_array().key("withoutCredits");
  if (const auto& other = report.plan.without_credits) {
    json.begin_object(Layout::kLine);
    write_fleet(json, report, other->purchases);
    write_usd(json, "hourlyPrice", other->hourly_price);
    write_usd(json, "hourlyCost", other->hourly_cost);
    json.end_object();
  } else {
    json.null();
  }
  json.end_object();
}

/// Absent where it was not compared, or saves nothing.
void write_trunking(JsonWriter& json, const FleetReport& report) {
  if (report.trunked == nullptr) return;
  json.key("withTrunking").begin_object(Layout::kLine);
  write_fleet(json, report, report.trunked->purchases);
  write_usd(json, "hourlyCost", report.trunked->hourly_cost);
  json.member("filledByEcs", report.trunked->is_filled).end_object();
}

/// Absent where ECS placement costs nothing beyond the ideal packing.
void write_better_scheduler(JsonWriter& json, const FleetReport& report) {
  const auto overhead = placement_overhead(report);
  if (!overhead) return;
  json.key("betterScheduler").begin_object();
  write_usd(json, "overhead", overhead);
  json.member("startTaskFillsIdeal", !study::has_services(report.scenario));
  json.key("startTask");
  if (const auto* found = report.by_start_task) {
    json.begin_object(Layout::kLine).member("policy", placement::name_of(found->policy));
    json.member("order", found->order == placement::TaskOrder::kLargestFirst ? "largestFirst" : "given");
    write_fleet(json, report, found->purchases);
    json.member("hourlyCost", usd_number(found->hourly_cost)).end_object();
  } else {
    json.null();
  }
  json.end_object();
}

void write_alternatives(JsonWriter& json, const FleetReport& report) {
  json.key("alternatives").begin_array();
  for (const auto& one : report.plan.alternatives.list) {
    json.begin_object(Layout::kLine);
    write_fleet(json, report, one.purchases);
    const bool is_single = one.kind == study::AlternativeKind::kSingleType;
    json.member("hourlyCost", usd_number(one.hourly_cost)).member("kind", is_single ? "single-type" : "without-type");
    json.member("instanceType", one.instance_type).member("optimal", one.proven).member("filledByEcs", one.filled);
    write_utilization(json, make_summary(one.use.all));
    write_binding(json, one.use);
    write_quota(json, report, one.purchases);
    json.end_object();
  }
  json.end_array();
  write_list(json, "notAlone", report.plan.alternatives.impossible);
}

void write_unplaceable(JsonWriter& json, const FleetReport& report) {
  json.key("unplaceable").begin_array();
  for (const auto& one : report.plan.question.unplaceable) {
    const auto& workload = report.scenario.workloads[one.workload];
    json.begin_object().member("name", workload.name);
    json.member("taskDefinition", report.scenario.task_definitions[workload.task_definition].name);
    json.member("count", one.count).member_or_null("contradiction", one.contradiction);
    json.key("types").begin_array();
    for (const auto& rejection : one.rejections) {
      json.begin_object(Layout::kLine).member("instanceType", rejection.instance_type);
      json.key("reasons").begin_array(Layout::kLine);
      for (const auto check : rejection.failed.list()) json.value(placement::reason_text(check));
      json.end_array().member("text", rejection_words(rejection)).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

void write_rates(JsonWriter& json, const FleetReport& report) {
  json.key("throughput").begin_array();
  for (const auto& family : report.rates) {
    json.begin_object().member("family", family.throughput.family).member("unit", family.throughput.unit);
    json.member("placed", family.placed).member("placedTasks", family.placed_tasks);
    json.key("instances").begin_array();
    for (const auto& row : family.instances) {
      json.begin_object(Layout::kLine).member("instanceType", row.instance_type).member("gpus", row.gpus);
      json.member("tasks", row.tasks).member("rate", row.rate);
      write_usd(json, "hourlyPrice", row.hourly_price);
      json.member("ratePerUsd", row.rate_per_usd).end_object();
    }
    json.end_array().end_object();
  }
  json.end_array();
}

}  // namespace

void write_purchases_json(JsonWriter& json, const fleet::Market& market, const Purchases& purchases) {
  json.begin_array(Layout::kLine);
  for (const auto& one : purchases) {
    const auto& offer = market.offers[one.offer];
    json.begin_object(Layout::kLine)
        .member("instanceType", offer.profile.instance_type)
        .member_or_null("availabilityZone", one.availability_zone);
    json.member("count", one.count).member("hourlyPrice", usd_number(offer.hourly_price));
    json.member("owned", offer.is_owned).end_object();
  }
  json.end_array();
}

void write_fleet_json(std::ostream& out, const FleetReport& report) {
  const study::FleetPlan& plan = report.plan;
  const auto names = shape_names(report.scenario, plan.question);
  JsonWriter json(out);
  begin_report(json, "fleet-report", fleet_answer(report).answer);
  json.member("seed", report.scenario.seed);
  write_assumptions_json(json, collect_assumptions(report));
  if (!report.scenario.findings.empty()) write_cluster_findings_json(json, report.scenario.findings);
  json.member("region", report.market.region);
  write_prices(json, report);
  json.member("tasks", plan.tasks);
  write_left_over(json, plan, names);
  json.member_or_null("contradiction", plan.contradiction);
  write_recommended(json, report);
  write_ideal(json, report);
  write_proof(json, plan, names);
  write_use(json, plan);
  write_credits(json, report);
  write_trunking(json, report);
  write_marginal_prices(json, plan, names);
  write_resource_prices(json, plan);
  write_quota(json, report, report.plan.purchases());
  write_deployable(json, plan);
  write_memory_doubt_json(json, plan.review.memory_uncertainty);
  write_zones(json, plan);
  write_fleets(json, report, "strategies", plan.fill.by_policy);
  write_fleets(json, report, "closing", plan.fill.closing);
  write_better_scheduler(json, report);
  write_alternatives(json, report);
  write_unplaceable(json, report);
  write_rates(json, report);
  write_launch_types_json(json, report);
  write_payment_json(json, report);
  write_spot_json(json, report);
  write_managed_json(json, report);
  json.end_object().finish();
}

}  // namespace bayplan::report

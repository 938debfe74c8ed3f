#include <algorithm>
#include <cmath>
#include <map>

#include "base/json_writer.hpp"
#include "fleet/offers/price_dates.hpp"
#include "packing/money.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/fleet/fleet_report.hpp"
#include "report/fleet/fleet_words.hpp"

namespace bayplan::report {

using fleet::FilledFleet;
using fleet::Purchases;
using Layout = JsonWriter::Layout;

namespace {

class FleetJsonWriter {
 public:
  FleetJsonWriter(std::ostream& out, const FleetReport& report)
      : json_(out), report_(report), plan_(report.plan), names_(shape_names(report.scenario, plan_.question)) {}

  void write() {
    begin_report(json_, "fleet-report", fleet_headline(report_));
    json_.member("seed", report_.scenario.seed);
    write_assumptions_json(json_, assumptions_of(report_));
    if (!report_.scenario.findings.empty()) write_cluster_findings_json(json_, report_.scenario.findings);
    json_.member("region", report_.market.region);
    prices();
    json_.member("tasks", plan_.tasks);
    left_over();
    json_.key("contradiction");
    plan_.contradiction.empty() ? json_.null() : json_.value(plan_.contradiction);
    recommended();
    ideal();
    proof();
    use();
    marginal_prices();
    resource_prices();
    quotas();
    deployable();
    memory_uncertainty();
    zones();
    fleets("strategies", plan_.fill.by_policy);
    fleets("closing", plan_.fill.closing);
    alternatives();
    unplaceable();
    rates();
    json_.end_object().finish();
  }

 private:
  bool has_plan() const { return plan_.tasks > 0 && plan_.left_over() == 0; }

  void day(std::string_view key, const std::string& date) {
    json_.key(key);
    date.empty() ? json_.null() : json_.value(date);
  }

  void prices() {
    const auto days = price_dates(report_.market);
    json_.key("prices").begin_object(Layout::kLine).member("region", report_.market.region);
    day("oldest", days.oldest);
    day("newest", days.newest);
    json_.key("sources").begin_array(Layout::kLine);
    for (const auto& source : days.sources) json_.value(source);
    json_.end_array().member("countsVcpus", report_.market.counts_vcpus).key("unpriced").begin_array(Layout::kLine);
    for (const auto& name : unpriced_types()) json_.value(name);
    json_.end_array().end_object();
    json_.key("leftOut").begin_array();
    for (const auto* list : {&report_.market.left_out, &plan_.question.left_out}) {
      for (const auto& one : *list)
        json_.begin_object(Layout::kLine).member("instanceType", one.instance_type).member("why", one.why).end_object();
    }
    json_.end_array();
  }

  /// Left out for want of a price in the region, or planned with at another.
  std::vector<std::string> unpriced_types() const {
    std::vector<std::string> names;
    for (const auto& one : report_.market.left_out) {
      if (one.is_unpriced) names.push_back(one.instance_type);
    }
    for (const auto& offer : report_.market.offers) {
      const auto& name = offer.profile.instance_type;
      const bool is_to_buy = offer.standing.empty() && !offer.is_owned;
      if (is_to_buy && !offer.listed && (names.empty() || names.back() != name)) names.push_back(name);
    }
    return names;
  }

  void fleet(const Purchases& purchases) {
    json_.key("fleet").begin_array(Layout::kLine);
    for (const auto& one : purchases) {
      const auto& offer = report_.market.offers[one.offer];
      json_.begin_object(Layout::kLine).member("instanceType", offer.profile.instance_type).key("availabilityZone");
      one.availability_zone.empty() ? json_.null() : json_.value(one.availability_zone);
      json_.member("count", one.count).member("hourlyPrice", usd_number(offer.hourly_price));
      json_.member("owned", offer.is_owned).end_object();
    }
    json_.end_array();
  }

  void filled(const FilledFleet& fleet) {
    this->fleet(fleet.purchases);
    json_.member("hourlyCost", usd_number(fleet.hourly_cost));
    json_.member("strategy", fleet.policy.name);
    json_.member("order", fleet.policy.order == placement::TaskOrder::kLargestFirst ? "largestFirst" : "any");
    json_.member("orders", fleet.orders).member("confirmedOrders", fleet.confirmed);
    json_.key("placementConstraints").begin_array(Layout::kLine);
    for (const auto& [workload, constraint] : fleet.policy.constraints) {
      const bool is_distinct = constraint.type == placement::ConstraintType::kDistinctInstance;
      json_.begin_object(Layout::kLine).member("name", report_.scenario.workloads[workload].name);
      json_.member("type", is_distinct ? "distinctInstance" : "memberOf");
      if (!is_distinct) json_.member("expression", constraint.source);
      json_.end_object();
    }
    json_.end_array();
  }

  void left_over() {
    const auto& counts = plan_.solution.left_over;
    json_.key("leftOver").begin_object(Layout::kLine);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (counts[i] > 0) json_.member(names_[i], counts[i]);
    }
    json_.end_object();
  }

  void recommended() {
    json_.key("recommended");
    if (!plan_.fill.recommended) {
      json_.null();
      return;
    }
    json_.begin_object();
    filled(*plan_.fill.recommended);
    json_.end_object();
  }

  void ideal() {
    json_.key("ideal");
    if (!has_plan()) {
      json_.null();
      return;
    }
    json_.begin_object();
    fleet(plan_.ideal);
    json_.member("hourlyCost", usd_number(plan_.ideal_cost)).key("assignments").begin_array();
    for (const auto& one : report_.assignments) assignment(one);
    json_.end_array().end_object();
  }

  void assignment(const fleet::Assignment& one) {
    std::map<std::string_view, std::int64_t> tasks;
    for (const auto& [workload, count] : one.tasks)
      tasks[report_.scenario.task_definitions[report_.scenario.workloads[workload].task_definition].name] += count;
    json_.begin_object(Layout::kLine).member("instance", one.instance).key("tasks").begin_object(Layout::kLine);
    for (const auto& [name, count] : tasks) json_.member(name, count);
    json_.end_object().end_object();
  }

  void proof() {
    const auto& solution = plan_.solution;
    const auto bound = solution.lower_bound;
    json_.key("lowerBound");
    has_plan() ? json_.value(usd_number(bound)) : json_.null();
    json_.key("fleetLowerBound");
    has_plan() ? json_.value(usd_number(plan_.lower_bound)) : json_.null();
    json_.key("gap");
    has_plan() && bound > 0 ? json_.value(static_cast<double>(plan_.ideal_cost - bound) / static_cast<double>(bound))
                            : (has_plan() && plan_.ideal_cost == bound ? json_.value(0.0) : json_.null());
    json_.member("optimal", plan_.optimal).member("boundMethod", bound_method(plan_));
    // Whoever ended it, it was by the clock: `answer` says who.
    const bool is_interrupted = plan_.stopped_by == study::FleetStop::kInterrupt;
    const auto stopped_by = is_interrupted ? study::FleetStop::kTime : plan_.stopped_by;
    json_.member("stoppedBy", name_of(stopped_by)).member("effort", solution.effort);
    json_.member("fillExhausted", plan_.fill.exhausted);
    json_.member("fillMethod", name_of(plan_.fill.method));
    json_.key("certificate");
    has_plan() ? certificate() : static_cast<void>(json_.null());
    json_.key("relaxations").begin_array();
    for (const auto& one : plan_.question.relaxed)
      json_.begin_object(Layout::kLine)
          .member("id", one.id)
          .member("subject", one.subject)
          .member("text", one.text)
          .end_object();
    json_.end_array();
  }

  void certificate() {
    const auto& solution = plan_.solution;
    json_.begin_object();
    micro_by_shape("duals");
    json_.member("unit", "microUSD").member("bound", micro(solution.certificate.bound));
    write_list(json_, "scope", plan_.question.dimensions);
    std::vector<std::string> relaxed;
    for (const auto& one : plan_.question.relaxed) {
      if (std::find(relaxed.begin(), relaxed.end(), one.id) == relaxed.end()) relaxed.push_back(one.id);
    }
    write_list(json_, "relaxed", relaxed);
    json_.member("verified", plan_.proof != study::Proof::kNotChecked);
    json_.key("onTrust").begin_array(Layout::kLine);
    if (plan_.proof == study::Proof::kSearchTree) json_.value("searchTree");
    if (plan_.proof == study::Proof::kNotChecked) json_.value("certificate");
    json_.end_array().end_object();
  }

  static double micro(packing::NanoUsd amount) {
    return static_cast<double>(amount) / static_cast<double>(packing::kNanoUsdPerMicroUsd);
  }

  void micro_by_shape(std::string_view key) {
    const auto& worth = plan_.solution.certificate.duals.worth;
    json_.key(key).begin_object(Layout::kLine);
    for (std::size_t i = 0; i < worth.size(); ++i) json_.member(names_[i], micro(worth[i]));
    json_.end_object();
  }

  static placement::Summary summary_of(const study::Use& use) {
    placement::Summary summary;
    summary.cpu = use.cpu;
    summary.memory = use.memory;
    summary.gpu_devices = use.gpu;
    return summary;
  }

  void binding(const study::FleetUse& use) {
    json_.key("bindingResource");
    use.binding_resource().empty() ? json_.null() : json_.value(use.binding_resource());
  }

  void use() {
    const auto& use = plan_.use ? *plan_.use : plan_.ideal_use;
    write_utilization(json_, summary_of(use.all));
    binding(use);
  }

  void marginal_prices() {
    const auto& worth = plan_.solution.certificate.duals.worth;
    json_.key("marginalPrice").begin_object(Layout::kLine);
    for (std::size_t i = 0; i < worth.size() && !plan_.has_no_bound(); ++i)
      json_.member(names_[i], micro(worth[i]) / kMicroUsdPerUsd);
    json_.end_object();
  }

  void resource_prices() {
    json_.key("marginalResourcePrice").begin_object(Layout::kLine);
    for (const auto& one : plan_.resource_prices) json_.member(one.resource, rounded(one.usd));
    json_.end_object();
  }

  /// To a micro-USD: what a program in floating point says further behind is noise.
  static double rounded(double usd) { return std::round(usd * kMicroUsdPerUsd) / kMicroUsdPerUsd; }

  void quota(const Purchases& purchases) {
    json_.key("vcpuQuota").begin_object(Layout::kLine);
    for (const auto& [name, vcpus] : study::vcpus_by_quota(report_.market, purchases))
      json_.member(name.empty() ? "unknown" : name, vcpus);
    json_.end_object();
  }

  void quotas() { quota(plan_.fill.recommended ? plan_.fill.recommended->purchases : plan_.ideal); }

  void deployable() {
    json_.key("deployable").begin_array();
    for (const auto& one : plan_.rollouts.services) {
      json_.begin_object(Layout::kLine).member("serviceName", one.service_name).key("ok");
      one.is_tried ? json_.value(one.ok) : json_.null();
      json_.key("needs").begin_object(Layout::kLine);
      for (const auto& missing : one.needs) json_.member(missing.instance_type, missing.count);
      json_.end_object().key("why");
      one.why.empty() ? json_.null() : json_.value(one.why);
      json_.end_object();
    }
    json_.end_array();
  }

  void memory_uncertainty() {
    const auto& doubt = plan_.memory_uncertainty;
    json_.key("memoryDoubt");
    if (doubt.types.empty()) {
      json_.null();
      return;
    }
    json_.begin_object().key("types").begin_array(Layout::kLine);
    for (const auto& one : doubt.types) {
      json_.begin_object(Layout::kLine).member("instanceType", one.instance_type);
      json_.member("memory", one.memory).member("error", one.error).end_object();
    }
    json_.end_array().member("orders", doubt.orders).member("failingOrders", doubt.failing_orders);
    json_.key("withoutPlace").begin_object(Layout::kLine);
    for (const auto& one : doubt.without_place) json_.member(one.name, one.count);
    json_.end_object().end_object();
  }

  void zones() {
    json_.key("zoneLosses").begin_array();
    for (const auto& loss : plan_.zone_losses) {
      json_.begin_object(Layout::kLine).member("availabilityZone", loss.availability_zone);
      json_.member("instances", loss.instances).member("withoutPlace", loss.without_place).end_object();
    }
    json_.end_array();
  }

  void fleets(std::string_view key, const std::vector<FilledFleet>& list) {
    json_.key(key).begin_array();
    for (const auto& one : list) {
      json_.begin_object(Layout::kLine);
      filled(one);
      json_.end_object();
    }
    json_.end_array();
  }

  void alternatives() {
    json_.key("alternatives").begin_array();
    for (const auto& one : plan_.alternatives.list) {
      json_.begin_object(Layout::kLine);
      fleet(one.purchases);
      const bool is_single = one.kind == study::AlternativeKind::kSingleType;
      json_.member("hourlyCost", usd_number(one.hourly_cost))
          .member("kind", is_single ? "single-type" : "without-type");
      json_.member("instanceType", one.instance_type).member("optimal", one.proven).member("filledByEcs", one.filled);
      write_utilization(json_, summary_of(one.use.all));
      binding(one.use);
      quota(one.purchases);
      json_.end_object();
    }
    json_.end_array();
    write_list(json_, "notAlone", plan_.alternatives.impossible);
  }

  void unplaceable() {
    json_.key("unplaceable").begin_array();
    for (const auto& one : plan_.question.unplaceable) {
      const auto& workload = report_.scenario.workloads[one.workload];
      json_.begin_object().member("name", workload.name);
      json_.member("taskDefinition", report_.scenario.task_definitions[workload.task_definition].name);
      json_.member("count", one.count).key("contradiction");
      one.contradiction.empty() ? json_.null() : json_.value(one.contradiction);
      json_.key("types").begin_array();
      for (const auto& rejection : one.rejections) {
        json_.begin_object(Layout::kLine).member("instanceType", rejection.instance_type);
        json_.key("reasons").begin_array(Layout::kLine);
        for (const auto check : rejection.failed.list()) json_.value(placement::reason_text(check));
        json_.end_array().member("text", rejection_words(rejection)).end_object();
      }
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  void rates() {
    json_.key("throughput").begin_array();
    for (const auto& family : report_.rates) {
      json_.begin_object().member("family", family.throughput.family).member("unit", family.throughput.unit);
      json_.member("placed", family.placed).member("placedTasks", family.placed_tasks);
      json_.key("instances").begin_array();
      for (const auto& row : family.instances) {
        json_.begin_object(Layout::kLine).member("instanceType", row.instance_type).member("gpus", row.gpus);
        json_.member("tasks", row.tasks).member("rate", row.rate);
        write_usd(json_, "hourlyPrice", row.hourly_price);
        json_.member("ratePerUsd", row.rate_per_usd).end_object();
      }
      json_.end_array().end_object();
    }
    json_.end_array();
  }

  JsonWriter json_;
  const FleetReport& report_;
  const study::FleetPlan& plan_;
  std::vector<std::string> names_;
};

}  // namespace

void write_fleet_json(std::ostream& out, const FleetReport& report) {
  FleetJsonWriter(out, report).write();
}

}  // namespace bayplan::report

#include "report/repack/repack_report.hpp"

#include "base/json_writer.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"

namespace bayplan::report {

using study::RepackName;
using study::RepackPlan;
using study::RepackStep;
using study::StayingInstances;

namespace {

using Layout = JsonWriter::Layout;

class RepackJsonWriter {
 public:
  RepackJsonWriter(std::ostream& out, const RepackReport& report) : json_(out), report_(report), plan_(report.plan) {}

  void write() {
    begin_report(json_, "repack-report", repack_headline(report_));
    json_.member("seed", plan_.scenario->seed).member("region", plan_.scenario->region);
    write_prices_json(json_, prices_of(*plan_.scenario));
    write_assumptions_json(json_, assumptions_of(plan_));
    if (!plan_.scenario->findings.empty()) write_cluster_findings_json(json_, plan_.scenario->findings);
    cluster("before", plan_.before);
    cluster("after", plan_.after);
    json_.member("saving", usd_number(plan_.saving)).member("worthIt", report_.is_worth_it());
    texts("unpriced", plan_.unpriced);
    limit();
    json_.member("moves", plan_.moves).member("withoutPlace", plan_.without_place());
    json_.key("steps").begin_array();
    for (const auto& step : plan_.steps) write(step);
    json_.end_array();
    json_.key("services").begin_array();
    for (const auto& name : plan_.names) {
      if (name.is_service) write(name);
    }
    json_.end_array();
    json_.key("staying").begin_array();
    for (const auto& staying : plan_.staying) write(staying);
    json_.end_array();
    json_.end_object().finish();
  }

 private:
  void texts(std::string_view key, const std::vector<std::string>& texts) {
    json_.key(key).begin_array(Layout::kLine);
    for (const auto& text : texts) json_.value(text);
    json_.end_array();
  }

  void ids(std::string_view key, const std::vector<std::uint32_t>& instances) {
    json_.key(key).begin_array(Layout::kLine);
    for (const auto instance : instances) json_.value(plan_.scenario->instances[instance].id);
    json_.end_array();
  }

  void money(std::string_view key, const std::optional<MicroUsd>& amount) {
    json_.key(key);
    amount ? json_.value(usd_number(*amount)) : json_.null();
  }

  void text_or_null(std::string_view key, const std::string& text) {
    json_.key(key);
    text.empty() ? json_.null() : json_.value(text);
  }

  void cluster(std::string_view key, const placement::Summary& summary) {
    json_.key(key).begin_object(Layout::kLine).member("instances", summary.instances);
    money("hourlyCost", summary.hourly_cost);
    json_.key("utilization").begin_object(Layout::kLine);
    share("CPU", summary.cpu);
    share("MEMORY", summary.memory);
    share("GPU", summary.gpu_devices);
    json_.end_object().end_object();
  }

  void share(std::string_view key, const placement::Share& part) {
    json_.key(key);
    part.registered == 0 ? json_.null()
                         : json_.value(static_cast<double>(part.reserved) / static_cast<double>(part.registered));
  }

  void limit() {
    json_.key("limit");
    if (!plan_.limit) {
      json_.null();
      return;
    }
    json_.begin_object(Layout::kLine).member("saving", usd_number(plan_.limit->saving));
    json_.member("instances", plan_.limit->instances);
    text_or_null("binds", plan_.limit->binds);
    json_.member("reached", plan_.is_best).end_object();
  }

  void write(const RepackStep& step) {
    json_.begin_object().key("containerInstances").begin_array();
    for (const auto index : step.instances) {
      const auto& instance = plan_.scenario->instances[index];
      const auto& profile = plan_.scenario->profiles[instance.profile];
      json_.begin_object(Layout::kLine).member("id", instance.id);
      text_or_null("instanceType", profile.instance_type);
      text_or_null("availabilityZone", profile.availability_zone);
      text_or_null("containerInstanceArn", profile.arn);
      text_or_null("capacityProviderName", profile.capacity_provider_name);
      money("hourlyPrice", profile.hourly_price);
      json_.end_object();
    }
    json_.end_array().member("saving", usd_number(step.saving)).member("moves", step.moved);
    json_.key("services").begin_array();
    for (const auto& own : step.moves) {
      json_.begin_object(Layout::kLine).member("serviceName", plan_.names[own.name].name).member("moves", own.count);
      ids("movedTo", own.moved_to);
      json_.end_object();
    }
    json_.end_array().key("waitsFor").begin_array();
    for (const auto& own : step.ends) {
      json_.begin_object(Layout::kLine).member("name", plan_.names[own.name].name).member("tasks", own.count);
      json_.end_object();
    }
    json_.end_array().end_object();
  }

  void write(const RepackName& name) {
    const auto& workload = plan_.scenario->workloads[name.workload];
    json_.begin_object(Layout::kLine).member("serviceName", name.name).member("desired", name.desired);
    json_.member("placed", name.placed).member("moves", name.moves);
    json_.member("minimumHealthyPercent", workload.minimum_healthy_percent);
    json_.member("maximumPercent", workload.maximum_percent);
    json_.member("mustRun", name.must_run).member("fewest", name.fewest);
    texts("zonesBefore", name.zones_before);
    texts("zonesAfter", name.zones_after);
    json_.end_object();
  }

  void write(const StayingInstances& staying) {
    json_.begin_object(Layout::kLine).member("reason", word_of(staying.why));
    text_or_null("name", staying.name ? plan_.names[*staying.name].name : staying.subject);
    text_or_null("failure", staying.reason);
    ids("containerInstances", staying.instances);
    json_.end_object();
  }

  JsonWriter json_;
  const RepackReport& report_;
  const RepackPlan& plan_;
};

}  // namespace

void write_repack_json(std::ostream& out, const RepackReport& report) {
  RepackJsonWriter(out, report).write();
}

}  // namespace bayplan::report

#include "report/repack/repack_report.hpp"

#include <cmath>

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

void write_cluster(JsonWriter& json, std::string_view key, const placement::Summary& summary) {
  json.key(key).begin_object(Layout::kLine).member("instances", summary.instances);
  write_usd(json, "hourlyCost", summary.hourly_cost);
  write_utilization(json, summary);
  json.end_object();
}

void write_limit(JsonWriter& json, const RepackPlan& plan) {
  json.key("limit");
  if (!plan.limit) {
    json.null();
    return;
  }
  json.begin_object(Layout::kLine).member("saving", usd_number(plan.limit->saving));
  json.member("instances", plan.limit->instances);
  json.member_or_null("binds", plan.limit->binds);
  json.member("reached", plan.is_best).end_object();
}

void write_ids(JsonWriter& json, const RepackPlan& plan, std::string_view key,
               const std::vector<std::uint32_t>& instances) {
  json.key(key).begin_array(Layout::kLine);
  for (const auto instance : instances) json.value(plan.scenario->instances[instance].id);
  json.end_array();
}

void write_step(JsonWriter& json, const RepackPlan& plan, const RepackStep& step) {
  json.begin_object().key("containerInstances").begin_array();
  for (const auto index : step.instances) {
    const auto& instance = plan.scenario->instances[index];
    const auto& profile = plan.scenario->profiles[instance.profile];
    json.begin_object(Layout::kLine).member("id", instance.id);
    json.member_or_null("instanceType", profile.instance_type);
    json.member_or_null("availabilityZone", profile.availability_zone);
    json.member_or_null("containerInstanceArn", profile.arn);
    json.member_or_null("capacityProviderName", profile.capacity_provider_name);
    write_usd(json, "hourlyPrice", profile.hourly_price);
    json.end_object();
  }
  json.end_array().member("saving", usd_number(step.saving)).member("moves", step.moved);
  const auto shares = study::shares_of(plan, step);
  const auto write_share = [&](std::string_view key, std::optional<double> share) {
    json.member(key, share ? std::optional(std::round(*share * 1'000) / 1'000) : std::nullopt);
  };
  write_share("savingShare", shares ? std::optional(shares->saved) : std::nullopt);
  write_share("moveShare", shares ? std::optional(shares->moved) : std::nullopt);
  write_share("ratio", shares ? shares->ratio() : std::nullopt);
  json.key("services").begin_array();
  for (const auto& own : step.moves) {
    json.begin_object(Layout::kLine).member("serviceName", plan.names[own.name].name).member("moves", own.count);
    write_ids(json, plan, "movedTo", own.moved_to);
    json.end_object();
  }
  json.end_array().key("waitsFor").begin_array();
  for (const auto& own : step.ends) {
    json.begin_object(Layout::kLine).member("name", plan.names[own.name].name).member("tasks", own.count);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_service(JsonWriter& json, const RepackPlan& plan, const RepackName& name) {
  const auto& workload = plan.scenario->workloads[name.workload];
  json.begin_object(Layout::kLine).member("serviceName", name.name).member("desired", name.desired);
  json.member("placed", name.placed).member("moves", name.moves);
  json.member("minimumHealthyPercent", workload.minimum_healthy_percent);
  json.member("maximumPercent", workload.maximum_percent);
  json.member("mustRun", name.must_run).member("fewest", name.fewest);
  json.member("deploysBefore", name.deploys_before).member("deploysAfter", name.deploys_after);
  write_list(json, "zonesBefore", name.zones_before);
  write_list(json, "zonesAfter", name.zones_after);
  json.end_object();
}

void write_staying(JsonWriter& json, const RepackPlan& plan, const StayingInstances& staying) {
  json.begin_object(Layout::kLine).member("reason", word_of(staying.why));
  json.member_or_null("name", staying.name ? plan.names[*staying.name].name : staying.subject);
  json.member_or_null("failure", staying.reason);
  write_ids(json, plan, "containerInstances", staying.instances);
  json.end_object();
}

}  // namespace

void write_repack_json(std::ostream& out, const RepackReport& report) {
  const RepackPlan& plan = report.plan;
  JsonWriter json(out);
  begin_report(json, "repack-report", repack_headline(report));
  json.member("seed", plan.scenario->seed).member("region", plan.scenario->region);
  write_prices_json(json, find_price_range(*plan.scenario));
  write_assumptions_json(json, collect_assumptions(plan));
  if (!plan.scenario->findings.empty()) write_cluster_findings_json(json, plan.scenario->findings);
  write_cluster(json, "before", plan.before);
  write_cluster(json, "after", plan.after);
  json.member("saving", usd_number(plan.saving)).member("worthIt", report.is_worth_it());
  write_list(json, "unpriced", plan.unpriced);
  write_limit(json, plan);
  json.member("moves", plan.moves).member("withoutPlace", plan.without_place());
  json.key("steps").begin_array();
  for (const auto& one : plan.steps) write_step(json, plan, one);
  json.end_array();
  json.key("services").begin_array();
  for (const auto& name : plan.names) {
    if (name.is_service) write_service(json, plan, name);
  }
  json.end_array();
  json.key("staying").begin_array();
  for (const auto& one : plan.staying) write_staying(json, plan, one);
  json.end_array();
  json.end_object().finish();
}

}  // namespace bayplan::report

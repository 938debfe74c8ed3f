#include "report/whatif/whatif_report.hpp"

#include "base/json_writer.hpp"
#include "placement/explain/ecs_words.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"
#include "report/whatif/whatif_deployment.hpp"
#include "report/whatif/whatif_over_time.hpp"
#include "report/whatif/whatif_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::ComparedVariant;
using study::Comparison;
using study::EachOf;
using study::NameResult;
using study::RunFigures;
using study::VariantResult;

namespace {

using Layout = JsonWriter::Layout;

void write_ids(JsonWriter& json, std::string_view name, const Scenario& scenario,
               const std::vector<std::uint32_t>& instances) {
  json.key(name).begin_array(Layout::kLine);
  for (const auto instance : instances) json.value(scenario.instances[instance].id);
  json.end_array();
}

void write_summary(JsonWriter& json, const VariantResult& result) {
  const auto& summary = result.summary;
  json.key("summary").begin_object(Layout::kLine);
  json.member("unplaced", result.unplaced()).member("held", result.held());
  json.member("instances", summary.instances).member("instancesUsed", summary.instances_used);
  write_utilization(json, summary);
  json.key("gpu").begin_object(Layout::kLine);
  write_gpu_counts(json, summary.gpu);
  json.end_object();
  write_usd(json, "hourlyCost", summary.hourly_cost);
  json.end_object();
}

void write_failure(JsonWriter& json, const VariantResult& result, const NameResult& name) {
  if (!name.failure) return;
  const auto& scenario = *result.scenario;
  json.member("message", failure_message(scenario, *name.failure)).key("closest");
  name.failure->closest ? json.value(scenario.instances[*name.failure->closest].id) : json.null();
}

void write_name(JsonWriter& json, const VariantResult& result, const NameResult& name) {
  json.begin_object(Layout::kLine).member(name.is_service ? "serviceName" : "name", name.name);
  json.member("desired", name.desired).member("before", name.before).member("after", name.after);
  json.member("held", name.held);
  if (!name.is_service) json.member("stays", name.stays);
  write_list(json, "zones", name.zones);
  json.key("reasons").begin_object(Layout::kLine);
  for (const auto& [reason, count] : name.reasons) json.member(reason, count);
  json.end_object();
  json.member("moves", name.moves);
  write_ids(json, "movedTo", *result.scenario, name.moved_to);
  write_failure(json, result, name);
  json.end_object();
}

/// "services", and "tasks" of RunTask calls.
void write_names(JsonWriter& json, const VariantResult& result) {
  for (const bool services : {true, false}) {
    json.key(services ? "services" : "tasks").begin_array();
    for (const auto& name : result.names) {
      if (name.is_service == services) write_name(json, result, name);
    }
    json.end_array();
  }
}

void write_room(JsonWriter& json, const VariantResult& result) {
  json.key("room").begin_array();
  for (const auto& room : result.room)
    json.begin_object(Layout::kLine).member("name", room.name).member("more", room.more).end_object();
  json.end_array();
}

void write_runs(JsonWriter& json, const VariantResult& result, const std::optional<RunFigures>& runs) {
  json.key("runs");
  if (!runs) {
    json.null();
    return;
  }
  json.begin_object().member("runs", runs->runs).member("firstSeed", runs->first_seed);
  json.member("worstSeed", runs->worst_seed).member("placedAll", runs->placed_all).member("leftIdle", runs->left_idle);
  write_distribution(json, "unplaced", runs->unplaced);
  write_distribution(json, "instancesUsed", runs->instances_used);
  write_distribution(json, "freeGpus", runs->free_gpus);
  write_distribution(json, "largestFreeBlock", runs->largest_free_block);
  json.key("room").begin_array();
  for (std::size_t i = 0; i < runs->room.size(); ++i) {
    json.begin_object(Layout::kLine).member("name", result.room[i].name);
    write_distribution(json, "more", runs->room[i]);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_changes(JsonWriter& json, std::string_view key, const study::Remedies& remedies) {
  json.key(key).begin_array();
  for (const auto& remedy : remedies.list) {
    const auto& change = std::get<study::AppendFlags>(remedy.change);
    json.begin_object(Layout::kLine).member("change", change.flags);
    write_usd(json, "hourlyCost", remedy.hourly_cost);
    if (!change.in_place_of.empty()) json.member("inPlaceOf", change.in_place_of);
    json.end_object();
  }
  json.end_array();
}

void write_remedies(JsonWriter& json, const study::Remedies& remedies) {
  write_changes(json, "remedies", remedies);
  json.member("changesTried", remedies.tried).member("effortExhausted", remedies.exhausted);
}

void write_variant(JsonWriter& json, const Comparison& comparison, const ComparedVariant& variant) {
  const auto& result = variant.result;
  json.begin_object().member("name", variant.name());
  write_each(json, variant.asked);
  json.member("leavesMore", comparison.excess(variant) > 0);
  write_summary(json, result);
  write_names(json, result);
  json.member("moves", result.moves);
  write_ids(json, "gone", *result.scenario, result.gone);
  write_list(json, "heldDrains", result.held_drains);
  write_room(json, result);
  write_runs(json, result, variant.runs);
  write_remedies(json, variant.remedies);
  if (variant.deployed) write_deployments_json(json, *variant.deployed);
  json.end_object();
}

}  // namespace

void write_each(JsonWriter& json, const study::AskedVariant& asked) {
  json.key("each");
  if (!asked.is_single_failure()) {
    json.null();
    return;
  }
  const auto* const key = asked.each == EachOf::kZone ? "availabilityZone" : "containerInstance";
  json.begin_object(Layout::kLine).member(key, asked.lost).end_object();
}

void write_whatif_json(std::ostream& out, const WhatIfReport& report) {
  const auto& scenario = report.scenario;
  const auto& comparison = report.comparison;
  if (comparison.is_over_time()) return write_runs_json(out, comparison);
  JsonWriter json(out);
  begin_report(json, "whatif-report", whatif_headline(comparison));
  json.member("seed", scenario.seed);
  write_prices_json(json, find_price_range(scenario));
  write_assumptions_json(json, collect_assumptions(scenario, comparison));
  if (!scenario.findings.empty()) write_cluster_findings_json(json, scenario.findings);
  json.key("baseline").begin_object();
  write_summary(json, comparison.baseline);
  write_names(json, comparison.baseline);
  write_room(json, comparison.baseline);
  write_runs(json, comparison.baseline, comparison.baseline_runs);
  json.end_object();
  json.key("variants").begin_array();
  for (const auto& variant : comparison.variants) write_variant(json, comparison, variant);
  json.end_array();
  write_changes(json, "anyZone", comparison.of_zones);
  write_changes(json, "anyInstance", comparison.of_instances);
  json.end_object().finish();
}

}  // namespace bayplan::report

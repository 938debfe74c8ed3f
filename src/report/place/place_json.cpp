#include "report/place/place_report.hpp"

#include <algorithm>
#include <optional>

#include "base/json_items.hpp"
#include "base/json_writer.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/explain/service_events.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/memory_doubt.hpp"
#include "report/document/prices.hpp"
#include "report/place/better_scheduler_parts.hpp"
#include "report/place/instance_columns.hpp"
#include "report/place/place_json_parts.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

using Layout = JsonWriter::Layout;

void write_placement(JsonWriter& json, const PlaceReport& report, const Placement& placement) {
  const auto& instance = report.scenario.instances[placement.instance];
  const auto& profile = report.scenario.profiles[instance.profile];
  json.begin_object(Layout::kLine);
  write_task(json, report.scenario, placement.attempt);
  json.member("containerInstance", instance.id);
  json.member("instanceType", profile.instance_type);
  write_zone(json, profile);
  write_containers(json, report.scenario, placement);
  json.member("startedAt", 0).key("stoppedAt").null();
  json.member("tied", placement.tied).end_object();
}

void write_placements(JsonWriter& json, const PlaceReport& report) {
  const auto& placements = report.outcome.placements;
  json.key("placements").begin_array();
  write_items(json, placements.size(),
              [&](JsonWriter& items, std::size_t i) { write_placement(items, report, placements[i]); });
  json.end_array();
}

/// What failed and why; the list of instances only where the failure itself has it.
void write_failure(JsonWriter& json, const PlaceReport& report, const Failure& failure) {
  const auto& scenario = report.scenario;
  const Failure& first = explained(report.outcome, failure);
  json.begin_object(failure.same_as ? Layout::kLine : Layout::kBlock);
  write_task(json, scenario, failure.attempt);
  json.member("reason", failure_reason(scenario, first)).member("at", 0);
  if (is_provisioning(scenario, failure)) json.member("state", "PROVISIONING");
  json.member("message", failure_message(scenario, first));
  if (failure.would_fit) json.member("wouldFit", *failure.would_fit);
  json.key("closest");
  first.closest ? json.value(scenario.instances[*first.closest].id) : json.null();
  if (failure.same_as) {
    json.member("sameAs", task_id(scenario, first.attempt));
  } else {
    write_rejections(json, scenario, failure);
  }
  write_rejected(json, first.rejected);
  json.end_object();
}

void write_failures(JsonWriter& json, const PlaceReport& report) {
  const auto& failures = report.outcome.failures;
  json.key("failures").begin_array();
  write_items(json, failures.size(),
              [&](JsonWriter& items, std::size_t i) { write_failure(items, report, failures[i]); });
  json.end_array();
}

/// Left out where every workload has a count.
void write_limits(JsonWriter& json, const PlaceReport& report) {
  const auto limits = limits_of(report);
  if (limits.empty()) return;
  json.key("limits").begin_array();
  for (const auto& limit : limits) {
    const auto& workload = report.scenario.workloads[limit.workload];
    json.begin_object().member("name", workload.name);
    json.member("taskDefinition", report.scenario.task_definitions[workload.task_definition].name);
    json.member("fit", limit.fit).key("endedBy");
    limit.why != nullptr ? write_failure(json, report, *limit.why) : static_cast<void>(json.null());
    json.end_object();
  }
  json.end_array();
}

/// Each places every task; empty where none was found, or where nothing failed.
void write_remedies(JsonWriter& json, const PlaceReport& report) {
  json.key("remedies").begin_array();
  for (const auto& remedy : report.remedies.list) {
    const auto* added = std::get_if<placement::AddInstances>(&remedy.change);
    const bool is_order = std::holds_alternative<study::ChangeOrder>(remedy.change);
    const bool is_trunking = std::holds_alternative<study::TurnOnTrunking>(remedy.change);
    json.begin_object(Layout::kLine)
        .member("kind", added != nullptr ? "addInstance"
                        : is_order       ? "order"
                        : is_trunking    ? "trunking"
                                         : "strategy")
        .member("change", remedy_words(remedy));
    if (added != nullptr && remedy.added.size() == 1) {
      json.member("instanceType", added->profiles.front().instance_type);
      write_zone(json, added->profiles.front());
      json.member("count", added->instances.size());
    }
    write_added_events(json, remedy.added);
    write_usd(json, "hourlyCost", remedy.hourly_cost);
    json.end_object();
  }
  json.end_array();
}

void write_runs(JsonWriter& json, std::string_view name, const std::optional<TieRuns>& runs) {
  if (!runs) return;
  json.key(name).begin_object();
  json.member("count", runs->runs).member("placedAll", runs->placed_all);
  json.member("firstSeed", runs->first_seed).member("worstSeed", runs->worst_seed);
  write_distribution(json, "unplaced", runs->unplaced);
  json.key("names").begin_array();
  for (const auto& each : runs->names) {
    json.begin_object(Layout::kLine).member("name", each.name);
    write_distribution(json, "unplaced", each.unplaced);
    if (each.fit) write_distribution(json, "fit", *each.fit);
    json.end_object();
  }
  json.end_array().end_object();
}

void write_events(JsonWriter& json, const PlaceReport& report) {
  json.key("events").begin_array();
  for (const auto& event : service_events(report.scenario, report.outcome)) {
    json.begin_object(Layout::kLine).member("at", 0);
    json.member("serviceName", report.scenario.workloads[event.workload].name).member("eventName", event.name);
    if (!event.reason.empty()) json.member("reason", event.reason);
    json.member("message", event.message).end_object();
  }
  json.end_array();
}

}  // namespace

void write_instances(JsonWriter& json, const PlaceReport& report) {
  const PlacementsByInstance placements(report.outcome);
  json.key("containerInstances").begin_array();
  const auto columns = instance_columns(report, {}, InstanceTableKind::kJson, Glyphs{}, nullptr);
  write_items(json, report.scenario.instances.size(), [&](JsonWriter& items, std::size_t i) {
    const InstanceRow row(report, static_cast<std::uint32_t>(i), placements);
    items.begin_object();
    for (const auto& one : columns) {
      if (one.json) one.json(items, row);
    }
    items.end_object();
  });
  json.end_array();
}

void write_summary(JsonWriter& json, const PlaceReport& report) {
  const Summary& summary = report.summary;
  json.key("summary").begin_object();
  json.member("placed", summary.placed).member("unplaced", summary.unplaced);
  json.member("provisioning", summary.provisioning);
  json.member("instances", summary.instances).member("instancesUsed", summary.instances_used);
  write_utilization(json, summary);
  write_gpu_summary(json, report.scenario, summary.gpu, report.free_gpus, report.gpu_room);
  write_usd(json, "hourlyCost", summary.hourly_cost);
  write_usd(json, "totalCost", report.total_cost);
  json.member("ties", summary.ties).end_object();
}

void write_place_json(std::ostream& out, const PlaceReport& report, const PlaceJsonOptions& options) {
  JsonWriter json(out);
  begin_report(json, "place-report", headline(report));
  json.member("seed", report.scenario.seed);
  if (report.scenario.policy) json.member("policy", placement::name_of(*report.scenario.policy));
  write_prices_json(json, find_price_range(report.scenario));
  write_assumptions_json(json, report.assumptions);
  if (options.placements) write_running(json, report.scenario);
  if (options.placements) write_placements(json, report);
  write_failures(json, report);
  write_limits(json, report);
  write_remedies(json, report);
  write_better_scheduler_json(json, report, options);
  write_runs(json, "runs", report.runs);
  json.key("tieOrders").begin_object(Layout::kLine).member("tried", report.tie_orders.tried);
  json.member("fit", report.tie_orders.fit).end_object();
  write_runs(json, "otherTieOrders", report.tie_orders.others);
  if (report.memory_uncertainty.tasks() > 0) write_memory_doubt_json(json, report.memory_uncertainty);
  write_instances(json, report);
  write_cluster_findings_json(json, report.cluster_findings);
  write_events(json, report);
  write_summary(json, report);
  json.end_object().finish();
}

}  // namespace bayplan::report

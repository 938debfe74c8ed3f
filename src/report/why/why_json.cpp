#include "report/why/why_report.hpp"

#include "base/json_writer.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/model/strategies.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/memory_doubt.hpp"
#include "report/document/prices.hpp"
#include "report/place/place_json_parts.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else
using study::Why;

namespace {

using Layout = JsonWriter::Layout;

void write_asked_task(JsonWriter& json, const Why& why) {
  const auto& workload = why.trace->workload();
  json.member("task", task_id(scenario_of(why), why.trace->attempt()));
  json.member("taskDefinition", scenario_of(why).task_definitions[workload.task_definition].name);
  json.member("group", workload.group);
  const auto provider = why.trace->capacity_provider();
  if (!provider.empty()) json.member("capacityProviderName", provider);
  const auto& task = workload.requirement;
  json.key("requirement").begin_object(Layout::kLine).member("CPU", task.cpu).member("MEMORY", task.memory);
  write_gpu_request(json, task);
  json.member("ENI", task.network_interfaces);
  if (task.ebs_volumes > 0) json.member("EBS", task.ebs_volumes);
  write_list(json, "TCP", task.tcp_ports);
  write_list(json, "UDP", task.udp_ports);
  write_list(json, "attributes", task.required_attributes);
  json.end_object();
}

void write_answer(JsonWriter& json, const Why& why) {
  json.member("placed", why.instance.has_value());
  json.key("containerInstance");
  why.instance ? json.value(scenario_of(why).instances[*why.instance].id) : json.null();
}

void write_funnel(JsonWriter& json, const Why& why) {
  const auto& funnel = why.trace->funnel();
  json.key("funnel").begin_object();
  json.member("instances", funnel.instances).key("checks").begin_array();
  for (const auto& step : funnel.steps) {
    json.begin_object(Layout::kLine).member("reason", reason_text(step.check, step.status));
    if (const auto wanted = wanted_by(why, step); !wanted.empty()) json.member("wanted", wanted);
    json.member("removed", step.removed).member("left", step.left);
    json.key("containerInstances").begin_array(Layout::kLine);
    for (const auto instance : step.instances) json.value(scenario_of(why).instances[instance].id);
    json.end_array().end_object();
  }
  json.end_array().member("candidates", funnel.candidates.size()).end_object();
}

void write_ranking(JsonWriter& json, const Why& why) {
  json.key("ranking").begin_array();
  for (const auto& narrowing : why.ranking.narrowings) {
    json.begin_object(Layout::kLine).member("strategy", strategy_text(narrowing.strategy));
    json.member("before", narrowing.before).member("after", narrowing.after).member("best", narrowing.best);
    write_list(json, "values", narrowing.values);
    json.member("because", ranked_by(why, narrowing)).end_object();
  }
  json.end_array();
  json.member("tied", why.ranking.best.size());
}

void write_instance(JsonWriter& json, const Why& why, const Rejection& rejection) {
  const auto& scenario = scenario_of(why);
  const auto& instance = scenario.instances[rejection.instance];
  json.begin_object(Layout::kLine).member("containerInstance", instance.id);
  json.key("reasons").begin_array(Layout::kLine);
  for (const Check check : rejection.failed.list())
    json.value(reason_text(check, scenario.profiles[instance.profile].status));
  json.end_array();
  write_shortfall(json, rejection.shortfall);
  if (rejection.failed.has(Check::kMemberOf)) {
    json.key("memberOf").begin_array(Layout::kLine);
    for (const auto& broken : why.trace->broken_constraints(rejection.instance)) {
      json.begin_object(Layout::kLine)
          .member("expression", why.trace->workload().constraints[broken.constraint].source);
      json.member("because", broken.because).end_object();
    }
    json.end_array();
  }
  json.member("text", why_rejected(why, rejection)).end_object();
}

/// Every instance of a cluster of at most 1,000 in file order, else the nearest misses.
void write_instances(JsonWriter& json, const Why& why) {
  json.key("instances").begin_array();
  const bool all = scenario_of(why).instances.size() <= kFullExplanationLimit;
  for (const auto* rejection : rejections_to_show(why, !all)) write_instance(json, why, *rejection);
  json.end_array();
}

void write_failure(JsonWriter& json, const Why& why) {
  const auto& scenario = scenario_of(why);
  json.key("reason");
  why.failure ? json.value(failure_reason(scenario, *why.failure)) : json.null();
  json.key("message");
  why.failure ? json.value(failure_message(scenario, *why.failure)) : json.null();
  json.key("closest");
  why.failure&& why.failure->closest ? json.value(scenario.instances[*why.failure->closest].id) : json.null();
  const auto miss = closest_match(why);
  json.member_or_null("nearestMiss", miss);
}

void write_remedies(JsonWriter& json, const Why& why) {
  json.key("remedies").begin_array();
  for (const auto& remedy : why.remedies.list) {
    json.begin_object(Layout::kLine).member("kind", remedy_kind(remedy)).member("change", remedy_text(why, remedy));
    write_usd(json, "hourlyCost", remedy.hourly_cost);
    const auto& instances = scenario_of(why).instances;
    json.member("containerInstance", remedy.instance < instances.size() ? instances[remedy.instance].id
                                                                        : std::string(study::kAddedInstance));
    write_added_events(json, remedy.added);
    json.end_object();
  }
  json.end_array();
  json.member("changesTried", why.remedies.tried).member("effortExhausted", why.remedies.exhausted);
}

}  // namespace

void write_why_json(std::ostream& out, const Why& why) {
  JsonWriter json(out);
  begin_report(json, "why-report", why_headline(why));
  json.member("seed", scenario_of(why).seed);
  write_prices_json(json, find_price_range(scenario_of(why)));
  write_assumptions_json(json, collect_assumptions(why));
  if (!scenario_of(why).findings.empty()) write_cluster_findings_json(json, scenario_of(why).findings);
  write_asked_task(json, why);
  write_answer(json, why);
  if (why.memory_uncertainty.tasks() > 0) write_memory_doubt_json(json, why.memory_uncertainty);
  write_funnel(json, why);
  write_ranking(json, why);
  write_failure(json, why);
  write_instances(json, why);
  write_remedies(json, why);
  json.end_object().finish();
}

}  // namespace bayplan::report

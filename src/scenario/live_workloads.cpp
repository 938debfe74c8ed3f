// Services of a live cluster -> workloads, as if the scenario had written them.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/core.h>

#include "base/shell_word.hpp"
#include "base/strings.hpp"
#include "placement/model/service_terms.hpp"
#include "scenario/live_services.hpp"
#include "scenario/load_timetable.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

namespace {

class LiveWorkloads {
 public:
  explicit LiveWorkloads(Loading& loading) : loading_(loading) {
    for (const auto& task : loading.scenario.running) running_[task.group] += task.stopping ? 0 : 1;
  }

  /// Nothing where it needs none, or with the error noted.
  std::optional<ServicePlan> add(const RunningService& service) {
    const std::string group = "service:" + service.name;
    const auto found = running_.find(group);
    const std::int64_t has = found == running_.end() ? 0 : found->second;
    const bool is_daemon = service.kind == WorkloadKind::kDaemon;
    if (runs_elsewhere(service)) return std::nullopt;
    if (!check_tasks(service, has)) return std::nullopt;
    const auto definition = definition_of(service);
    if (!definition) {
      const bool is_idle = !is_daemon && service.desired_count == 0 && has == 0;
      if (!is_idle) refuse_unknown(service, !is_daemon && has < service.desired_count);
      return std::nullopt;
    }
    auto workload = workload_of(service, *definition);
    workload.group = group;
    if (!is_daemon) workload.count = std::max<std::int64_t>(0, service.desired_count - has);
    const auto instances = static_cast<std::int64_t>(loading_.scenario.instances.size());
    if (auto beyond = loading_.tasks.add(workload.count.value_or(instances))) {
      fail(service, std::move(beyond->message), std::move(beyond->help));
    }
    const auto& described = loading_.described_plans.at(service.name);
    ServicePlan plan;
    plan.desired_count = service.desired_count;
    plan.circuit_breaker = described.circuit_breaker;
    plan.rebalances = described.rebalances;
    plan.settings = described.settings;
    use_controller_percents(plan.settings, workload);
    plan.workload = add_workload(loading_, std::move(workload), {}, {});
    set_load_balancer(loading_.scenario.timetable, plan.workload, plan.settings);
    return plan;
  }

 private:
  void fail(const RunningService& service, std::string message, std::string help) {
    const auto& origin = service.origin;
    loading_.sources.fail(Error{std::move(message), origin.file, origin.line, origin.column, std::move(help)});
  }

  /// Checks that the tasks are known, because otherwise it is unknown what the loss of an instance affects.
  bool check_tasks(const RunningService& service, std::int64_t has) {
    if (has >= service.running_count || service.kind == WorkloadKind::kDaemon) return true;
    if (loading_.scenario.running.empty()) {
      if (loading_.is_incomplete) return false;
      fail(service,
           fmt::format("service '{}' runs {}, and no task of the cluster is described", service.name,
                       count_of(service.running_count, "task")),
           "bayplan collect prints the commands that describe them: aws ecs describe-tasks");
      return false;
    }
    assume(loading_.scenario, "service-tasks-not-described", service.name,
           fmt::format("{} of its {} on instances {} described; the others are placed again", has,
                       count_of(service.running_count, "task"), has == 1 ? "is" : "are"));
    return true;
  }

  std::optional<std::uint32_t> definition_of(const RunningService& service) {
    const auto& definitions = loading_.scenario.task_definitions;
    const auto found = std::find_if(definitions.begin(), definitions.end(),
                                    [&](const auto& one) { return one.name == service.task_definition; });
    if (found == definitions.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - definitions.begin());
  }

  /// What it lacks takes room that would count as free; what it has stays where it is.
  void refuse_unknown(const RunningService& service, bool lacks_tasks) {
    if (loading_.is_incomplete) return;
    const bool is_named = !service.task_definition.empty();
    const std::string what = is_named ? fmt::format("runs {}, which is not described", service.task_definition)
                                      : std::string("has no task definition that is described");
    if (!lacks_tasks) {
      return assume(loading_.scenario, "service-definition-not-described", service.name,
                    what + ": its tasks stay where they are, and one that is lost finds no other place");
    }
    fail(service, fmt::format("service '{}' has fewer tasks than its desiredCount, and {}", service.name, what),
         is_named
             ? fmt::format("aws ecs describe-task-definition --task-definition {}", shell_word(service.task_definition))
             : "write the service into the scenario");
  }

  Workload workload_of(const RunningService& service, std::uint32_t index) const {
    const auto& definition = loading_.scenario.task_definitions[index];
    Workload workload;
    workload.kind = service.kind;
    workload.name = service.name;
    workload.task_definition = index;
    workload.requirement = definition.requirement;
    workload.constraints = definition.constraints;
    take_terms(service, workload);
    workload.origin = service.origin;
    return workload;
  }

  Loading& loading_;
  std::map<std::string, std::int64_t, std::less<>> running_;  ///< Tasks by group, before the first placement.
};

}  // namespace

std::vector<ServicePlan> add_live_workloads(Loading& loading, const model::ScenarioFile& written, bool daemons) {
  std::vector<ServicePlan> plans;
  if (!loading.takes_services) return plans;
  LiveWorkloads workloads(loading);
  for (const auto& service : loading.scenario.services) {
    const bool is_written = std::any_of(written.services.begin(), written.services.end(),
                                        [&](const auto& one) { return one.service_name.value == service.name; });
    if (is_written || (service.kind == WorkloadKind::kDaemon) != daemons) continue;
    if (auto plan = workloads.add(service)) plans.push_back(*plan);
  }
  return plans;
}

}  // namespace bayplan::scenario

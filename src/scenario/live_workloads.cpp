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
    const auto& running = loading.scenario.running;
    for (std::uint32_t i = 0; i < running.size(); ++i) {
      if (!running[i].stopping) running_[running[i].group].push_back(i);
    }
  }

  /// Nothing where it needs none, or with the error noted.
  std::optional<ServicePlan> add(const RunningService& service) {
    const std::string group = "service:" + service.name;
    const auto found = running_.find(group);
    const std::int64_t has = found == running_.end() ? 0 : static_cast<std::int64_t>(found->second.size());
    const bool is_daemon = service.kind == WorkloadKind::kDaemon;
    if (runs_elsewhere(service)) return std::nullopt;
    // Where a task that is not described may run, a second one would take room that it does not need.
    const bool knows_tasks = has + off_instances(service) >= service.running_count;
    if (is_daemon && !loading_.takes_services && !knows_tasks) return std::nullopt;
    if (!check_tasks(service, has)) return std::nullopt;
    const auto definition = definition_of(service);
    if (!definition) {
      const bool is_idle = !is_daemon && service.desired_count == 0 && has == 0;
      if (!is_idle) refuse_unknown(service, !is_daemon && has < service.desired_count);
      return std::nullopt;
    }
    auto workload = workload_of(service, *definition);
    workload.group = group;
    if (!is_daemon) workload.count = service.has_failed ? 0 : std::max<std::int64_t>(0, service.desired_count - has);
    const auto instances = static_cast<std::int64_t>(loading_.scenario.instances.size());
    if (auto beyond = loading_.tasks.add(workload.count.value_or(instances))) {
      fail(service, std::move(beyond->message), std::move(beyond->help));
    }
    auto plan = plan_of(service, workload);
    plan.workload = add_workload(loading_, std::move(workload), {}, {});
    set_load_balancer(loading_.scenario.timetable, plan.workload, plan.settings);
    return plan;
  }

  /// Of a service that the command does not take: what it lacks, and what else it has in flight. What cannot be known
  /// of it is a finding, unless the command asks about this service, and says so itself.
  void add_in_flight(const RunningService& service, bool is_asked) {
    if (runs_elsewhere(service) || service.kind == WorkloadKind::kDaemon || service.has_failed) return;
    const auto now = tasks_of(service);
    const std::int64_t missing = std::max<std::int64_t>(0, service.desired_count - now.all);
    if (missing == 0 && now.all == service.desired_count && now.outdated == 0 && now.on_draining == 0) return;
    const auto definition = definition_of(service);
    const bool knows_tasks = now.all + off_instances(service) >= service.running_count;
    if (!definition || !knows_tasks) {
      const std::string what =
          !definition ? "its task definition is not described" : "not all of its tasks are described";
      if (missing == 0 || is_asked) return;
      return loading_.scenario.findings.push_back(
          {"service-below-desired", service.name,
           fmt::format("has {} of {}: ECS will place the others in room that counts as free here, because {}", now.all,
                       count_of(service.desired_count, "task"), what)});
    }
    auto workload = workload_of(service, *definition);
    workload.group = "service:" + service.name;
    workload.count = missing;
    auto& in_flight = loading_.scenario.in_flight;
    auto plan = plan_of(service, workload);
    plan.workload = static_cast<std::uint32_t>(in_flight.workloads.size());
    in_flight.workloads.push_back(std::move(workload));
    in_flight.plans.push_back(std::move(plan));
  }

 private:
  struct TasksNow {
    std::int64_t all = 0;
    std::int64_t outdated = 0;  ///< They run another definition than the service.
    std::int64_t on_draining = 0;
  };
  TasksNow tasks_of(const RunningService& service) const {
    TasksNow now;
    const auto& scenario = loading_.scenario;
    const auto found = running_.find("service:" + service.name);
    if (found == running_.end()) return now;
    for (const std::uint32_t index : found->second) {
      const auto& task = scenario.running[index];
      const auto& profile = scenario.profiles[scenario.instances[task.instance].profile];
      ++now.all;
      now.outdated += task.task_definition != service.task_definition ? 1 : 0;
      now.on_draining += profile.status == InstanceStatus::kDraining ? 1 : 0;
    }
    return now;
  }

  /// Applies what the controller says of the healthy percents to `workload`.
  ServicePlan plan_of(const RunningService& service, Workload& workload) const {
    const auto& described = loading_.described_plans.at(service.name);
    ServicePlan plan;
    plan.desired_count = service.desired_count;
    plan.circuit_breaker = described.circuit_breaker;
    plan.rebalances = described.rebalances;
    plan.settings = described.settings;
    use_controller_percents(plan.settings, workload);
    return plan;
  }

  /// Tasks that ECS may count, although they stop, or wait for an instance.
  std::int64_t off_instances(const RunningService& service) const {
    const auto found = loading_.tasks_off_instances.find("service:" + service.name);
    return found == loading_.tasks_off_instances.end() ? 0 : found->second;
  }

  void fail(const RunningService& service, std::string message, std::string help) {
    const auto& origin = service.origin;
    loading_.sources.fail(Error{std::move(message), origin.file, origin.line, origin.column, std::move(help)});
  }

  /// Checks that the tasks are known, because otherwise it is unknown what the loss of an instance affects.
  bool check_tasks(const RunningService& service, std::int64_t has) {
    if (has + off_instances(service) >= service.running_count || service.kind == WorkloadKind::kDaemon) return true;
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
    workload.is_live = true;
    workload.name = service.name;
    workload.task_definition = index;
    workload.requirement = definition.requirement;
    workload.constraints = definition.constraints;
    take_terms(service, workload);
    workload.origin = service.origin;
    return workload;
  }

  Loading& loading_;
  std::map<std::string, std::vector<std::uint32_t>, std::less<>> running_;  ///< Scenario::running by group.
};

}  // namespace

namespace {

/// ECS tries them again until they have an instance or their provisioning times out.
void add_waiting_tasks(Loading& loading) {
  for (const auto& waiting : loading.waiting_tasks) {
    const auto definition = definition_named(loading, waiting.task_definition);
    if (!definition) {
      loading.scenario.findings.push_back(
          {"tasks-waiting", waiting.task_definition,
           fmt::format(
               "{} for an instance, of a definition that is not described: ignored, although ECS places {} first",
               waiting.count == 1 ? "1 task waits" : fmt::format("{} tasks wait", waiting.count),
               waiting.count == 1 ? "it" : "them")});
      continue;
    }
    const auto& known = loading.scenario.task_definitions[*definition];
    Workload workload;
    workload.name = known.family;
    workload.task_definition = *definition;
    workload.count = waiting.count;
    workload.group = waiting.group;
    workload.requirement = known.requirement;
    workload.constraints = known.constraints;
    if (!waiting.capacity_provider.empty()) workload.capacity_providers = {{waiting.capacity_provider, 0, 1}};
    workload.is_live = true;
    workload.origin = waiting.origin;
    loading.scenario.in_flight.workloads.push_back(std::move(workload));
  }
}

bool is_written(const model::ScenarioFile& written, const RunningService& service) {
  return std::any_of(written.services.begin(), written.services.end(),
                     [&](const auto& one) { return one.service_name.value == service.name; });
}

}  // namespace

std::vector<ServicePlan> add_live_workloads(Loading& loading, const model::ScenarioFile& written, bool daemons) {
  std::vector<ServicePlan> plans;
  // Daemons come before whatever is asked for, also on instances that are added.
  if (!loading.takes_services && !(daemons && loading.settles)) return plans;
  LiveWorkloads workloads(loading);
  for (const auto& service : loading.scenario.services) {
    if (is_written(written, service) || (service.kind == WorkloadKind::kDaemon) != daemons) continue;
    if (auto plan = workloads.add(service)) plans.push_back(*plan);
  }
  return plans;
}

void add_in_flight(Loading& loading, const model::ScenarioFile& written) {
  if (!loading.settles) return;
  LiveWorkloads workloads(loading);
  for (const auto& service : loading.scenario.services) {
    const bool is_asked = is_written(written, service);
    const bool is_settled = !loading.takes_services && (!is_asked || loading.settles_written);
    if (is_settled) workloads.add_in_flight(service, is_asked);
  }
  add_waiting_tasks(loading);
}

}  // namespace bayplan::scenario

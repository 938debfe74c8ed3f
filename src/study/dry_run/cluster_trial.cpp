#include "study/dry_run/cluster_trial.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/scenario.hpp"
#include "placement/verify/verify.hpp"
#include "study/in_flight.hpp"
#include "study/scenario_change.hpp"
#include "timeline/reservation.hpp"

namespace bayplan::study {

using awscli::Verb;
using placement::Scenario;
using text::Value;

namespace {

constexpr std::string_view kService = "service:";

std::string_view last_part(std::string_view name) {
  return name.substr(name.rfind('/') + 1);
}

std::optional<std::uint32_t> running_task(const Scenario& scenario, std::string_view id) {
  const auto& running = scenario.running;
  const auto found = std::find_if(running.begin(), running.end(), [&](const auto& task) { return task.id == id; });
  if (found == running.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - running.begin());
}

bool is_known_definition(const Scenario& scenario, std::string_view name) {
  return std::any_of(scenario.task_definitions.begin(), scenario.task_definitions.end(),
                     [&](const auto& one) { return one.name == name; });
}

/// "256 CPU units, 512 MiB and 1 GPU"
std::string resources_text(const capacity::TaskRequirement& task, std::size_t gpus) {
  std::string text = fmt::format("{} CPU units and {} MiB", task.cpu, task.memory);
  if (gpus > 0) text += fmt::format(", {}", count_of(static_cast<std::int64_t>(gpus), "GPU"));
  const auto ports = static_cast<std::int64_t>(task.tcp_ports.size() + task.udp_ports.size());
  if (ports > 0) text += fmt::format(", {}", count_of(ports, "host port"));
  return text;
}

/// The cluster with the service's next task as the only question; nothing where the service is not a workload of it.
std::optional<Scenario> with_next_task(const Scenario& cluster, std::string_view group) {
  const auto& all = cluster.workloads;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) {
    return one.group == group && one.kind == placement::WorkloadKind::kService;
  });
  if (found == all.end()) return std::nullopt;
  Scenario next = cluster;
  next.workloads = {*found};
  next.workloads.front().count = 1;
  next.calls.clear();
  next.timetable.services.clear();
  next.timetable.tasks.resize(1);
  return next;
}

/// A member of the update, and where the description has the same.
struct ProviderMember {
  std::string_view object;  ///< Inside autoScalingGroupProvider; empty for a member of it.
  std::string_view name;
  std::string_view unsaid;  ///< The default of ECS (API_ManagedScaling, API_AutoScalingGroupProvider).
};

constexpr std::array<ProviderMember, 7> kProviderMembers{{{"managedScaling", "status", "DISABLED"},
                                                          {"managedScaling", "targetCapacity", "100"},
                                                          {"managedScaling", "minimumScalingStepSize", "1"},
                                                          {"managedScaling", "maximumScalingStepSize", "10000"},
                                                          {"managedScaling", "instanceWarmupPeriod", "300"},
                                                          {"", "managedTerminationProtection", "DISABLED"},
                                                          {"", "managedDraining", "ENABLED"}}};

/// The value in the input or description of a provider; nothing where it says none.
std::optional<std::string> member_text(Value provider, const ProviderMember& member) {
  const Value group = provider.find("autoScalingGroupProvider");
  const Value object = group && !member.object.empty() ? group.find(member.object) : group;
  const Value found = object && object.is_object() ? object.find(member.name) : Value();
  if (!found || found.is_null()) return std::nullopt;
  return found.integer() ? std::to_string(*found.integer()) : std::string(found.text());
}

/// Instances of the provider, and those that run a task which is no daemon: N and M of CapacityProviderReservation
/// where no task waits (ECS developer guide, cluster-auto-scaling).
timeline::Reservation reservation_of(const Scenario& scenario, std::string_view provider) {
  timeline::Reservation reservation;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    const auto& profile = scenario.profiles[scenario.instances[i].profile];
    if (profile.capacity_provider_name != provider || profile.status == placement::InstanceStatus::kInactive) continue;
    ++reservation.running;
    const auto tasks = scenario.running_on(i);
    const auto* use = scenario.use_of(i);
    const bool has_own = std::any_of(tasks.begin(), tasks.end(), [](const auto& task) { return !task.daemon; });
    const bool has_unknown = tasks.empty() && use != nullptr && use->tasks > 0;
    reservation.needed += has_own || has_unknown ? 1 : 0;
  }
  return reservation;
}

std::vector<std::string> provider_names(Value list) {
  std::vector<std::string> names;
  if (!list || !list.is_array()) return names;
  for (const Value item : list.children()) {
    const Value name = item.is_object() ? item.find("capacityProvider") : item;
    if (name) names.emplace_back(last_part(name.text()));
  }
  return names;
}

std::vector<std::string> without(const std::vector<std::string>& names, const std::vector<std::string>& others) {
  std::vector<std::string> left;
  std::copy_if(names.begin(), names.end(), std::back_inserter(left),
               [&](const auto& name) { return std::find(others.begin(), others.end(), name) == others.end(); });
  return left;
}

std::string names_or_none(const std::vector<std::string>& names) {
  return names.empty() ? "none" : join(names, ", ");
}

/// Loads the cluster as it is described, with what stops still in its place. Returns errors, also where the call names
/// another cluster.
std::vector<Error> load_cluster(DryRun& run, const TrialTools& tools) {
  if (auto missing = missing_cluster(tools)) return {*std::move(missing)};
  auto request = cluster_request(tools);
  request.may_be_idle = true;
  auto loaded = scenario::load_scenario(request, tools.files, tools.catalog, tools.setting.limits);
  if (!loaded.scenario) return std::move(loaded.errors);
  run.scenario = std::move(loaded.scenario);
  // A provider of an Auto Scaling group belongs to the account, and the call names no cluster.
  if (verb_of(run) == Verb::kUpdateCapacityProvider && !root_of(run).find("cluster")) return {};
  if (auto other = other_cluster(run)) return {*std::move(other)};
  return {};
}

/// The service keeps its desired count. ECS starts the next task while the stopped one may still hold its resources,
/// and tries again when they are free. Returns internal errors.
std::vector<std::string> place_replacement(DryRun& run, const StoppedTask& stopped, const TrialTools& tools) {
  const std::string service = stopped.task.group.substr(kService.size());
  auto request = cluster_request(tools);
  request.may_be_idle = true;
  request.takes_services = true;
  auto loaded = load_settled(request, tools.files, tools.catalog, tools.setting.limits);
  const auto index = loaded.scenario ? running_task(*loaded.scenario, stopped.task.id) : std::nullopt;
  if (loaded.scenario && !index) {
    add_effect(
        run, "task-replaced", service,
        fmt::format("service {} stops this task anyway, because of what is under way: a deployment, the draining "
                    "of its instance, or more tasks than desired",
                    service));
    return {};
  }
  auto next = index ? with_next_task(*loaded.scenario, stopped.task.group) : std::nullopt;
  if (!next || !stopped.frees) {
    add_effect(run, "task-replaced", service, fmt::format("service {} starts another task", service));
    assume(run, "replacement-not-simulated", service,
           "where the task is placed is unknown: the service or its task definition is not described");
    return {};
  }
  next->running[*index].stopping = true;
  auto outcome = placement::place(*next);
  const bool waits = !outcome.failures.empty() && can_leave(*next, *index, *stopped.frees);
  if (waits) {
    next = with_change(*next, EndTask{*index, *stopped.frees});
    outcome = placement::place(*next);
  }
  auto mistakes = placement::verify(*next, outcome);
  if (!mistakes.empty()) return mistakes;
  if (!outcome.placements.empty()) {
    add_effect(run, "task-replaced", service,
               fmt::format("service {} starts another task on {}{}", service,
                           next->instances[outcome.placements.front().instance].id,
                           waits ? ", when the resources of the stopped task are free" : ""));
  } else {
    add_effect(run, "task-not-replaced", service,
               fmt::format("service {} finds no instance for another task", service));
  }
  run.scenario = *std::move(next);
  run.outcome = std::move(outcome);
  return {};
}

DryRunResult stop_task(DryRun run, const TrialTools& tools) {
  const Scenario& scenario = *run.scenario;
  const Value named = root_of(run).find("task");
  const std::string id(last_part(named.text()));
  const auto on_fargate = std::find_if(scenario.elsewhere.begin(), scenario.elsewhere.end(),
                                       [&](const auto& task) { return task.id == id; });
  if (on_fargate != scenario.elsewhere.end()) {
    add_effect(run, "task-stops", id,
               fmt::format("task {} stops; it runs on Fargate and uses no container instance", id));
    if (on_fargate->group.starts_with(kService))
      add_effect(run, "task-replaced", id,
                 fmt::format("service {} starts another task on Fargate", on_fargate->group.substr(kService.size())));
    return done(std::move(run));
  }
  const auto index = running_task(scenario, id);
  if (!index) {
    const bool knows_all = !scenario.running.empty() && !tools.setting.described.allow_partial;
    if (!knows_all) {
      return failed(objection(run, named, fmt::format("task '{}' is not described", id),
                              "--cluster requires a folder that includes the output of aws ecs describe-tasks"));
    }
    return refused(std::move(run), refusal_of_unknown_task());
  }
  StoppedTask stopped{scenario.running[*index], std::nullopt};
  if (is_known_definition(scenario, stopped.task.task_definition))
    stopped.frees = requirements_of_running(scenario)[*index];
  const auto& task = stopped.task;
  const std::string& instance = scenario.instances[task.instance].id;
  if (task.stopping) {
    add_effect(run, "task-stops", id,
               fmt::format("task {} on {} already stops: the call changes nothing", id, instance));
    run.stopped = std::move(stopped);
    return done(std::move(run));
  }
  add_effect(run, "task-stops", id,
             stopped.frees
                 ? fmt::format("task {} of {} stops and frees {} on {}", id, task.task_definition,
                               resources_text(*stopped.frees, task.gpus.size()), instance)
                 : fmt::format("task {} of {} stops on {}; what it frees is unknown, because its definition is not "
                               "described",
                               id, task.task_definition, instance));
  if (task.daemon) {
    add_effect(run, "task-replaced", id, fmt::format("the daemon service starts it again on {}", instance));
  } else if (task.group.starts_with(kService)) {
    if (auto mistakes = place_replacement(run, stopped, tools); !mistakes.empty())
      return withdrawn(std::move(mistakes));
  }
  run.stopped = std::move(stopped);
  return done(std::move(run));
}

/// What managed scaling makes of the instances that are there, with the settings after the call.
void note_scaling(DryRun& run, Value provider) {
  const auto before = [&](const ProviderMember& member) {
    return member_text(provider, member).value_or(std::string(member.unsaid));
  };
  const auto setting = [&](const ProviderMember& member) {
    return member_text(root_of(run), member).value_or(before(member));
  };
  const bool was_managed = before(kProviderMembers[0]) == "ENABLED";
  const bool is_managed = setting(kProviderMembers[0]) == "ENABLED";
  const std::string subject(provider.find("name").text());
  if (was_managed && !is_managed) {
    return add_effect(run, "managed-scaling-ends", subject,
                      "a task without room fails from then on; the Auto Scaling group keeps its desired capacity");
  }
  if (!is_managed) return;
  if (!was_managed)
    add_effect(run, "managed-scaling-begins", subject, "a task without room waits in PROVISIONING from then on");
  const std::string target = setting(kProviderMembers[1]);
  placement::InstanceGroup group;
  group.max_size = std::numeric_limits<std::int32_t>::max();
  group.target_capacity = std::max<std::int64_t>(1, static_cast<std::int64_t>(to_number(target).value_or(100)));
  const auto reservation = reservation_of(*run.scenario, subject);
  const std::int64_t wanted = timeline::capacity_for(reservation, group);
  add_effect(run, "scaling-target", subject,
             fmt::format("{} of {} run tasks: at targetCapacity {} the group goes to {}", reservation.needed,
                         count_of(reservation.running, "instance"), group.target_capacity, wanted));
  assume(run, "group-sizes-unknown", subject,
         "minimum and maximum size of the Auto Scaling group and waiting tasks are not read");
}

DryRunResult update_provider(DryRun run) {
  const Value named = root_of(run).find("name");
  const std::string name(last_part(named.text()));
  const auto& described = run.scenario->providers.described;
  if (described.empty()) {
    return failed(
        objection(run, named, "no capacity provider of the cluster is described",
                  "--cluster requires a folder that includes the output of aws ecs describe-capacity-providers"));
  }
  const auto provider = std::find_if(described.begin(), described.end(),
                                     [&](const Value& one) { return one.find("name").text() == name; });
  if (provider == described.end()) {
    return refused(std::move(run), refusal_of_unknown_provider());
  }
  if (root_of(run).find("managedInstancesProvider")) {
    add_effect(run, "provider-updated", name,
               fmt::format("{} is updated: instances that ECS launches from then on have the new settings, those that "
                           "run keep theirs",
                           name));
    return done(std::move(run));
  }
  for (const auto& member : kProviderMembers) {
    const auto after = member_text(root_of(run), member);
    const std::string before = member_text(*provider, member).value_or(std::string(member.unsaid));
    if (!after || *after == before) continue;
    add_effect(run, "provider-updated", name,
               fmt::format("{}: {} {} instead of {}", name, member.name, *after, before));
  }
  if (run.effects.empty()) {
    add_effect(run, "provider-unchanged", name, fmt::format("{} has these settings already", name));
    return done(std::move(run));
  }
  note_scaling(run, *provider);
  return done(std::move(run));
}

DryRunResult put_providers(DryRun run) {
  const Scenario& scenario = *run.scenario;
  const auto after = provider_names(root_of(run).find("capacityProviders"));
  const auto& associated = scenario.providers.associated;
  const auto removed = associated ? without(*associated, after) : std::vector<std::string>();
  const auto uses_removed = [&](const placement::ProviderShare& share) {
    return std::find(removed.begin(), removed.end(), share.capacity_provider) != removed.end();
  };
  const bool is_used = std::any_of(scenario.services.begin(), scenario.services.end(), [&](const auto& service) {
    return std::any_of(service.capacity_providers.begin(), service.capacity_providers.end(), uses_removed);
  });
  if (is_used) return refused(std::move(run), refusal_of_used_provider());
  const std::string& cluster = scenario.cluster_name;
  const auto added = associated ? without(after, *associated) : after;
  if (!associated) {
    assume(run, "providers-not-described", cluster, "which capacity providers the cluster has is not described");
  }
  add_effect(run, "providers-associated", cluster,
             added.empty() && removed.empty() && associated
                 ? fmt::format("the cluster keeps its capacity providers: {}", names_or_none(after))
                 : fmt::format("the cluster gets {} and loses {}", names_or_none(added), names_or_none(removed)));
  std::vector<std::string> known{"FARGATE", "FARGATE_SPOT"};
  for (const Value& one : scenario.providers.described) known.emplace_back(one.find("name").text());
  for (const auto& name : without(added, known))
    assume(run, "provider-not-described", name, "whether there is a capacity provider of this name is unknown");

  std::vector<std::string> before;
  for (const auto& share : scenario.providers.default_strategy) before.push_back(share.capacity_provider);
  const auto strategy = provider_names(root_of(run).find("defaultCapacityProviderStrategy"));
  if (strategy != before) {
    const bool is_fargate = !strategy.empty() && strategy.front().starts_with("FARGATE");
    add_effect(
        run, "default-strategy", cluster,
        fmt::format("tasks and services that name neither launch type nor capacity providers go to {}{} instead of {}",
                    strategy.empty() ? "every instance (launch type EC2)" : join(strategy, ", "),
                    is_fargate ? " (no container instance)" : "",
                    before.empty() ? "every instance (launch type EC2)" : join(before, ", ")));
    const auto services = static_cast<std::int64_t>(scenario.services.size());
    if (services > 0)
      add_effect(run, "services-keep-strategy", cluster,
                 fmt::format("the {} of the cluster keep what they have", count_of(services, "service")));
  }
  return done(std::move(run));
}

/// Calls of which ECS stores what they say: the response repeats it.
DryRunResult accept(DryRun run) {
  const Verb verb = verb_of(run);
  const std::string call(run.request.operation->api_name);
  if (verb == Verb::kCreateExpressGatewayService) {
    add_effect(run, "fargate", call,
               "ECS accepts CreateExpressGatewayService: its tasks run on Fargate and use no container instance");
  } else {
    add_effect(run, "accepted", call, fmt::format("ECS accepts {}", call));
  }
  const bool starts = verb == Verb::kCreateTaskSet || verb == Verb::kCreateDaemon;
  if (starts) assume(run, "tasks-not-placed", call, "the tasks that it starts are not placed");
  return done(std::move(run));
}

}  // namespace

DryRunResult try_cluster_call(awscli::Request request, const TrialTools& tools) {
  DryRun run = begin_run(std::move(request), tools);
  if (is_refused_by_lint(run, tools)) return done(std::move(run));
  const Verb verb = verb_of(run);
  const bool changes_cluster =
      verb == Verb::kStopTask || verb == Verb::kUpdateCapacityProvider || verb == Verb::kPutClusterCapacityProviders;
  if (!changes_cluster) return accept(std::move(run));
  if (auto errors = load_cluster(run, tools); !errors.empty()) return failed(std::move(errors));
  if (verb == Verb::kStopTask) return stop_task(std::move(run), tools);
  if (verb == Verb::kUpdateCapacityProvider) return update_provider(std::move(run));
  return put_providers(std::move(run));
}

}  // namespace bayplan::study

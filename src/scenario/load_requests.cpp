// What services and RunTask calls have in common -> workloads.
#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "placement/model/constraints.hpp"
#include "scenario/arguments.hpp"
#include "scenario/loading.hpp"
#include "text/part_of_string.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using text::Value;

namespace {

void resolve_strategies(Loading& loading, const model::PlacementRequest& request, Workload& workload) {
  for (const auto& item : request.placement_strategy) {
    auto strategy = make_strategy(item.type.value.value_or(""), item.field.value);
    if (strategy) {
      workload.strategies.push_back(std::move(*strategy));
    } else {
      loading.sources.fail(item.field.present() ? item.field.node : item.node, strategy.error().message,
                           strategy.error().help);
    }
  }
}

void resolve_constraints(Loading& loading, const model::PlacementRequest& request, Workload& workload) {
  workload.constraints = loading.scenario.task_definitions[workload.task_definition].constraints;
  for (const auto& item : request.placement_constraints) {
    if (auto constraint = resolve_constraint(loading, item)) workload.constraints.push_back(std::move(*constraint));
  }
}

void resolve_zones(Loading& loading, const model::PlacementRequest& request, Workload& workload) {
  if (workload.requirement.network_interfaces == 0) return;
  for (const auto& subnet : request.subnets) workload.subnets.emplace_back(subnet.value.value_or(subnet.node.text()));
  workload.availability_zones = zones_of_subnets(loading, workload.name, workload.subnets);
}

void override_container(Loading& loading, Value written, const TaskDefinition& definition,
                        model::TaskDefinition& task) {
  const auto given = model::bind_container_definition(written, loading.placeholders);
  for (auto& container : task.container_definitions.items) {
    if (!given.name.known() || container.name.value != given.name.value) continue;
    if (given.cpu.present()) container.cpu = given.cpu;
    if (given.memory.present()) container.memory = given.memory;
    if (given.memory_reservation.present()) container.memory_reservation = given.memory_reservation;
    if (given.resource_requirements.present()) container.resource_requirements = given.resource_requirements;
    return;
  }
  if (!given.name.present()) return loading.sources.fail(written, "this override names no container", "add its name");
  const std::string name(given.name.value.value_or(""));
  const std::vector<std::string_view> names(definition.container_names.begin(), definition.container_names.end());
  loading.sources.fail_with(given.name.node, {.message = fmt::format("no container '{}' in {}", name, definition.name),
                                              .help = help_among(loading, name, names, "containers are"),
                                              .id = "container-unknown",
                                              .subject = name});
}

/// Refuses unreadable sizes in a task's overrides: the definition's own would stay in force.
void check_overridden_sizes(Loading& loading, const model::TaskDefinition& task) {
  const auto refuse = [&](const model::StringField& size, std::string_view help) {
    loading.sources.fail(size.node, fmt::format("{} cannot be '{}'", size.node.key(), *size), std::string(help));
  };
  if (task.cpu.known() && !task.cpu_units())
    refuse(task.cpu, "use CPU units (\"512\"; 1 vCPU is 1024) or \"0.5 vCPU\"");
  if (task.memory.known() && !task.memory_mib()) refuse(task.memory, "use MiB (\"2048\") or \"2 GB\"");
}

/// Overrides replace members of the definition before anything is summed up.
capacity::TaskRequirement requirement_with(Loading& loading, Value overrides, const TaskDefinition& definition) {
  if (!overrides) return definition.requirement;
  model::TaskDefinition sizes;
  sizes.cpu = model::string_field(overrides, "cpu", loading.placeholders);
  sizes.memory = model::string_field(overrides, "memory", loading.placeholders);
  check_overridden_sizes(loading, sizes);
  model::TaskDefinition task = definition.definition;
  if (sizes.cpu.present()) task.cpu = sizes.cpu;
  if (sizes.memory.present()) task.memory = sizes.memory;
  if (const Value containers = overrides.find("containerOverrides")) {
    for (const Value container : containers.children()) override_container(loading, container, definition, task);
  }
  auto requirement = capacity::requirement_of(task);
  requirement.family = definition.family;
  return requirement;
}

/// A provider that scales by itself starts instances; without a group, their type is unknown.
void note_scaling(Loading& loading, const Workload& workload, const std::string& provider) {
  const auto& groups = loading.scenario.timetable.groups;
  if (std::any_of(groups.begin(), groups.end(), [&](const auto& group) { return group.capacity_provider == provider; }))
    return;
  if (loading.managed_instances_providers.contains(provider)) {
    assume(loading.scenario, std::string(capacity::kLaunchTypeNotEc2), workload.name,
           fmt::format(
               "capacity provider {} is of Managed Instances; ECS launches instances for what does not fit, only those "
               "that are there are counted",
               provider));
  }
  const auto described = loading.described_providers.find(provider);
  if (described == loading.described_providers.end() || !described->second) return;
  assume(loading.scenario, "managed-scaling-not-simulated", provider,
         fmt::format("{} starts instances for what does not fit; {} is placed on those that are there, the rest waits",
                     provider, workload.name));
}

/// False for what ECS refuses and what leaves nothing to deal by.
bool can_be_dealt(Loading& loading, const model::PlacementRequest& request, const Workload& workload) {
  const auto& items = request.capacity_provider_strategy;
  if (items.empty()) return true;
  if (workload.kind == WorkloadKind::kDaemon) {
    // The answer of CreateService: aws/containers-roadmap 692.
    loading.sources.fail(items.node, "a DAEMON service does not support a capacity provider strategy",
                         "omit it: a daemon runs on every instance that its constraints allow");
    return false;
  }
  const bool has_weight =
      std::any_of(items.begin(), items.end(), [](const auto& item) { return item.weight.value.value_or(0) > 0; });
  if (has_weight || items.size() == 1) return true;
  loading.sources.fail(items.node,
                       fmt::format("none of the {} capacity providers has a weight above 0 (BAY1114)", items.size()),
                       "give one of them a weight of 1 or more; an absent weight is 0");
  return false;
}

std::string help_for_provider(Loading& loading, const std::string& name) {
  std::vector<std::string_view> names;
  if (gives_hints(loading)) names.assign(loading.known_providers.begin(), loading.known_providers.end());
  const auto near = nearest(name, names);
  return near ? fmt::format("did you mean '{}'?", *near) : "instances name theirs in capacityProviderName";
}

void resolve_providers(Loading& loading, const model::PlacementRequest& request, Workload& workload) {
  if (!can_be_dealt(loading, request, workload)) return;
  for (const auto& item : request.capacity_provider_strategy) {
    const std::string name(item.capacity_provider.value.value_or(""));
    if (name == "FARGATE" || name == "FARGATE_SPOT") {
      note_not_simulated(loading, item.capacity_provider.node, fmt::format("capacity provider {}", name),
                         "tasks on Fargate use no container instances");
      continue;
    }
    if (!loading.known_providers.contains(name)) {
      loading.sources.fail(item.capacity_provider.node, fmt::format("no capacity provider '{}'", name),
                           help_for_provider(loading, name));
      continue;
    }
    workload.capacity_providers.push_back({name, item.base.value.value_or(0), item.weight.value.value_or(0)});
    note_scaling(loading, workload, name);
  }
  const bool is_silent = !request.capacity_provider_strategy.present() && !request.launch_type.present();
  if (is_silent && workload.kind != WorkloadKind::kDaemon) use_default_providers(loading, workload);
}

}  // namespace

std::optional<std::vector<std::string>> zones_of_subnets(Loading& loading, const std::string& workload,
                                                         const std::vector<std::string>& subnets) {
  if (subnets.empty()) {
    assume(loading.scenario, "subnets-assumed", workload,
           fmt::format("{} states no subnets; subnets in every zone are assumed", workload));
    return std::nullopt;
  }
  std::set<std::string> zones;
  bool complete = true;
  for (const auto& subnet : subnets) {
    const auto known = loading.scenario.subnets.find(subnet);
    if (known != loading.scenario.subnets.end()) {
      zones.insert(known->second.availability_zone);
      continue;
    }
    complete = false;
    assume(loading.scenario, "subnet-zone-unknown", subnet,
           fmt::format("the zone of {} is not stated; {} is not tied to zones", subnet, workload));
  }
  if (!complete) return std::nullopt;
  return std::vector<std::string>(zones.begin(), zones.end());
}

bool resolve_request(Loading& loading, const model::PlacementRequest& request, Value overrides, Workload& workload) {
  if (!request.task_definition) return false;
  const auto definition = find_definition(loading, *request.task_definition);
  if (!definition) {
    if (loading.is_incomplete || loading.lacks_definitions) return false;
    loading.sources.fail_with(request.task_definition.node, definition.error());
    return false;
  }
  workload.task_definition = *definition;
  const TaskDefinition& found = loading.scenario.task_definitions[*definition];
  if (workload.name.empty()) workload.name = found.family;
  if (workload.group.empty()) workload.group = "family:" + found.family;
  workload.origin = find_origin(loading.sources, request.node);
  workload.requirement = requirement_with(loading, overrides, found);
  resolve_strategies(loading, request, workload);
  resolve_constraints(loading, request, workload);
  resolve_zones(loading, request, workload);
  resolve_providers(loading, request, workload);
  return true;
}

std::optional<Constraint> resolve_constraint(Loading& loading, const model::PlacementConstraint& written) {
  if (written.type.value == "distinctInstance") {
    if (!written.expression.present()) return Constraint{};
    loading.sources.fail(written.expression.node, "distinctInstance does not support an expression (BAY1106)",
                         "omit the expression");
    return std::nullopt;
  }
  if (written.type.value != "memberOf") {
    const bool has_type = written.type.present();
    loading.sources.fail(has_type ? written.type.node : written.node,
                         has_type ? fmt::format("unknown placement constraint '{}'", written.type.value.value_or(""))
                                  : "a placement constraint has no type",
                         "types are memberOf and distinctInstance");
    return std::nullopt;
  }
  if (!written.expression) {
    loading.sources.fail(written.node, "memberOf needs an expression",
                         "for example attribute:ecs.instance-type =~ p3.*");
    return std::nullopt;
  }
  if (const auto fault = find_length_fault(*written.expression)) {
    loading.sources.fail(written.expression.node, fault->message, fault->help);
    return std::nullopt;
  }
  auto parsed = query::parse(*written.expression);
  if (!parsed) {
    const auto& fault = *parsed.fault;
    loading.sources.fail_at(text::part_of_string(written.expression.node, fault.span), written.expression.node,
                            "expression: " + fault.message, fault.help);
    return std::nullopt;
  }
  for (const auto& doubt : parsed.expression->doubts()) {
    assume(loading.scenario, "expression-undocumented", std::string(*written.expression), doubt.message);
  }
  return Constraint{ConstraintType::kMemberOf, std::string(*written.expression),
                    std::make_shared<const query::Expression>(std::move(*parsed.expression))};
}

void use_default_providers(Loading& loading, Workload& workload) {
  if (loading.default_providers.empty()) return;
  const bool is_fargate = loading.default_providers.front().capacity_provider.starts_with("FARGATE");
  std::vector<std::string> names;
  for (const auto& share : loading.default_providers) names.push_back(share.capacity_provider);
  if (is_fargate) {
    return assume(
        loading.scenario, std::string(capacity::kLaunchTypeNotEc2), workload.name,
        fmt::format("no launch type is named and the cluster's default is {}; tasks are placed on EC2 instances "
                    "anyway, as with launch type EC2",
                    join(names, ", ")));
  }
  assume(loading.scenario, "default-capacity-providers", workload.name,
         fmt::format("{} names neither launch type nor capacity providers and goes to the cluster's default: {}",
                     workload.name, join(names, ", ")));
  workload.capacity_providers = loading.default_providers;
  for (const auto& name : names) note_scaling(loading, workload, name);
}

}  // namespace bayplan::scenario

#include "study/whatif/variant_subjects.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/pattern.hpp"
#include "base/shell_word.hpp"
#include "base/strings.hpp"

namespace bayplan::study {

using placement::Scenario;
using placement::Workload;
using placement::WorkloadKind;

namespace {

using Names = std::vector<std::string_view>;

/// The nearest of the names, else some of them.
std::string make_help(std::string_view word, const Names& names, std::string_view what, std::string_view otherwise) {
  constexpr std::size_t kMaxTold = 8;
  if (const auto near = nearest(word, names)) return fmt::format("did you mean '{}'?", *near);
  if (names.empty()) return std::string(otherwise);
  if (names.size() > kMaxTold) return fmt::format("there are {} {}", names.size(), what);
  return fmt::format("{} are {}", what, one_of(names, "and"));
}

std::string help_of_instance(const PlannedInstances& planned, std::string_view name) {
  const auto types = list_types(planned);
  const auto type = types.find(std::string(name.substr(0, name.find('#'))));
  if (type != types.end())
    return fmt::format("there {} {} of {}", type->second == 1 ? "is" : "are",
                       bayplan::count_of(type->second, "instance"), type->first);
  Names ids;
  for (const auto& instance : planned.instances()) ids.push_back(instance.id);
  const auto near = is_glob(name) ? std::nullopt : nearest(name, ids);
  if (near) return fmt::format("did you mean '{}'?", *near);
  constexpr std::size_t kListed = 4;
  if (ids.empty()) return "there are no instances";
  if (ids.size() <= kListed) return fmt::format("instances are {}", one_of(ids, "and"));
  const auto all = bayplan::count_of(static_cast<std::int64_t>(ids.size()), "instance");
  ids.resize(kListed);
  return fmt::format("{} are named by ID or glob (such as p3.2xlarge#*): {}, ...", all,
                     join({ids.begin(), ids.end()}, ", "));
}

/// "2a" of us-east-2a; several zones in one value.
std::string help_of_zone(std::string_view zone, const Names& zones) {
  if (zones.empty()) return "no instance states its zone";
  const auto comma = zone.find(',');
  if (comma != std::string_view::npos)
    return fmt::format("repeat the option for each zone: --lose-az {} --lose-az {}", trim(zone.substr(0, comma)),
                       trim(zone.substr(comma + 1)));
  const auto is_end = [&](std::string_view one) { return !zone.empty() && one.ends_with(zone); };
  if (std::count_if(zones.begin(), zones.end(), is_end) == 1)
    return fmt::format("did you mean '{}'?", *std::find_if(zones.begin(), zones.end(), is_end));
  return "zones are " + one_of(zones, "and");
}

bool is_tasks(const Workload& workload) {
  return workload.kind == WorkloadKind::kTasks;
}

/// Names of services, daemons among them, and of standalone tasks.
Names list_names(const Scenario& scenario, bool services, bool tasks) {
  std::set<std::string_view> names;
  for (const auto& workload : scenario.workloads) {
    if (is_tasks(workload) ? tasks : services) names.insert(workload.name);
  }
  return {names.begin(), names.end()};
}

/// One or none: workloads of later deployments come after the first.
std::vector<std::uint32_t> find_service(const Scenario& scenario, std::string_view name) {
  const auto& workloads = scenario.workloads;
  const auto found = std::find_if(workloads.begin(), workloads.end(),
                                  [&](const auto& one) { return !is_tasks(one) && one.name == name; });
  if (found == workloads.end()) return {};
  return {static_cast<std::uint32_t>(found - workloads.begin())};
}

/// Why a service of a live cluster is not part of the scenario.
std::optional<Error> why_not_taken(const Scenario& scenario, std::string_view name) {
  const auto found = std::find_if(scenario.services.begin(), scenario.services.end(),
                                  [&](const auto& service) { return service.name == name; });
  if (found == scenario.services.end()) return std::nullopt;
  const auto& definitions = scenario.task_definitions;
  if (std::any_of(definitions.begin(), definitions.end(),
                  [&](const auto& one) { return one.name == found->task_definition; }))
    return Error{.message = fmt::format("the tasks of '{}' run on none of the cluster's instances", name)};
  return Error{
      .message = fmt::format("'{}' runs {}, which is not described", name, found->task_definition),
      .help = fmt::format("aws ecs describe-task-definition --task-definition {}", shell_word(found->task_definition))};
}

std::vector<std::uint32_t> find_tasks(const Scenario& scenario, std::string_view name) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < scenario.workloads.size(); ++i) {
    if (is_tasks(scenario.workloads[i]) && scenario.workloads[i].name == name) found.push_back(i);
  }
  return found;
}

/// "pools are m5.large@us-east-1a and m5.large@us-east-1b"
std::string help_of_pool(const PlannedInstances& planned) {
  constexpr std::size_t kMost = 6;
  std::set<std::string> pools;
  for (std::uint32_t i = 0; i < planned.instances().size(); ++i)
    pools.insert(placement::spot_pool(planned.profile_of(i)));
  std::vector<std::string_view> names(pools.begin(), pools.end());
  if (names.size() > kMost) {
    names.resize(kMost);
    names.emplace_back("others");
  }
  return "pools are " + one_of(names, "and");
}

constexpr std::string_view kService = "service:";
constexpr std::string_view kFamily = "family:";

std::string_view without(std::string_view name, std::string_view prefix) {
  return name.starts_with(prefix) ? name.substr(prefix.size()) : name;
}

}  // namespace

Result<std::vector<std::uint32_t>> instances_named(const PlannedInstances& planned, std::string_view name) {
  const bool glob = is_glob(name);
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < planned.instances().size(); ++i) {
    const auto id =
        placement::names_pool(name) ? placement::spot_pool(planned.profile_of(i)) : planned.instances()[i].id;
    if (glob ? glob_matches(name, id) : id == name) found.push_back(i);
  }
  if (!found.empty()) return found;
  if (placement::names_pool(name))
    return Error{.message = fmt::format("no instance is in pool {}", name), .help = help_of_pool(planned)};
  return Error{.message = glob ? "no instance has such an id" : "no instance has this id",
               .help = help_of_instance(planned, name)};
}

Result<std::vector<std::uint32_t>> instances_in(const PlannedInstances& planned, std::string_view zone) {
  std::vector<std::uint32_t> found;
  std::set<std::string_view> zones;
  for (std::uint32_t i = 0; i < planned.instances().size(); ++i) {
    const auto& own = planned.profile_of(i).availability_zone;
    if (!own.empty()) zones.insert(own);
    if (!zone.empty() && own == zone) found.push_back(i);
  }
  if (!found.empty()) return found;
  const Names names(zones.begin(), zones.end());  // they differ by a letter: none is nearer than the others
  return Error{.message = "no instance is in this zone", .help = help_of_zone(zone, names)};
}

std::map<std::string, std::int64_t> list_types(const PlannedInstances& planned) {
  std::map<std::string, std::int64_t> types;
  for (std::uint32_t i = 0; i < planned.instances().size(); ++i) ++types[planned.profile_of(i).instance_type];
  return types;
}

Error no_such_type(const Scenario& scenario, const PlannedInstances& planned, std::string_view instance_type) {
  for (const auto& group : scenario.timetable.groups) {
    for (const auto& type : group.types) {
      if (planned.profiles()[type.profiles.front()]->instance_type != instance_type) continue;
      return {.message = fmt::format(
                  "no instance is of type {} yet: capacity provider '{}' launches them when tasks need them",
                  instance_type, group.capacity_provider),
              .help = "its autoScalingGroup in the scenario says what it launches"};
    }
  }
  const auto types = list_types(planned);
  Names names;
  for (const auto& [name, count] : types) names.push_back(name);
  return {.message = fmt::format("no instance is of type {}", instance_type),
          .help = make_help(instance_type, names, "types", "the cluster has no instances")};
}

Result<std::uint32_t> service_named(const Scenario& scenario, std::string_view name) {
  const std::string_view own = without(name, kService);
  if (const auto found = find_service(scenario, own); !found.empty()) return found.front();
  if (!find_tasks(scenario, own).empty()) {
    return Error{.message = fmt::format("'{}' is not a service: its tasks are standalone", own),
                 .help = "only services are deployed"};
  }
  if (auto error = why_not_taken(scenario, own)) return std::move(*error);
  return Error{.message = fmt::format("no service '{}'", own),
               .help = make_help(own, list_names(scenario, true, false), "services", "the scenario has no services")};
}

Result<std::vector<std::uint32_t>> scalable_named(const Scenario& scenario, std::string_view name) {
  const bool may_be_service = !name.starts_with(kFamily);
  const bool may_be_tasks = !name.starts_with(kService);
  const std::string_view own = without(without(name, kService), kFamily);
  const auto service = may_be_service ? find_service(scenario, own) : std::vector<std::uint32_t>();
  const auto tasks = may_be_tasks ? find_tasks(scenario, own) : std::vector<std::uint32_t>();
  if (!service.empty() && !tasks.empty()) {
    return Error{.message = fmt::format("'{}' is both a service and a family of standalone tasks", own),
                 .help = fmt::format("write service:{} or family:{}", own, own)};
  }
  if (!service.empty() && scenario.workloads[service.front()].kind == WorkloadKind::kDaemon) {
    return Error{.message = fmt::format("'{}' is a DAEMON service and has no desiredCount", own),
                 .help = "it runs a task on each instance that its constraints allow"};
  }
  if (!service.empty()) return service;
  for (const auto index : tasks) {
    if (scenario.workloads[index].count) continue;
    return Error{.message = fmt::format("'{}' has no count: as many as fit are placed", own),
                 .help = "give --task a count"};
  }
  if (!tasks.empty()) return tasks;
  if (auto error = why_not_taken(scenario, own)) return std::move(*error);
  return Error{.message = fmt::format("no service and no standalone task is called '{}'", own),
               .help = make_help(own, list_names(scenario, may_be_service, may_be_tasks), "names",
                                 "the scenario has neither services nor tasks")};
}

namespace {

/// A template's values may be unknown as long as no task depends on them.
Result<std::uint32_t> known_definition(const Scenario& scenario, std::uint32_t index) {
  const auto& definition = scenario.task_definitions[index];
  const auto& unknown = definition.requirement.unknown;
  if (unknown.empty()) return index;
  return Error{.message = fmt::format("{} of task definition '{}' is unknown", unknown.front(), definition.family),
               .help = "--param KEY=VALUE sets a parameter of a CloudFormation template"};
}

}  // namespace

Result<std::uint32_t> definition_named(const Scenario& scenario, std::string_view reference) {
  const auto& definitions = scenario.task_definitions;
  const std::string_view wanted = reference.substr(reference.rfind('/') + 1);
  const std::size_t colon = wanted.rfind(':');
  const bool is_newest = colon == std::string_view::npos;
  const std::string_view family = wanted.substr(0, colon);
  std::optional<std::uint32_t> of_file;
  std::optional<std::uint32_t> found;
  Names revisions;
  std::set<std::string_view> families;
  for (std::uint32_t i = 0; i < definitions.size(); ++i) {
    const auto& definition = definitions[i];
    if (definition.origin.file == reference) of_file = i;  // the last, as --task takes it
    families.insert(definition.family);
    if (definition.family != family) continue;
    revisions.push_back(definition.name);
    if (!is_newest && definition.name != wanted) continue;
    if (!found || definitions[*found].revision < definition.revision) found = i;
  }
  if (of_file) return known_definition(scenario, *of_file);
  if (found) return known_definition(scenario, *found);
  return Error{.message = fmt::format("no task definition '{}'", reference),
               .help = !revisions.empty() ? "there is " + one_of(revisions, "and")
                                          : make_help(family, {families.begin(), families.end()}, "task definitions",
                                                      "list its file under taskDefinitions")};
}

}  // namespace bayplan::study

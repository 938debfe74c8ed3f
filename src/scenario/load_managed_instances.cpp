// capacityProviders of Managed Instances -> Timetable::groups.
#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "capacity/instance_requirements.hpp"
#include "catalog/managed_instances.hpp"
#include "placement/engine/group_launches.hpp"
#include "query/query.hpp"
#include "scenario/load_timetable.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using catalog::InstanceType;
using text::Value;

namespace {

/// Measured once in public: from desired count 1 until a CPU task listened, and from desired count 0 until the instance
/// was gone, without and with a GPU (docs/managed-instances.md).
constexpr Seconds kBoot = 109;
constexpr Seconds kScaleInAfter = 93;
constexpr Seconds kScaleInAfterGpu = 445;

struct PricedType {
  const InstanceType* type = nullptr;
  MicroUsd hourly = 0;  ///< With the fee.
};

std::string provider_name(const model::CapacityProvider& provider) {
  return std::string(provider.name.value.value_or(""));
}

/// Names in the lists of allowed and excluded types that the catalog does not have. AWS may offer them.
void note_unknown_types(Loading& loading, const model::CapacityProvider& provider) {
  const auto& wanted = provider.managed_instances.requirements;
  for (const auto* list : {&wanted.allowed_instance_types, &wanted.excluded_instance_types}) {
    for (const auto& one : *list) {
      if (!one || is_glob(*one) || loading.catalog.find(*one) != nullptr) continue;
      const auto hint = loading.catalog.hint_for(*one);
      assume(loading.scenario, "instance-type-unknown", std::string(*one),
             fmt::format("{} is not in the catalog and is never launched{}", *one, hint.empty() ? "" : "; " + hint));
    }
  }
}

/// False with the errors noted when nothing can match.
bool check_requirements(Loading& loading, const model::CapacityProvider& provider,
                        const capacity::MatchedTypes& matched) {
  const auto& wanted = provider.managed_instances.requirements;
  const auto empty = capacity::find_empty_ranges(wanted);
  for (const auto* range : empty)
    loading.sources.fail(range->node,
                         fmt::format("{}: min is {}, more than max, which is {}", range->key, *range->min, *range->max),
                         "no instance type can match; exchange the two");
  if (!empty.empty()) return false;
  if (const auto* step = matched.first_empty()) {
    const std::size_t before = step == matched.steps.data() ? 0 : (step - 1)->left;
    loading.sources.fail(
        wanted.node ? wanted.node : provider.node,
        fmt::format("no instance type matches the requirements of '{}': {} leaves none{}", provider_name(provider),
                    step->key,
                    before == 0 ? "" : fmt::format(" of {}", count_of(static_cast<std::int64_t>(before), "type"))),
        "relax it; bayplan catalog lists the types");
    return false;
  }
  return true;
}

/// Types with known memory and price, the cheapest first; the others are reported.
std::vector<PricedType> price_types(Loading& loading, const std::string& provider,
                                    const capacity::MatchedTypes& matched) {
  std::vector<PricedType> priced;
  std::int64_t left_out = 0;
  for (const auto* type : matched.types) {
    const auto price = type->price_in(loading.scenario.region);
    if (!price || type->memory_basis == catalog::MemoryBasis::kUnknown) {
      ++left_out;
      continue;
    }
    priced.push_back({type, price->hourly + catalog::managed_instances(*type).fee(price->hourly)});
  }
  std::stable_sort(priced.begin(), priced.end(), [](const auto& a, const auto& b) { return a.hourly < b.hourly; });
  if (left_out > 0) {
    assume(loading.scenario, "managed-instances-unpriced", provider,
           fmt::format("{} that {} never launched: no price in {}, or no figure of registered memory",
                       count_of(left_out, "matching type"), left_out == 1 ? "is" : "are", loading.scenario.region));
  }
  return priced;
}

void note_assumptions(Loading& loading, const model::CapacityProvider& provider, const capacity::MatchedTypes& matched,
                      std::size_t types) {
  auto& scenario = loading.scenario;
  const auto name = provider_name(provider);
  const auto& written = provider.managed_instances;
  assume(
      scenario, "managed-instances-choice", name,
      fmt::format("of {} that match, ECS launches the one with the lowest price per waiting task; AWS documents only "
                  "that it optimizes cost",
                  count_of(static_cast<std::int64_t>(types), "instance type")));
  assume(scenario, "managed-instances-memory", name,
         "instances run Bottlerocket, whose registered memory is not published: that of the ECS-optimized Amazon Linux "
         "AMI is used");
  assume(
      scenario, "managed-instances-fee", name,
      "prices include the fee of Managed Instances: 12% of the On-Demand price, 7.8% for G, 4.8% for P and Trn types");
  for (const auto key : matched.not_judged)
    assume(scenario, "instance-requirement-not-judged", std::string(key),
           fmt::format("the catalog has no data for {}: it excludes no type", key));
  if (written.capacity_option_type.value == "SPOT")
    assume(scenario, "spot-at-on-demand-price", name, "Spot prices are not known: On-Demand prices are used");
  if (written.capacity_option_type.value == "RESERVED")
    assume(scenario, "reserved-price-unknown", name,
           "capacity reservations are billed whether used or not; On-Demand prices are used while an instance runs");
}

ManagedInstancesPlan plan_of(Loading& loading, const model::CapacityProvider& provider) {
  ManagedInstancesPlan plan;
  const auto& after = provider.managed_instances.scale_in_after;
  if (after) {
    plan.scales_in = *after >= 0;
    plan.scale_in_after = plan.scale_in_after_gpu = std::max<Seconds>(0, *after);
    return plan;
  }
  plan.scale_in_after = kScaleInAfter;
  plan.scale_in_after_gpu = kScaleInAfterGpu;
  assume(loading.scenario, "managed-instances-scale-in", provider_name(provider),
         fmt::format("idle instances end after {} seconds, with a GPU after {}: measured once; scaleInAfter sets it",
                     kScaleInAfter, kScaleInAfterGpu));
  return plan;
}

Seconds boot_time_of(Loading& loading, const model::CapacityProvider& provider, bool is_set) {
  if (is_set) return loading.scenario.timetable.timing.boot_time;
  assume(loading.scenario, "boot-time-assumed", provider_name(provider),
         fmt::format("instances of {} are ACTIVE {} seconds after their launch", provider_name(provider), kBoot));
  return kBoot;
}

/// An instance of the type in each zone, as profiles with the price that is paid.
InstanceGroup::Type add_type(Loading& loading, const model::CapacityProvider& provider, const PricedType& priced,
                             const std::vector<LaunchZone>& zones) {
  model::ContainerInstanceEntry entry;
  entry.node = provider.managed_instances.node;
  entry.instance_type = {entry.node, std::string_view(priced.type->name), false};
  entry.awsvpc_trunking = {entry.node, true, false};  // on by default (ECS developer guide, Managed Instances)
  InstanceGroup::Type row;
  auto pattern = pattern_of(loading, entry);
  if (!pattern) return row;
  pattern->capacity_provider_name = provider_name(provider);
  // The guide does not say that they drain at an interruption notice; Bottlerocket's agent does by default.
  pattern->is_spot = provider.managed_instances.capacity_option_type.value == "SPOT";
  pattern->has_spot_draining = pattern->is_spot;
  for (const auto& zone : zones) {
    pattern->subnet_id = zone.subnet;
    row.profiles.push_back(add_profile(loading, *pattern, zone.name));
    loading.scenario.profiles.back().hourly_price = priced.hourly;
  }
  return row;
}

const InstanceGroup* find_managed_instances(const Scenario& scenario, std::string_view provider) {
  for (const auto& group : scenario.timetable.groups) {
    if (group.managed_instances && group.capacity_provider == provider) return &group;
  }
  return nullptr;
}

void check_network_mode(Loading& loading, const Workload& workload, const std::string& provider) {
  const auto& definition = loading.scenario.task_definitions[workload.task_definition].definition;
  const auto mode = definition.effective_network_mode();
  if (!mode || *mode == "awsvpc" || *mode == "host") return;
  loading.sources.fail(
      {.message = fmt::format("{}: Managed Instances (capacity provider '{}') do not support networkMode {}",
                              workload.name, provider, *mode),
       .file = workload.origin.file,
       .line = workload.origin.line,
       .column = workload.origin.column,
       .help =
           "use networkMode awsvpc or host in " + loading.scenario.task_definitions[workload.task_definition].name});
}

/// ECS launches an instance of the architecture that the task states (ECS developer guide, Managed Instances).
void require_architecture(Workload& workload) {
  if (!workload.requirement.architecture || workload.capacity_providers.size() > 1) return;
  Constraint constraint{ConstraintType::kMemberOf,
                        fmt::format("attribute:ecs.cpu-architecture == {}", *workload.requirement.architecture),
                        nullptr};
  const bool is_known = std::any_of(workload.constraints.begin(), workload.constraints.end(),
                                    [&](const Constraint& one) { return one.source == constraint.source; });
  if (is_known) return;
  auto parsed = query::parse(constraint.source);
  constraint.expression = std::make_shared<const query::Expression>(std::move(*parsed.expression));
  workload.constraints.push_back(std::move(constraint));
}

void check_workload(Loading& loading, Workload& workload, const InstanceGroup& group) {
  require_architecture(workload);
  const auto& provider = group.capacity_provider;
  check_network_mode(loading, workload, provider);
  if (!workload.strategies.empty()) {
    workload.strategies.clear();
    loading.scenario.findings.push_back(
        {"managed-instances-strategy", workload.name,
         fmt::format("{}: Managed Instances do not support placement strategies; simulated without them",
                     workload.name)});
  }
  if (can_launch_for(loading.scenario, group, workload)) return;
  loading.scenario.findings.push_back(
      {"managed-instances-no-type", workload.name,
       fmt::format("{}: no instance type of capacity provider {} can run a task of it", workload.name, provider)});
}

}  // namespace

bool has_types_to_launch(Loading& loading, const model::CapacityProvider& provider) {
  const auto& wanted = provider.managed_instances.requirements;
  const auto types = capacity::match_instance_types(wanted, loading.catalog).types;
  return capacity::find_empty_ranges(wanted).empty() && std::any_of(types.begin(), types.end(), [&](const auto* type) {
           return type->price_in(loading.scenario.region) && type->memory_basis != catalog::MemoryBasis::kUnknown;
         });
}

void add_managed_instances(Loading& loading, const model::CapacityProvider& provider, bool boot_time_is_set) {
  const auto& written = provider.managed_instances;
  const auto matched = capacity::match_instance_types(written.requirements, loading.catalog);
  if (!check_requirements(loading, provider, matched)) return;
  note_unknown_types(loading, provider);
  const auto priced = price_types(loading, provider_name(provider), matched);
  if (priced.empty())
    return loading.sources.fail(written.node,
                                fmt::format("no instance type that '{}' may launch has a price in {}",
                                            provider_name(provider), loading.scenario.region),
                                "set another region, or describe the type under instanceTypes with hourlyPrice");
  InstanceGroup group;
  group.capacity_provider = provider_name(provider);
  group.origin = find_origin(loading.sources, provider.node);
  group.is_managed = true;
  group.max_size = kMaxInstances;
  group.boot_time = boot_time_of(loading, provider, boot_time_is_set);
  group.managed_instances = plan_of(loading, provider);
  auto zones = stated_zones(loading, group.capacity_provider, provider.availability_zones, written.subnets);
  if (zones.empty()) zones.emplace_back();
  for (const auto& one : priced) group.types.push_back(add_type(loading, provider, one, zones));
  for (const auto& zone : zones) group.availability_zones.push_back(zone.name);
  note_assumptions(loading, provider, matched, priced.size());
  loading.scenario.timetable.groups.push_back(std::move(group));
}

void check_managed_workloads(Loading& loading) {
  if (loading.sources.has_errors()) return;
  for (auto& workload : loading.scenario.workloads) {
    for (const auto& share : workload.capacity_providers) {
      if (const auto* group = find_managed_instances(loading.scenario, share.capacity_provider))
        check_workload(loading, workload, *group);
    }
  }
}

}  // namespace bayplan::scenario

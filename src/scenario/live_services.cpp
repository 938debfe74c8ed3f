#include "scenario/live_services.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "placement/model/service_terms.hpp"
#include "scenario/arguments.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement
namespace {

using model::DescribedService;

void add_strategies(const DescribedService& described, LiveNotes& notes, RunningService& service) {
  for (const auto& strategy : described.strategies) {
    auto made = make_strategy(strategy.type, strategy.field);
    if (made) {
      service.strategies.push_back(std::move(*made));
    } else {
      notes.add("service-not-understood", service.name, made.error().message);
    }
  }
}

void add_constraints(const DescribedService& described, LiveNotes& notes, RunningService& service) {
  if (described.distinct_instance) service.constraints.push_back({});
  for (const auto& text : described.member_of) {
    auto parsed = query::parse(text);
    if (parsed) {
      service.constraints.push_back(
          {ConstraintType::kMemberOf, text, std::make_shared<const query::Expression>(std::move(*parsed.expression))});
    } else {
      notes.add("service-not-understood", service.name,
                fmt::format("its constraint {} cannot be read: {}", text, parsed.fault->message));
    }
  }
}

/// Whether the service's tasks have network interfaces of their own: without subnets only its definition says that.
std::optional<std::vector<std::string>> list_zones(Loading& loading, const DescribedService& service) {
  if (service.subnets.empty()) {
    const auto definition = definition_named(loading, service.task_definition);
    if (!definition || loading.scenario.task_definitions[*definition].requirement.network_interfaces == 0)
      return std::nullopt;
  }
  return zones_of_subnets(loading, service.name, service.subnets);
}

CircuitBreaker described_circuit_breaker(const model::DescribedCircuitBreaker& described) {
  CircuitBreaker breaker;
  breaker.enabled = described.enabled;
  breaker.rollback = described.rollback;
  breaker.reset_on_healthy_task = described.reset_on_healthy_task;
  if (described.threshold_type == "COUNT") breaker.type = ThresholdType::kCount;
  if (described.threshold_type == "UNBOUNDED_PERCENT") breaker.type = ThresholdType::kUnboundedPercent;
  constexpr std::int64_t kMost = 1'000'000;
  breaker.value = std::clamp<std::int64_t>(described.threshold_value.value_or(breaker.value), 1, kMost);
  return breaker;
}

}  // namespace

void add_services(Loading& loading, LiveNotes& notes, const std::vector<WithOrigin<DescribedService>>& services) {
  for (const auto& found : services) {
    const auto& described = found.what;
    RunningService service;
    service.name = described.name;
    service.origin = found.origin;
    service.kind = described.is_daemon ? WorkloadKind::kDaemon : WorkloadKind::kService;
    service.task_definition = described.task_definition;
    add_strategies(described, notes, service);
    add_constraints(described, notes, service);
    for (const auto& share : described.capacity_providers)
      service.capacity_providers.push_back({share.capacity_provider, share.base, share.weight});
    service.launch_type = described.launch_type;
    service.has_failed = described.has_failed;
    if (service.has_failed)
      notes.add("deployment-failed", service.name,
                fmt::format("its newest deployment ({}) is FAILED: it starts nothing more, and older tasks stay",
                            service.task_definition));
    service.subnets = described.subnets;
    if (!runs_elsewhere(service)) service.availability_zones = list_zones(loading, described);
    service.desired_count = described.desired_count.value_or(0);
    service.running_count = described.running_count + described.pending_count;
    service.minimum_healthy_percent = described.minimum_healthy_percent.value_or(described.is_daemon ? 0 : 100);
    service.maximum_percent = described.maximum_percent.value_or(described.is_daemon ? 100 : 200);
    loading.described_plans.emplace(service.name, DescribedPlan{described_circuit_breaker(described.circuit_breaker),
                                                                described.rebalances, described.deployment});
    service.settings = described.deployment;
    loading.scenario.services.push_back(std::move(service));
  }
}

}  // namespace bayplan::scenario

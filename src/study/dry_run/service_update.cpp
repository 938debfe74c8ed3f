#include "study/dry_run/service_update.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "awscli/emit.hpp"
#include "placement/model/service_terms.hpp"
#include "timeline/service_controller.hpp"

namespace bayplan::study {

using placement::RunningService;
using placement::Scenario;
using text::Kind;
using text::Value;

namespace {

/// Writes what the request does not say, at the place of the request itself.
class Merging {
 public:
  Merging(const RunningService& service, const text::Document& request)
      : service_(service),
        request_(request.root()),
        at_(request_.opening()),
        builder_(request.shared_source(), request.format()) {}

  std::shared_ptr<const text::Document> run() {
    builder_.open(Kind::kObject, at_);
    open("services", Kind::kArray);
    builder_.open(Kind::kObject, at_);
    for (const Value member : request_.children()) {
      builder_.key(builder_.keep(std::string(member.key())), member.key_span());
      awscli::emit_copy(builder_, member, 0);
    }
    add("serviceName", service_.name);
    if (lacks("taskDefinition")) add("taskDefinition", service_.task_definition);
    if (lacks("desiredCount")) add("desiredCount", std::to_string(service_.desired_count), Kind::kInteger);
    add_providers();
    if (lacks("placementStrategy")) add_strategies();
    if (lacks("placementConstraints")) add_constraints();
    close();
    close();
    close();
    return std::move(builder_).finish();
  }

 private:
  bool lacks(std::string_view member) const { return !request_.find(member); }

  void open(std::string_view key, Kind kind) {
    builder_.key(builder_.keep(std::string(key)), at_);
    builder_.open(kind, at_);
  }
  void close() { builder_.close(request_.span().end); }

  void add(std::string_view key, std::string text, Kind kind = Kind::kString) {
    builder_.key(builder_.keep(std::string(key)), at_);
    builder_.scalar(kind, text::Style::kPlain, builder_.keep(std::move(text)), at_);
  }

  void add_providers() {
    if (!lacks("capacityProviderStrategy")) return;
    if (service_.capacity_providers.empty()) return add("launchType", "EC2");
    open("capacityProviderStrategy", Kind::kArray);
    for (const auto& share : service_.capacity_providers) {
      builder_.open(Kind::kObject, at_);
      add("capacityProvider", share.capacity_provider);
      add("weight", std::to_string(share.weight), Kind::kInteger);
      add("base", std::to_string(share.base), Kind::kInteger);
      close();
    }
    close();
  }

  void add_strategies() {
    constexpr std::array<std::string_view, 3> kNames{"random", "spread", "binpack"};  // in the order of StrategyType
    open("placementStrategy", Kind::kArray);
    for (const auto& strategy : service_.strategies) {
      builder_.open(Kind::kObject, at_);
      add("type", std::string(kNames.at(static_cast<std::size_t>(strategy.type))));
      if (!strategy.field.empty()) add("field", strategy.field);
      close();
    }
    close();
  }

  void add_constraints() {
    open("placementConstraints", Kind::kArray);
    for (const auto& constraint : service_.constraints) {
      const bool is_member_of = constraint.type == placement::ConstraintType::kMemberOf;
      builder_.open(Kind::kObject, at_);
      add("type", is_member_of ? "memberOf" : "distinctInstance");
      if (is_member_of) add("expression", constraint.source);
      close();
    }
    close();
  }

  const RunningService& service_;
  Value request_;
  Span at_;
  text::Builder builder_;
};

/// Members of UpdateService that start a deployment whatever else is said (API_UpdateService).
bool asks_for_deployment(Value request) {
  constexpr std::array<std::string_view, 7> kMembers{
      "networkConfiguration",        "platformVersion",      "loadBalancers",           "serviceRegistries",
      "serviceConnectConfiguration", "volumeConfigurations", "vpcLatticeConfigurations"};
  const Value forced = request.find("forceNewDeployment");
  if (forced && forced.boolean().value_or(false)) return true;
  return std::any_of(kMembers.begin(), kMembers.end(), [&](auto member) { return bool(request.find(member)); });
}

std::int64_t percent(Value request, std::string_view member, std::int64_t before) {
  const Value configuration = request.find("deploymentConfiguration");
  const Value given = configuration ? configuration.find(member) : Value();
  return given ? given.integer().value_or(before) : before;
}

/// Tasks that are described, or as many as the service says, where not all of them are.
std::int64_t running_tasks(const RunningService& service, const Scenario& scenario) {
  const std::string group = "service:" + service.name;
  const auto described = std::count_if(scenario.running.begin(), scenario.running.end(),
                                       [&](const auto& task) { return !task.stopping && task.group == group; });
  return std::max<std::int64_t>(described, service.running_count);
}

}  // namespace

DeploymentRoom deployment_room(std::int64_t desired, std::int64_t running, std::int64_t minimum_healthy_percent,
                               std::int64_t maximum_percent) {
  const timeline::ServiceTerms terms{desired, minimum_healthy_percent, maximum_percent};
  return {std::clamp<std::int64_t>(terms.upper() - running, 0, desired),
          std::max<std::int64_t>(0, running - terms.lower())};
}

std::int64_t ServiceUpdate::starts() const {
  return is_new_deployment ? room.may_start : std::max<std::int64_t>(0, desired - running);
}

std::int64_t ServiceUpdate::stops() const {
  if (!is_new_deployment) return std::max<std::int64_t>(0, running - desired);
  return room.may_start > 0 ? 0 : room.may_stop;
}

bool starts_deployment(Value request, std::string_view before) {
  const Value definition = request.find("taskDefinition");
  const std::string_view named = definition ? definition.text() : before;
  return asks_for_deployment(request) || named.substr(named.rfind('/') + 1) != before;
}

std::string why_not_on_instances(const RunningService& service) {
  if (!placement::runs_elsewhere(service)) return {};
  if (service.launch_type.empty() || service.launch_type == "FARGATE")
    return fmt::format("service '{}' runs on Fargate and has no container instances", service.name);
  return fmt::format("service '{}' has launch type {}, not EC2", service.name, service.launch_type);
}

ServiceUpdate updated(const RunningService& service, const text::Document& request) {
  return {.before = service, .document = Merging(service, request).run()};
}

void settle(ServiceUpdate& update, Value request, Scenario& scenario) {
  auto& workload = scenario.workloads.front();
  const auto& before = update.before;
  workload.minimum_healthy_percent = percent(request, "minimumHealthyPercent", before.minimum_healthy_percent);
  workload.maximum_percent = percent(request, "maximumPercent", before.maximum_percent);
  update.desired = update.after().find("desiredCount").integer().value_or(0);
  update.running = running_tasks(before, scenario);
  update.is_new_deployment = asks_for_deployment(request) ||
                             scenario.task_definitions[workload.task_definition].name != before.task_definition;
  update.settings = model::deployment_settings(request, before.settings);
  update.room =
      update.settings.runs_both()
          ? deployment_room_of_both(update.desired)
          : deployment_room(update.desired, update.running, workload.minimum_healthy_percent, workload.maximum_percent);
  workload.count = update.starts();
  const bool keeps_zones = !request.find("networkConfiguration") && !before.subnets.empty();
  if (keeps_zones && workload.requirement.network_interfaces > 0) {
    workload.availability_zones = before.availability_zones;
    workload.subnets = before.subnets;
  }
  std::erase_if(scenario.assumptions, [&](const Assumption& one) {  // the answer says it, and more
    return one.id == "service-already-runs" || (keeps_zones && one.id == "subnets-assumed");
  });
}

}  // namespace bayplan::study

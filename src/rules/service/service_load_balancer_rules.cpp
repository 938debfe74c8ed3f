// loadBalancers of a service.
#include <algorithm>

#include "base/json_writer.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::ContainerDefinition;
using text::Value;

/// One element of loadBalancers.
struct Target {
  model::StringField container;
  model::IntegerField port;
};

std::vector<Target> list_targets(Value service, const model::Placeholders& placeholders) {
  std::vector<Target> targets;
  const Value list = service.is_object() ? service.find("loadBalancers") : Value();
  if (!list || !list.is_array()) return targets;
  for (const Value element : list.children()) {
    if (!element.is_object()) continue;
    targets.push_back({model::string_field(element, "containerName", placeholders),
                       model::integer_field(element, "containerPort", placeholders)});
  }
  return targets;
}

bool maps_port(const ContainerDefinition& container, std::int64_t port) {
  return std::any_of(container.port_mappings.begin(), container.port_mappings.end(), [&](const auto& mapping) {
    return !mapping.container_port.known() || *mapping.container_port == port;  // a range, or not known yet
  });
}

/// Nothing of the containers' names and ports is still to be filled in.
bool is_whole(const model::List<ContainerDefinition>& containers) {
  const auto is_read = [](Value list, std::size_t items) {
    return !list || list.is_null() || (list.is_array() && list.size() == items);
  };
  return is_read(containers.node, containers.size()) &&
         std::all_of(containers.begin(), containers.end(), [&](const ContainerDefinition& one) {
           return one.name.known() && is_read(one.port_mappings.node, one.port_mappings.size());
         });
}

void check_target(const ServiceContext& ctx, const Target& target, Emitter& emit) {
  if (!emit.knows(target.container)) return;
  const auto& containers = ctx.definition.task->container_definitions;
  const auto named = std::find_if(containers.begin(), containers.end(),
                                  [&](const auto& one) { return one.name.value == *target.container; });
  if (!is_whole(containers)) return;
  const bool is_doubtful = !ctx.definition.doubt.empty();
  if (named == containers.end()) {
    auto report = emit.at(target.container);
    report.says("{} has no container {}{}", ctx.definition.name, json_quoted(*target.container), ctx.definition.doubt)
        .help("use a container of the task definition");
    if (is_doubtful) report.severity(Severity::kWarning);
  } else if (emit.knows(target.port) && !maps_port(*named, *target.port)) {
    auto report = emit.at(target.port);
    report
        .says("container {} of {} has no port mapping for containerPort {} ({}){}", json_quoted(*target.container),
              ctx.definition.name, *target.port, ctx.definition.place_of(named->node), ctx.definition.doubt)
        .help("use a containerPort of its portMappings, or add one");
    if (is_doubtful) report.severity(Severity::kWarning);
  }
}

void load_balancer_target(const ServiceContext& ctx, Emitter& emit) {
  const bool is_read = ctx.input == ServiceInput::kCreate || ctx.input == ServiceInput::kUpdate;
  if (!is_read || ctx.service == nullptr || ctx.definition.task == nullptr) return;
  for (const auto& target : list_targets(ctx.request.node, emit.placeholders())) check_target(ctx, target, emit);
}

}  // namespace

std::span<const Rule> service_load_balancer_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1124", kService, load_balancer_target},
  };
  return kRules;
}

}  // namespace bayplan::rules

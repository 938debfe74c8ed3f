// serviceConnectConfiguration of a service.
#include <algorithm>

#include "base/json_writer.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

/// API reference of ServiceConnectClientAlias, dnsName.
constexpr std::size_t kMostDnsName = 127;

/// The objects of the list under `key`; nothing where there is none.
std::vector<Value> objects_of(Value object, std::string_view key) {
  std::vector<Value> objects;
  const Value list = object.is_object() ? object.find(key) : Value();
  if (!list || !list.is_array()) return objects;
  for (const Value element : list.children()) {
    if (element.is_object()) objects.push_back(element);
  }
  return objects;
}

std::vector<Value> connect_services(const ServiceContext& ctx) {
  const Value configuration = ctx.request.node.find("serviceConnectConfiguration");
  if (!ctx.is_service_request() || !configuration) return {};
  return objects_of(configuration, "services");
}

/// "up to 127 characters: lowercase letters, digits, underscores, hyphens and periods; the name can't start with a
/// hyphen" (API reference of ServiceConnectClientAlias).
bool is_dns_name(std::string_view name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= kMostDnsName && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), is_allowed);
}

void service_connect_aliases(const ServiceContext& ctx, Emitter& emit) {
  for (const Value service : connect_services(ctx)) {
    const Value aliases = service.find("clientAliases");
    if (!aliases || !aliases.is_array() || aliases.size() == 1) continue;
    emit.at(aliases)
        .says("clientAliases must have one element, got {}", aliases.size())
        .help(aliases.size() == 0 ? "delete clientAliases, or add an alias with a port" : "keep one of them");
  }
}

void service_connect_dns_name(const ServiceContext& ctx, Emitter& emit) {
  for (const Value service : connect_services(ctx)) {
    for (const Value alias : objects_of(service, "clientAliases")) {
      const auto name = model::string_field(alias, "dnsName", emit.placeholders());
      if (!name.present() || !emit.knows(name) || is_dns_name(*name)) continue;
      emit.at(name)
          .says("invalid dnsName {}", json_quoted(*name))
          .help("use up to {} lowercase letters, digits, underscores, hyphens and periods, not starting with a hyphen",
                kMostDnsName);
    }
  }
}

void service_connect_port_name(const ServiceContext& ctx, Emitter& emit) {
  const auto* task = ctx.definition.task;
  if (task == nullptr) return;
  for (const Value service : connect_services(ctx)) {
    const auto port_name = model::string_field(service, "portName", emit.placeholders());
    if (!port_name.present() || !emit.knows(port_name)) continue;
    const auto& containers = task->container_definitions;
    const bool may_be_named = std::any_of(containers.begin(), containers.end(), [&](const auto& container) {
      const auto& mappings = container.port_mappings;
      return !mappings.is_complete() || std::any_of(mappings.begin(), mappings.end(), [&](const auto& mapping) {
        return mapping.name.unknown() || mapping.name.value == *port_name;
      });
    });
    if (may_be_named || !containers.present() || !containers.is_complete()) continue;
    auto report = emit.at(port_name);
    report
        .says("no port mapping of {} is named {}{}", ctx.definition.name, json_quoted(*port_name), ctx.definition.doubt)
        .help(
            "use the name of a port mapping of the task definition, or name one: {{\"containerPort\": 80, \"name\": "
            "{}}}",
            json_quoted(*port_name));
    hedge(report, ctx);
  }
}

// Only a template that has the cluster, too, shows that it has no namespace for its services.
void service_connect_namespace(const ServiceContext& ctx, Emitter& emit) {
  const Value configuration = ctx.request.node.find("serviceConnectConfiguration");
  if (!ctx.is_service_request() || !ctx.sees_absence() || connect_services(ctx).empty()) return;
  const auto enabled = model::boolean_field(configuration, "enabled", emit.placeholders());
  const Value given = configuration.find("namespace");
  if (enabled.value != true || (given && !given.is_null())) return;
  const auto* cluster = find_fact(ctx.facts, ctx.request.node.find("cluster"), "ServiceConnectDefaults");
  if (cluster == nullptr || !cluster->value.empty()) return;
  emit.missing(configuration, "namespace")
      .says("Service Connect requires a namespace: this service has none, nor has the cluster {}", cluster->resource)
      .related(cluster->span, "the cluster without serviceConnectDefaults")
      .help("add namespace here, or serviceConnectDefaults to the cluster");
}

}  // namespace

std::span<const Rule> service_connect_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY1144", kService, service_connect_aliases},
      {"BAY1145", kService, service_connect_dns_name},
      {"BAY1146", kService, service_connect_port_name},
      {"BAY1157", kService, service_connect_namespace},
  };
  return kRules;
}

}  // namespace bayplan::rules

// proxyConfiguration: the App Mesh proxy of a task.
#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "rules/container/container_names.hpp"
#include "rules/file/spelling.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

/// "Ingress port not found" and its like: the record of cdk-preflight, 2026-09.
constexpr std::array<std::string_view, 4> kRequired{"ProxyIngressPort", "ProxyEgressPort", "AppPorts",
                                                    "EgressIgnoredIPs"};
/// One of them identifies the proxy's own traffic (ProxyConfiguration.properties, 2026-08).
constexpr std::array<std::string_view, 2> kIdentity{"IgnoredUID", "IgnoredGID"};

/// The App Mesh proxy, which a proxy without a type is too; absent when there is none, or only the empty form of one
/// (BAY775 reports that).
text::Value app_mesh_proxy(const Context& ctx) {
  const text::Value proxy = ctx.task.proxy_configuration;
  if (!proxy || !proxy.is_object()) return {};
  const auto type = model::string_field(proxy, "type", ctx.placeholders);
  const auto container = model::string_field(proxy, "containerName", ctx.placeholders);
  const bool is_app_mesh = type ? *type == "APPMESH" : !type.present();
  return is_app_mesh && !(container && container->empty()) ? proxy : text::Value();
}

/// The properties by name; `is_known` is false where a name or value is not known yet.
struct Properties {
  std::vector<std::string_view> names;   ///< All that are there.
  std::vector<std::string_view> filled;  ///< The properties with a value.
  bool is_known = true;

  bool has(std::string_view name) const { return std::find(names.begin(), names.end(), name) != names.end(); }
  bool says(std::string_view name) const { return std::find(filled.begin(), filled.end(), name) != filled.end(); }
};

Properties read_properties(const Context& ctx, Emitter& emit, text::Value list) {
  Properties properties;
  if (!list || list.is_null()) return properties;
  properties.is_known = list.is_array();
  if (ctx.placeholders.holds(list)) emit.skip(list);
  for (const text::Value element : list.children()) {
    const auto name = model::string_field(element, "name", ctx.placeholders);
    const auto value = model::string_field(element, "value", ctx.placeholders);
    if (ctx.placeholders.holds(element)) emit.skip(element);
    if (name.unknown()) emit.skip(name.node);
    if (!element.is_object() || (name.present() && !name)) properties.is_known = false;  // a placeholder or BAY016..021
    if (!name) continue;
    properties.names.push_back(*name);
    if (value.unknown() || (value && !value->empty())) properties.filled.push_back(*name);
  }
  return properties;
}

/// Reports at the list of properties, or at the proxy if it has none.
Report at_properties(Emitter& emit, text::Value proxy, text::Value list) {
  return list && list.is_array() ? emit.at(list.opening(), list) : emit.missing(proxy, "properties");
}

void proxy_container(const Context& ctx, Emitter& emit) {
  const text::Value proxy = ctx.task.proxy_configuration;
  if (!proxy || !proxy.is_object()) return;
  const auto name = model::string_field(proxy, "containerName", ctx.placeholders);
  if (!emit.knows(name) || find_container(ctx, *name) != nullptr || !sees_all_names(ctx, emit)) return;
  emit.at(name).says("proxyConfiguration refers to unknown container \"{}\"", *name).help("{}", name_hint(ctx, *name));
}

void proxy_network_mode(const Context& ctx, Emitter& emit) {
  // On Fargate the mode itself is the fault (BAY801); the others do not take a proxy at all (BAY851, BAY870).
  if (!ctx.targets(Compatibility::kEc2) || ctx.targets(Compatibility::kFargate)) return;
  const text::Value proxy = app_mesh_proxy(ctx);
  const auto mode = proxy ? network_mode(ctx) : std::nullopt;
  if (!mode || *mode == NetworkMode::kAwsvpc) return;
  auto report = ctx.task.network_mode ? emit.at(ctx.task.network_mode) : emit.missing(ctx.root, "networkMode");
  report.says("an App Mesh proxy requires awsvpc mode; this task uses {}", name_of(*mode))
      .help("use \"networkMode\": \"awsvpc\", or delete proxyConfiguration")
      .related(proxy.key_span(), "the proxy");
}

void proxy_properties(const Context& ctx, Emitter& emit) {
  const text::Value proxy = app_mesh_proxy(ctx);
  if (ctx.targets(model::Compatibility::kExternal)) return;  // takes no proxy at all: BAY851
  if (!proxy || !ctx.is_whole || is_spelled_otherwise(proxy, "properties", {"proxyConfigurationProperties"})) return;
  const text::Value list = proxy.find("properties");
  const auto properties = read_properties(ctx, emit, list);
  if (!properties.is_known) return;
  std::vector<std::string_view> missing;
  std::copy_if(kRequired.begin(), kRequired.end(), std::back_inserter(missing),
               [&](std::string_view name) { return !properties.has(name); });
  if (!missing.empty()) {
    at_properties(emit, proxy, list)
        .says("App Mesh proxy property {} is missing", one_of(missing))
        .help("add {{\"name\": \"{}\", \"value\": \"...\"}} to properties", missing.front());
  } else if (!properties.says(kIdentity[0]) && !properties.says(kIdentity[1])) {
    at_properties(emit, proxy, list)
        .severity(Severity::kWarning)
        .says("App Mesh proxy has neither IgnoredUID nor IgnoredGID, so it would intercept its own traffic")
        .help("add {\"name\": \"IgnoredUID\", \"value\": \"1337\"} with the user that the proxy container runs as");
  }
}

void proxy_retired(const Context& ctx, Emitter& emit) {
  const text::Value proxy = app_mesh_proxy(ctx);
  if (!proxy) return;
  emit.at_key(proxy)
      .says("App Mesh reached end of support on September 30, 2026")
      .help("use Service Connect, and delete proxyConfiguration and its container");
}

}  // namespace

std::span<const Rule> proxy_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY775", kTaskDefinition, proxy_container},
      {"BAY776", kTaskDefinition, proxy_network_mode},
      {"BAY777", kTaskDefinition, proxy_properties},
      {"BAY778", kTaskDefinition, proxy_retired},
  };
  return kRules;
}

}  // namespace bayplan::rules

// What a container says about its own network: host name, name servers, extra hosts.
#include <arpa/inet.h>

#include <algorithm>
#include <string>

#include "rules/file/spelling.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::List;
using model::StringField;

/// Skeletons write `[""]`.
bool says_any(const List<StringField>& list) {
  return std::any_of(list.begin(), list.end(),
                     [](const auto& item) { return item.unknown() || (item && !item->empty()); });
}

/// An IPv4 or IPv6 address.
bool is_address(std::string_view text) {
  constexpr std::size_t kLongestAddress = 45;  // IPv6 with an IPv4 tail
  if (text.size() > kLongestAddress) return false;
  const std::string terminated(text);
  in6_addr parsed{};
  return inet_pton(AF_INET, terminated.c_str(), &parsed) == 1 || inet_pton(AF_INET6, terminated.c_str(), &parsed) == 1;
}

void check_host_entry(const model::HostEntry& entry, Emitter& emit) {
  for (const std::string_view key : {"hostname", "ipAddress"}) {
    if (entry.node.find(key) || is_spelled_otherwise(entry.node, key, {"host", "name", "ip"})) continue;
    emit.missing(entry.node, key)
        .says("extraHosts entry has no {}", key)
        .help("use {\"hostname\": \"db\", \"ipAddress\": \"10.0.0.5\"}");
  }
  const auto& address = entry.ip_address;
  // Docker itself knows this word, and guides for ECS use it.
  if (!emit.knows(address) || address->empty() || *address == "host-gateway" || is_address(*address)) return;
  emit.at(address)
      .severity(Severity::kWarning)
      .says("ipAddress must be an IPv4 or IPv6 address, got \"{}\"", *address)
      .help("use the address itself; /etc/hosts does not resolve names");
}

void awsvpc_hostname(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.hostname) || container.hostname->empty()) continue;
    if (!runs_in(ctx, emit, NetworkMode::kAwsvpc)) return;
    auto report = emit.at_key(container.hostname.node);
    report.says("hostname is not supported in awsvpc mode")
        .help("delete it; the network interface of the task has its own host name");
    relate_network_mode(ctx, report);
  }
}

void awsvpc_extra_hosts(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (container.extra_hosts.empty()) continue;
    if (!runs_in(ctx, emit, NetworkMode::kAwsvpc)) return;
    auto report = emit.at_key(container.extra_hosts.node);
    report.says("extraHosts is not supported in awsvpc mode").help("delete it, and use DNS names for the hosts");
    relate_network_mode(ctx, report);
  }
}

void awsvpc_dns(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto* list : {&container.dns_servers, &container.dns_search_domains}) {
      if (!says_any(*list)) continue;
      if (!runs_in(ctx, emit, NetworkMode::kAwsvpc)) return;
      auto report = emit.at_key(list->node);
      report.says("{} is not supported in awsvpc mode", list->node.key())
          .help("delete it, and set DNS in the DHCP options of the VPC");
      if (list == &container.dns_search_domains) report.severity(Severity::kWarning);
      relate_network_mode(ctx, report);
    }
  }
}

void awsvpc_disable_networking(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.disable_networking) || !*container.disable_networking) continue;
    if (!runs_in(ctx, emit, NetworkMode::kAwsvpc)) return;
    auto report = emit.at(container.disable_networking);
    report.says("disableNetworking is not supported in awsvpc mode").help("delete disableNetworking");
    relate_network_mode(ctx, report);
  }
}

void host_extra_hosts(const Context& ctx, Emitter& emit) {
  if (ctx.targets(model::Compatibility::kManagedInstances)) return;  // takes none in any mode: BAY870
  for (const auto& container : ctx.task.container_definitions) {
    if (container.extra_hosts.empty()) continue;
    if (!runs_in(ctx, emit, NetworkMode::kHost)) return;
    auto report = emit.at_key(container.extra_hosts.node);
    report.says("extraHosts in host mode can prevent the container from being created")
        .help("delete extraHosts, or use bridge mode");
    relate_network_mode(ctx, report);
  }
}

void extra_hosts_form(const Context& ctx, Emitter& emit) {
  const auto mode = network_mode(ctx);
  if (mode && mode != NetworkMode::kBridge) return;  // to be removed as a whole; BAY023 reports what is missing
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& entry : container.extra_hosts) check_host_entry(entry, emit);
  }
}

}  // namespace

std::span<const Rule> container_network_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY323", kTaskDefinition, awsvpc_hostname},
      {"BAY324", kTaskDefinition, awsvpc_extra_hosts},
      {"BAY325", kTaskDefinition, awsvpc_dns, {.loses_setting = true}},
      {"BAY326", kTaskDefinition, awsvpc_disable_networking},
      {"BAY327", kTaskDefinition, host_extra_hosts},
      {"BAY328", kTaskDefinition, extra_hosts_form},
  };
  return kRules;
}

}  // namespace bayplan::rules

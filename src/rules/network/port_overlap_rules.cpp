// Ports that more than one mapping of the task takes.
#include <map>

#include "rules/network/network_mode.hpp"
#include "rules/network/port_mappings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

/// "container web", or "this container" when it is the one of the finding.
std::string owner(const PortClaim& claim, const PortClaim& seen_from) {
  return claim.container == seen_from.container ? "this container" : words_of(*claim.container);
}

void relate_claims(const PortOverlap& overlap, const std::vector<PortClaim>& claims, Report& report) {
  const auto& later = claims[overlap.later];
  for (const auto position : overlap.earlier) {
    const auto& earlier = claims[position];
    report.related(earlier.node, owner(earlier, later) + " uses " + words_of(earlier.ports) + " here");
  }
}

bool is_stated_twice(const PortOverlap& overlap, const std::vector<PortClaim>& claims) {
  if (!claims[overlap.later].is_stated) return false;
  for (const auto position : overlap.earlier) {
    if (claims[position].is_stated) return true;
  }
  return false;
}

void host_port_duplicate(const Context& ctx, Emitter& emit) {
  const auto mode = network_mode(ctx);
  if (mode == NetworkMode::kAwsvpc || mode == NetworkMode::kNone) return;  // BAY307, BAY303
  const auto claims = host_port_claims(ctx, emit);
  for (const auto& overlap : find_overlaps(claims)) {
    const auto& claim = claims[overlap.later];
    auto report = emit.at(claim.node);
    report.says("duplicate host port: the task uses {} {} twice", name_of(claim.protocol), words_of(overlap.ports));
    if (!is_stated_twice(overlap, claims)) report.severity(Severity::kWarning);
    report.help(mode == NetworkMode::kHost
                    ? "use another port in one of them; in host mode containers use the ports of the instance"
                    : "use another hostPort for one of them, or 0");
    relate_claims(overlap, claims, report);
  }
}

void awsvpc_container_port_duplicate(const Context& ctx, Emitter& emit) {
  if (!has_network_mode(ctx, NetworkMode::kAwsvpc)) return;
  const auto claims = container_port_claims(ctx, emit);
  for (const auto& overlap : find_overlaps(claims)) {
    const auto& claim = claims[overlap.later];
    const bool is_own = claims[overlap.earlier.front()].container == claim.container;
    auto report = emit.at(claim.node);
    report.says("duplicate container port: this {} maps {} {} twice", is_own ? "container" : "task",
                name_of(claim.protocol), words_of(overlap.ports));
    if (is_own) {
      report.help("keep one of the mappings");
    } else {
      report.help("use another port in one container; in awsvpc mode they share one network interface");
    }
    relate_claims(overlap, claims, report);
    relate_network_mode(ctx, report);
  }
}

void port_two_protocols(const Context& ctx, Emitter& emit) {
  if (has_network_mode(ctx, NetworkMode::kNone)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto claims = container_port_claims(container, emit);
    // Overlaps within one protocol are other rules': here only the first claim of each protocol and port counts.
    std::map<std::int64_t, const PortClaim*> first_of_port;
    for (const auto& claim : claims) {
      if (claim.ports.first != claim.ports.last) continue;
      const auto [seen, is_new] = first_of_port.emplace(claim.ports.first, &claim);
      if (is_new || seen->second->protocol == claim.protocol) continue;
      emit.at(claim.node)
          .says("{} is mapped for both tcp and udp; ECS rejects a service that sends traffic to it",
                words_of(claim.ports))
          .help("keep one protocol, unless no load balancer or service discovery uses this port")
          .related(seen->second->node, "mapped for " + std::string(name_of(seen->second->protocol)) + " here");
    }
  }
}

}  // namespace

std::span<const Rule> port_overlap_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY306", kTaskDefinition, host_port_duplicate},
      {"BAY307", kTaskDefinition, awsvpc_container_port_duplicate},
      {"BAY308", kTaskDefinition, port_two_protocols},
  };
  return kRules;
}

}  // namespace bayplan::rules

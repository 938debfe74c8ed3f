// Fixed ports of the instance: which are free, and what they cost in copies.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "rules/network/network_mode.hpp"
#include "rules/network/port_mappings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

/// SSH, Docker and the agent (PortMapping.hostPort, 2026-08). TCP alone: the agent reports no reserved UDP port.
constexpr std::array<std::int64_t, 6> kReservedTcpPorts{22, 2375, 2376, 51678, 51679, 51680};
/// Limit of an instance at a time, including reserved ports (PortMapping.hostPort, 2026-08).
constexpr std::size_t kMostHostPorts = 100;
/// net.ipv4.ip_local_port_range of Linux begins here; Docker falls back to 49153 and up (PortMapping.hostPort).
constexpr std::int64_t kFirstEphemeralPort = 32768;

/// Whether tasks take ports of an instance, which Fargate does not have.
bool shares_instance_ports(const Context& ctx) {
  if (ctx.targets(model::Compatibility::kFargate)) return false;
  const auto mode = network_mode(ctx);
  return mode == NetworkMode::kBridge || mode == NetworkMode::kHost;
}

bool is_reserved(const PortClaim& claim) {
  return claim.protocol == Protocol::kTcp && std::any_of(kReservedTcpPorts.begin(), kReservedTcpPorts.end(),
                                                         [&](std::int64_t port) { return claim.ports.contains(port); });
}

bool is_ephemeral(const PortClaim& claim) {
  return claim.is_stated && claim.ports.first >= kFirstEphemeralPort;
}

std::size_t count_ports(const std::vector<PortClaim>& claims) {
  std::set<std::pair<Protocol, std::int64_t>> ports;
  for (const auto& claim : claims) {
    for (auto port = claim.ports.first; port <= claim.ports.last && ports.size() <= kMostHostPorts; ++port) {
      ports.emplace(claim.protocol, port);
    }
  }
  return ports.size();
}

void host_port_reserved(const Context& ctx, Emitter& emit) {
  if (!shares_instance_ports(ctx)) return;
  for (const auto& claim : host_port_claims(ctx, emit)) {
    if (!is_reserved(claim)) continue;
    emit.at(claim.node)
        .says("tcp port {} is reserved on every instance for SSH, Docker or the ECS agent (RESOURCE:PORTS)",
              words_of(claim.ports))
        .help("use another port; 22, 2375, 2376 and 51678 to 51680 are reserved");
  }
}

void host_port_ephemeral(const Context& ctx, Emitter& emit) {
  if (!shares_instance_ports(ctx)) return;
  for (const auto& claim : host_port_claims(ctx, emit)) {
    if (!is_ephemeral(claim) || is_reserved(claim)) continue;
    emit.at(claim.node)
        .says("hostPort {} is in the ephemeral port range and may be in use when the task starts", claim.ports.first)
        .help("use a hostPort below {}, or 0", kFirstEphemeralPort);
  }
}

void host_port_static(const Context& ctx, Emitter& emit) {
  if (!shares_instance_ports(ctx) || !has_network_mode(ctx, NetworkMode::kBridge)) return;
  auto claims = host_port_claims(ctx, emit);
  if (std::any_of(claims.begin(), claims.end(), is_reserved)) return;  // no copy at all
  std::erase_if(claims, is_ephemeral);                                 // BAY310 asks for another one
  if (claims.empty()) return;
  auto report = emit.at(claims.front().node);
  report.says("static hostPort {} limits the task to one copy per instance", claims.front().ports.first)
      .help("use hostPort 0 for a dynamic port per copy; keep a static port for a daemon");
  for (auto claim = claims.begin() + 1; claim != claims.end(); ++claim) report.related(claim->node, "also static");
}

void host_ports_too_many(const Context& ctx, Emitter& emit) {
  constexpr std::size_t kMost = kMostHostPorts - kReservedTcpPorts.size();
  if (!shares_instance_ports(ctx)) return;
  const auto claims = host_port_claims(ctx, emit);
  if (count_ports(claims) <= kMost) return;
  emit.at(claims.front().node)
      .says("task needs more than {} ports of its instance, so it cannot be placed (RESOURCE:PORTS)", kMost)
      .help("use hostPort 0, which does not count, or split the task");
}

}  // namespace

std::span<const Rule> host_port_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY309", kTaskDefinition, host_port_reserved},
      {"BAY310", kTaskDefinition, host_port_ephemeral},
      {"BAY311", kTaskDefinition, host_port_static},
      {"BAY312", kTaskDefinition, host_ports_too_many},
  };
  return kRules;
}

}  // namespace bayplan::rules

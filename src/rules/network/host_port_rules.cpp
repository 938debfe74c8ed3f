// Fixed ports of the instance: which are free, and what they cost in copies.
#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "rules/network/network_mode.hpp"
#include "rules/network/port_mappings.hpp"
#include "rules/rule_functions.hpp"

namespace bayplan::rules {
namespace {

/// SSH, Docker and the agent (PortMapping.hostPort, 2026-08). TCP alone: the agent reports no reserved UDP port.
constexpr std::array<std::int64_t, 6> kReservedTcpPorts{22, 2375, 2376, 51678, 51679, 51680};
/// Of an instance at a time, the reserved ones included (PortMapping.hostPort, 2026-08).
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

}  // namespace

void host_port_reserved(const Context& ctx, Emitter& emit) {
  if (!shares_instance_ports(ctx)) return;
  for (const auto& claim : host_port_claims(ctx, emit)) {
    if (!is_reserved(claim)) continue;
    emit.at(claim.node)
        .says("no instance has tcp {} free: SSH, Docker or the ECS agent takes it (RESOURCE:PORTS)",
              words_of(claim.ports))
        .help("write another port; taken are 22, 2375, 2376 and 51678 to 51680");
  }
}

void host_port_ephemeral(const Context& ctx, Emitter& emit) {
  if (!shares_instance_ports(ctx)) return;
  for (const auto& claim : host_port_claims(ctx, emit)) {
    if (!is_ephemeral(claim) || is_reserved(claim)) continue;
    emit.at(claim.node)
        .says("hostPort {} is one that the instance gives to outgoing connections: it may be taken at the start",
              claim.ports.first)
        .help("write a hostPort below {}, or 0", kFirstEphemeralPort);
  }
}

void host_port_static(const Context& ctx, Emitter& emit) {
  if (!shares_instance_ports(ctx) || !has_network_mode(ctx, NetworkMode::kBridge)) return;
  auto claims = host_port_claims(ctx, emit);
  if (std::any_of(claims.begin(), claims.end(), is_reserved)) return;  // no copy at all
  std::erase_if(claims, is_ephemeral);                                 // BAY310 asks for another one
  if (claims.empty()) return;
  auto report = emit.at(claims.front().node);
  report.says("hostPort {} is fixed: an instance holds one copy of this task", claims.front().ports.first)
      .help("hostPort 0 gives each copy a free port; keep a fixed one for a daemon");
  for (auto claim = claims.begin() + 1; claim != claims.end(); ++claim) report.related(claim->node, "also fixed");
}

void host_ports_too_many(const Context& ctx, Emitter& emit) {
  constexpr std::size_t kMost = kMostHostPorts - kReservedTcpPorts.size();
  if (!shares_instance_ports(ctx)) return;
  const auto claims = host_port_claims(ctx, emit);
  if (count_ports(claims) <= kMost) return;
  emit.at(claims.front().node)
      .says("this task takes more than {} ports of its instance, so it is placed nowhere (RESOURCE:PORTS)", kMost)
      .help("write hostPort 0, which does not count, or split the task");
}

}  // namespace bayplan::rules

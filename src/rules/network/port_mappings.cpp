#include "rules/network/port_mappings.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/strings.hpp"
#include "rules/network/network_mode.hpp"

namespace bayplan::rules {
namespace {

using model::ContainerDefinition;
using model::PortMapping;

constexpr std::size_t kMostPortDigits = 5;

std::optional<std::int64_t> parse_port(std::string_view text) {
  const bool is_number =
      !text.empty() && text.size() <= kMostPortDigits && text.find_first_not_of("0123456789") == std::string_view::npos;
  const auto number = is_number ? to_integer(text) : std::nullopt;
  return number && is_port(*number) ? number : std::nullopt;
}

/// The ports of a mapping and the value that names them; nothing when they are absent, unknown or wrong.
std::optional<PortClaim> container_port_claim(const ContainerDefinition& container, const PortMapping& mapping,
                                              Emitter& emit) {
  const auto protocol = protocol_of(mapping);
  if (!protocol) return std::nullopt;
  if (has_range(mapping)) {
    const auto range =
        emit.knows(mapping.container_port_range) ? parse_port_range(*mapping.container_port_range) : std::nullopt;
    if (!range || range->first > range->last) return std::nullopt;
    return PortClaim{&container, mapping.container_port_range.node, *range, *protocol};
  }
  const auto& port = mapping.container_port;
  if (!emit.knows(port) || !is_port(*port)) return std::nullopt;
  return PortClaim{&container, port.node, {*port, *port}, *protocol};
}

std::optional<PortClaim> host_port_claim(const ContainerDefinition& container, const PortMapping& mapping,
                                         bool is_host_mode, Emitter& emit) {
  const auto& port = mapping.host_port;
  if (!has_range(mapping) && port.unknown()) {
    emit.skip(port.node);
    return std::nullopt;
  }
  if (has_range(mapping) || !port.present() || (port && *port == 0)) {
    auto claim = is_host_mode ? container_port_claim(container, mapping, emit) : std::nullopt;
    if (claim) claim->is_stated = false;
    return claim;
  }
  if (!mapping.container_port.present()) return std::nullopt;  // BAY304: a torn or forgotten mapping
  const auto protocol = protocol_of(mapping);
  if (!port || !is_port(*port) || !protocol) return std::nullopt;
  return PortClaim{&container, port.node, {*port, *port}, *protocol};
}

}  // namespace

std::string words_of(PortRange ports) {
  if (ports.first == ports.last) return "port " + std::to_string(ports.first);
  return "ports " + std::to_string(ports.first) + " to " + std::to_string(ports.last);
}

std::string words_of(const ContainerDefinition& container) {
  return container.name && !container.name->empty() ? "container " + std::string(*container.name) : "another container";
}

std::string_view name_of(Protocol protocol) {
  return protocol == Protocol::kTcp ? "tcp" : "udp";
}

std::optional<Protocol> protocol_of(const PortMapping& mapping) {
  const auto& protocol = mapping.protocol;
  if (!protocol.present()) return Protocol::kTcp;
  if (protocol && equal_ignoring_case(*protocol, "tcp")) return Protocol::kTcp;
  if (protocol && equal_ignoring_case(*protocol, "udp")) return Protocol::kUdp;
  return std::nullopt;
}

std::optional<PortRange> parse_port_range(std::string_view text) {
  const auto hyphen = text.find('-');
  if (hyphen == std::string_view::npos) return std::nullopt;
  const auto first = parse_port(text.substr(0, hyphen));
  const auto last = parse_port(text.substr(hyphen + 1));
  if (!first || !last) return std::nullopt;
  return PortRange{*first, *last};
}

bool has_range(const PortMapping& mapping) {
  const auto& range = mapping.container_port_range;
  return range.present() && !(range && range->empty());
}

std::vector<PortClaim> container_port_claims(const ContainerDefinition& container, Emitter& emit) {
  std::vector<PortClaim> claims;
  for (const auto& mapping : container.port_mappings) {
    if (auto claim = container_port_claim(container, mapping, emit)) claims.push_back(*claim);
  }
  return claims;
}

std::vector<PortClaim> container_port_claims(const Context& ctx, Emitter& emit) {
  std::vector<PortClaim> claims;
  for (const auto& container : ctx.task.container_definitions) {
    const auto own = container_port_claims(container, emit);
    claims.insert(claims.end(), own.begin(), own.end());
  }
  return claims;
}

std::vector<PortClaim> host_port_claims(const Context& ctx, Emitter& emit) {
  const bool is_host_mode = has_network_mode(ctx, NetworkMode::kHost);
  std::vector<PortClaim> claims;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mapping : container.port_mappings) {
      if (auto claim = host_port_claim(container, mapping, is_host_mode, emit)) claims.push_back(*claim);
    }
  }
  return claims;
}

std::vector<PortOverlap> find_overlaps(const std::vector<PortClaim>& claims) {
  std::vector<std::size_t> order(claims.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(claims[a].protocol, claims[a].ports.first) < std::tie(claims[b].protocol, claims[b].ports.first);
  });

  std::map<std::size_t, PortOverlap> found;
  std::size_t reach = 0;  // of the claims passed, the one that ends last
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& claim = claims[order[i]];
    if (i == 0 || claim.protocol != claims[reach].protocol) {
      reach = order[i];
      continue;
    }
    const auto& before = claims[reach];
    if (claim.ports.first <= before.ports.last) {
      const auto [earlier, later] = std::minmax(reach, order[i]);
      auto& overlap = found[later];
      if (overlap.earlier.empty()) {
        overlap.later = later;
        overlap.ports = {claim.ports.first, std::min(claim.ports.last, before.ports.last)};
      }
      overlap.earlier.push_back(earlier);
    }
    if (claim.ports.last > before.ports.last) reach = order[i];
  }

  std::vector<PortOverlap> overlaps;
  for (auto& [later, overlap] : found) overlaps.push_back(std::move(overlap));
  return overlaps;
}

}  // namespace bayplan::rules

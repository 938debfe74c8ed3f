#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

constexpr std::int64_t kLastPort = 65535;

/// Ports from `first` to `last`, both included.
struct PortRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  bool contains(std::int64_t port) const { return first <= port && port <= last; }
};

/// "port 80", "ports 80 to 90".
std::string words_of(PortRange ports);

enum class Protocol : std::uint8_t { kTcp, kUdp };

std::string_view name_of(Protocol protocol);  ///< "tcp"

/// tcp when absent; nothing when it is unknown or no protocol.
std::optional<Protocol> protocol_of(const model::PortMapping& mapping);

/// Reads "80-90"; the order is not looked at. Nothing when it is no such text or a port is not from 1 to 65535.
std::optional<PortRange> parse_port_range(std::string_view text);

/// Whether containerPortRange is used: an empty text is how skeletons write that it is not.
bool has_range(const model::PortMapping& mapping);

inline bool is_port(std::int64_t number) {
  return 1 <= number && number <= kLastPort;
}

/// A mapping that takes ports for itself.
struct PortClaim {
  const model::ContainerDefinition* container = nullptr;
  text::Value node;  ///< The value that names the ports.
  PortRange ports;
  Protocol protocol = Protocol::kTcp;
  bool is_stated = true;  ///< False for a host port that follows from host mode.
};

/// Ports that the containers listen on, by containerPort or containerPortRange, in file order. What is unknown or
/// invalid is left out; placeholders count the rule as skipped.
std::vector<PortClaim> container_port_claims(const Context& ctx, Emitter& emit);
std::vector<PortClaim> container_port_claims(const model::ContainerDefinition& container, Emitter& emit);

/// Ports taken on the instance: hostPort but for 0; in host mode also the container ports of mappings without one.
std::vector<PortClaim> host_port_claims(const Context& ctx, Emitter& emit);

/// A claim that meets earlier ones; positions in the list that was searched.
struct PortOverlap {
  std::size_t later = 0;
  std::vector<std::size_t> earlier;  ///< Listed in order of ports; at least one.
  PortRange ports;                   ///< Shared with the first of `earlier`.
};

/// Claims that take a port, of the same protocol, which a claim before them in the list has taken; in list order. Every
/// claim that meets another one has a part in some overlap. O(n log n).
std::vector<PortOverlap> find_overlaps(const std::vector<PortClaim>& claims);

/// "container web"; "another container" when it has no name.
std::string words_of(const model::ContainerDefinition& container);

}  // namespace bayplan::rules

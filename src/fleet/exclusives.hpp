#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "capacity/requirement.hpp"

namespace bayplan::fleet {

/// What tasks of one shape have each to themselves on an instance: fixed host ports, and with distinctInstance the
/// task group.
struct Exclusive {
  std::vector<std::uint16_t> tcp_ports;
  std::vector<std::uint16_t> udp_ports;
  std::string distinct_group;  ///< Empty without distinctInstance.

  bool any() const { return !tcp_ports.empty() || !udp_ports.empty() || !distinct_group.empty(); }
  auto operator<=>(const Exclusive&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 reads the 0 that it makes
};

struct Tokens {
  std::vector<std::uint64_t> of_shape;
  std::vector<std::string> relaxed;  ///< Ports and groups that there was no token left for: "tcp 80", "group x".
};

/// One token for each set of shapes that contend for the same thing; what a set within a larger one contends for needs
/// none of its own. The largest sets come first.
Tokens tokens_of(const std::vector<Exclusive>& shapes);

}  // namespace bayplan::fleet

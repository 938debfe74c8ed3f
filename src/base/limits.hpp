#pragma once
#include <cstddef>
#include <cstdint>

namespace bayplan {

/// Limits of the program itself (BAY029); each has its own message.
struct Limits {
  std::size_t definition_bytes = 16u << 20;  ///< One definition, and any YAML text.
  std::size_t snapshot_bytes = 1u << 30;     ///< JSON snapshots, plans and scenarios.
  std::uint32_t depth = 200;                 ///< Nested objects and lists.
  std::uint32_t alias_nodes = 100'000;       ///< Nodes that YAML aliases may add by expansion.
};

}  // namespace bayplan

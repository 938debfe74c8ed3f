#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

enum class NetworkMode : std::uint8_t { kBridge, kHost, kAwsvpc, kNone };

std::string_view name_of(NetworkMode mode);  ///< "awsvpc", as ECS spells it.

/// The network mode of the task: what networkMode says (a wrong case is BAY022's), or what ECS takes without it, which
/// is awsvpc where FARGATE is asked for and bridge for Linux on EC2 and external instances
/// (RegisterTaskDefinition.networkMode, 2026-08).
///
/// Nothing if the file does not say: a placeholder, a word that is no mode, a list of containers alone, a text cut
/// short, a misspelt key, Windows without a mode (Docker's nat), and Managed Instances without one: AWS documents
/// awsvpc as their default on one page and the mode as demanded on another
/// (task_definition_parameters-managed-instances, managed-instance-networking).
std::optional<NetworkMode> network_mode(const Context& ctx);

inline bool has_network_mode(const Context& ctx, NetworkMode mode) {
  return network_mode(ctx) == mode;
}

/// Whether the task has this mode; a placeholder in its place counts the rule as skipped. Ask it only where the rule
/// has found something that the mode decides on.
bool runs_in(const Context& ctx, Emitter& emit, NetworkMode mode);

/// Points to the networkMode of the file, when it says one: "networkMode is awsvpc here".
void relate_network_mode(const Context& ctx, Report& report);

}  // namespace bayplan::rules

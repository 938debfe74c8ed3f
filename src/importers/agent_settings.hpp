#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bayplan::importers {

/// What the user data of an instance sets for the ECS agent, as far as it can be read without running it: words such as
/// `ECS_CLUSTER=prod`, wherever a script, a configuration file or cloud-init writes them. The values are raw: they may
/// hold `${X}` or `$X`. Source: the agent's README (aws/amazon-ecs-agent), "Environment Variables", 2026-06.
struct AgentSettings {
  std::optional<std::string> cluster;             ///< ECS_CLUSTER
  std::optional<std::string> attributes;          ///< ECS_INSTANCE_ATTRIBUTES, a JSON object.
  std::optional<std::string> reserved_memory;     ///< ECS_RESERVED_MEMORY, MiB.
  std::optional<std::string> reserved_ports;      ///< ECS_RESERVED_PORTS, a JSON list.
  std::optional<std::string> reserved_udp_ports;  ///< ECS_RESERVED_PORTS_UDP, a JSON list.
  std::optional<std::string> gpu_support;         ///< ECS_ENABLE_GPU_SUPPORT
  bool is_windows = false;                        ///< A script of PowerShell.
};

/// Reads texts in turn; of a setting made twice the last counts.
AgentSettings read_agent_settings(const std::vector<std::string>& texts);

/// User data as it will be run: most files hold it in base64.
std::string plain_user_data(std::string_view text);

/// Whether a value is left to something that is not known: `$X`, `${X}`, `$(command)`, a backtick.
bool is_left_open(std::string_view value);

}  // namespace bayplan::importers

#include "importers/agent_settings.hpp"

#include <array>

#include "base/ascii.hpp"
#include "base/base64.hpp"
#include "base/strings.hpp"

namespace bayplan::importers {
namespace {

struct Setting {
  std::string_view name;
  std::optional<std::string> AgentSettings::*member;
};

constexpr std::array<Setting, 6> kSettings{{
    {"ECS_CLUSTER", &AgentSettings::cluster},
    {"ECS_INSTANCE_ATTRIBUTES", &AgentSettings::attributes},
    {"ECS_RESERVED_MEMORY", &AgentSettings::reserved_memory},
    {"ECS_RESERVED_PORTS", &AgentSettings::reserved_ports},
    {"ECS_RESERVED_PORTS_UDP", &AgentSettings::reserved_udp_ports},
    {"ECS_ENABLE_GPU_SUPPORT", &AgentSettings::gpu_support},
}};

/// A JSON object or list as a script writes it: quotes inside may be escaped for the shell.
std::string json_value(std::string_view rest) {
  std::string value;
  const char open = rest.front();
  const char close = open == '{' ? '}' : ']';
  int depth = 0;
  for (const char c : rest) {
    if (c == '\n') break;
    if (c == '\\') continue;
    value += c;
    if (c == open) ++depth;
    if (c == close && --depth == 0) return value;
  }
  return value;
}

/// `${X}` is one word, whatever is in it.
std::string plain_value(std::string_view rest) {
  std::string value;
  bool is_inside = false;
  for (const char c : rest) {
    const bool is_end = std::string_view(" \t\r\n;\"'`>&|)").find(c) != std::string_view::npos;
    if (is_end && !is_inside) break;
    if (c == '\n') break;
    value += c;
    if (value.ends_with("${")) is_inside = true;
    if (c == '}') is_inside = false;
  }
  return value;
}

std::string quoted_value(std::string_view rest) {
  const auto end = rest.find(rest.front(), 1);
  return std::string(rest.substr(1, end == std::string_view::npos ? end : end - 1));
}

std::string value_at(std::string_view rest) {
  while (rest.starts_with('\\')) rest.remove_prefix(1);
  if (rest.empty()) return {};
  const char first = rest.front();
  if (first == '"' || first == '\'') return quoted_value(rest);
  return first == '{' || first == '[' ? json_value(rest) : plain_value(rest);
}

bool is_comment(std::string_view text, std::size_t at) {
  const auto begin = text.rfind('\n', at);
  const auto line = trim(text.substr(begin == std::string_view::npos ? 0 : begin + 1, at - begin - 1));
  return line.starts_with('#');
}

/// `ECS_CLUSTER=prod`, and `"ECS_CLUSTER", "prod"` of PowerShell's SetEnvironmentVariable.
void read_setting(std::string_view text, const Setting& setting, AgentSettings& settings) {
  for (auto at = text.find(setting.name); at != std::string_view::npos; at = text.find(setting.name, at + 1)) {
    if (at > 0 && (is_letter(text[at - 1]) || is_digit(text[at - 1]) || text[at - 1] == '_')) continue;
    std::string_view rest = text.substr(at + setting.name.size());
    if (is_comment(text, at)) continue;
    if (rest.starts_with('=')) {
      settings.*setting.member = value_at(rest.substr(1));
    } else if (rest.starts_with("\",") || rest.starts_with("',")) {
      settings.*setting.member = value_at(trim(rest.substr(2)));
    }
  }
}

/// Initialize-ECSAgent -Cluster NAME, as the guide starts the agent of Windows.
void read_windows(std::string_view text, AgentSettings& settings) {
  if (text.find("<powershell>") == std::string_view::npos) return;
  settings.is_windows = true;
  constexpr std::string_view kStart = "Initialize-ECSAgent";
  const auto at = text.find(kStart);
  if (at == std::string_view::npos) return;
  const auto line = text.substr(at, text.find('\n', at) - at);
  constexpr std::string_view kCluster = "-Cluster ";
  const auto name = line.find(kCluster);
  if (name != std::string_view::npos) settings.cluster = value_at(trim(line.substr(name + kCluster.size())));
}

/// Bottlerocket's user data is TOML: `cluster` in the table settings.ecs.
void read_bottlerocket(std::string_view text, AgentSettings& settings) {
  bool is_ecs = false;
  for (const auto line : split(text, '\n')) {
    const auto words = trim(line);
    if (words.starts_with('[')) is_ecs = words == "[settings.ecs]";
    const auto equals = words.find('=');
    if (!is_ecs || equals == std::string_view::npos || trim(words.substr(0, equals)) != "cluster") continue;
    settings.cluster = value_at(trim(words.substr(equals + 1)));
  }
}

}  // namespace

AgentSettings read_agent_settings(const std::vector<std::string>& texts) {
  AgentSettings settings;
  for (const auto& text : texts) {
    read_windows(text, settings);
    read_bottlerocket(text, settings);
    for (const auto& setting : kSettings) read_setting(text, setting, settings);
  }
  return settings;
}

std::string plain_user_data(std::string_view text) {
  return decode_base64(text).value_or(std::string(text));
}

bool is_left_open(std::string_view value) {
  return value.find('$') != std::string_view::npos || value.find('`') != std::string_view::npos;
}

}  // namespace bayplan::importers

// The name of a port mapping, by which Service Connect and VPC Lattice find the port.
#include <algorithm>
#include <map>

#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/network/port_mappings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

constexpr std::size_t kLongestName = 64;  // PortMapping.name, 2026-08

bool is_port_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_port_name(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name.front() != '-' &&
         std::all_of(name.begin(), name.end(), is_port_name_character);
}

/// The nearest text that is one; empty when nothing is left.
std::string as_port_name(std::string_view text) {
  std::string name = lower(trim(text));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_port_name_character(c); }, '-');
  name.erase(0, std::min(name.find_first_not_of('-'), name.size()));
  return name.substr(0, kLongestName);
}

void port_name_form(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mapping : container.port_mappings) {
      const auto& name = mapping.name;
      if (!emit.knows(name) || !name.node.is_string() || name->empty() || is_port_name(*name)) continue;
      auto report = emit.at(name);
      if (name->size() > kLongestName) {
        report.says("port name has {} bytes; the maximum is {}", name->size(), kLongestName);
      } else if (std::all_of(name->begin(), name->end(), is_port_name_character)) {
        report.says("port name \"{}\" must not start with a hyphen", *name);
      } else {
        report.says("port name \"{}\" contains characters other than a-z, 0-9, _ and -", *name);
      }
      const std::string nearest = as_port_name(*name);
      if (nearest.empty()) {
        report.help("use a name such as \"http\"");
      } else {
        report.help("use \"{}\" here and where a service refers to the port", nearest);
      }
    }
  }
}

void port_name_duplicate(const Context& ctx, Emitter& emit) {
  const bool is_awsvpc = has_network_mode(ctx, NetworkMode::kAwsvpc);
  std::map<std::string_view, text::Value> first;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mapping : container.port_mappings) {
      if (!emit.knows(mapping.name) || mapping.name->empty()) continue;
      const auto [seen, is_new] = first.emplace(*mapping.name, mapping.name.node);
      if (is_new) continue;
      auto report = emit.at(mapping.name);
      report.says("duplicate port name \"{}\"", *mapping.name)
          .help("rename one of them; services find the port by this name")
          .related(seen->second, "first used here");
      if (!is_awsvpc) report.severity(Severity::kWarning);
    }
  }
}

void app_protocol_no_name(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mapping : container.port_mappings) {
      const auto& app_protocol = mapping.app_protocol;
      if (!emit.knows(app_protocol) || app_protocol->empty()) continue;
      if (!mapping.name.present() && !is_spelled_otherwise(mapping.node, "name")) {
        emit.at(app_protocol)
            .says("appProtocol {} has no effect on a port without a name; Service Connect finds ports by name",
                  *app_protocol)
            .help("add \"name\", or delete appProtocol");
      }
      if (protocol_of(mapping) == Protocol::kUdp) {
        emit.at(app_protocol)
            .says("appProtocol {} requires tcp, but this port is udp", *app_protocol)
            .help("delete appProtocol, or use protocol tcp")
            .related(mapping.protocol.node, "the protocol");
      }
    }
  }
}

}  // namespace

std::span<const Rule> port_name_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY318", kTaskDefinition, port_name_form},
      {"BAY319", kTaskDefinition, port_name_duplicate},
      {"BAY320", kTaskDefinition, app_protocol_no_name},
  };
  return kRules;
}

}  // namespace bayplan::rules

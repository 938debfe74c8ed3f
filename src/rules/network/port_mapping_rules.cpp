// One port mapping by itself: its container port and its host port.
#include "rules/file/spelling.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/network/port_mappings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::PortMapping;

/// In awsvpc and host mode nothing maps a port to another one. 0 asks for a free port where there is none to choose:
/// whether ECS refuses that was reported both ways.
void check_host_port_equals(const Context& ctx, Emitter& emit, NetworkMode mode) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mapping : container.port_mappings) {
      const auto& host = mapping.host_port;
      const auto& port = mapping.container_port;
      if (!host.present() || has_range(mapping) || !runs_in(ctx, emit, mode)) continue;
      if (!emit.knows(host) || !emit.knows(port) || !is_port(*port) || *host == *port) continue;
      if (mode == NetworkMode::kHost && (*host < 0 || *host > kLastPort)) continue;  // BAY305 speaks

      auto report = emit.at(host);
      if (*host == 0) {
        report.severity(Severity::kWarning)
            .says("hostPort 0 (dynamic port) is not available in {} mode", name_of(mode))
            .help("omit hostPort, or use {}", *port);
        if (host.node.kind() == text::Kind::kInteger) report.fix(host.span(), std::to_string(*port));
      } else {
        report.says("hostPort {} must equal containerPort {} in {} mode", *host, *port, name_of(mode))
            .help("omit hostPort; clients connect to the container port");
      }
      report.related(port.node, "the container port");
      relate_network_mode(ctx, report);
    }
  }
}

/// A mapping torn into several objects: one has the container port, the next the host port or the protocol.
const PortMapping* torn_from(const model::ContainerDefinition& container, std::size_t position) {
  if (position == 0) return nullptr;
  const auto& mapping = container.port_mappings[position];
  const bool has_rest = mapping.host_port.present() || mapping.protocol.present();
  for (std::size_t i = position; has_rest && i-- > 0;) {
    const auto& before = container.port_mappings[i];
    if (before.container_port.present()) return before.host_port.present() ? nullptr : &before;
  }
  return nullptr;
}

bool is_misspelt(const PortMapping& mapping) {
  return is_spelled_otherwise(mapping.node, "containerPort", {"port", "container", "target"}) ||
         is_spelled_otherwise(mapping.node, "containerPortRange");
}

void check_missing_ports(const model::ContainerDefinition& container, Emitter& emit) {
  const PortMapping* reported = nullptr;  // a torn mapping is one fault, however many pieces it has
  for (std::size_t i = 0; i < container.port_mappings.size(); ++i) {
    const auto& mapping = container.port_mappings[i];
    if (mapping.container_port.present() || has_range(mapping) || is_misspelt(mapping)) continue;
    const auto* begun = torn_from(container, i);
    if (begun && begun == reported) continue;
    reported = begun;
    auto report = emit.missing(mapping.node, "containerPort");
    report.says("port mapping has no containerPort");
    if (begun) {
      report.help("put these keys into the object with containerPort; a mapping is one object")
          .related(begun->node, "the mapping may start here");
    } else {
      report.help("add \"containerPort\", or delete the mapping");
    }
  }
}

void awsvpc_host_port(const Context& ctx, Emitter& emit) {
  check_host_port_equals(ctx, emit, NetworkMode::kAwsvpc);
}

void host_mode_host_port(const Context& ctx, Emitter& emit) {
  check_host_port_equals(ctx, emit, NetworkMode::kHost);
}

void none_with_ports(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (container.port_mappings.empty() || !runs_in(ctx, emit, NetworkMode::kNone)) continue;
    auto report = emit.at_key(container.port_mappings.node);
    report.says("port mappings are not supported with networkMode none")
        .help("delete portMappings, or use another networkMode");
    relate_network_mode(ctx, report);
  }
}

void container_port_invalid(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    check_missing_ports(container, emit);
    for (const auto& mapping : container.port_mappings) {
      const auto& port = mapping.container_port;
      if (has_range(mapping) || !emit.knows(port) || is_port(*port)) continue;  // with a range: BAY315
      emit.at(port)
          .says("containerPort must be 1 to {}, got {}", kLastPort, *port)
          .help("use the port that the container listens on");
    }
  }
}

void host_port_invalid(const Context& ctx, Emitter& emit) {
  const auto mode = network_mode(ctx);
  if (mode == NetworkMode::kAwsvpc || mode == NetworkMode::kNone) return;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mapping : container.port_mappings) {
      const auto& port = mapping.host_port;
      if (!emit.knows(port) || *port == 0 || is_port(*port)) continue;
      emit.at(port)
          .says("hostPort must be 0 to {}, got {}", kLastPort, *port)
          .help("use 1 to {}, or 0 for a dynamic port", kLastPort);
    }
  }
}

}  // namespace

std::span<const Rule> port_mapping_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY301", kTaskDefinition, awsvpc_host_port},  {"BAY302", kTaskDefinition, host_mode_host_port},
      {"BAY303", kTaskDefinition, none_with_ports},   {"BAY304", kTaskDefinition, container_port_invalid},
      {"BAY305", kTaskDefinition, host_port_invalid},
  };
  return kRules;
}

}  // namespace bayplan::rules

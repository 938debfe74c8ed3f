// containerPortRange: "80-90" in place of a single port.
#include <algorithm>
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/file/shape_findings.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/network/port_mappings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::PortMapping;

/// Calls `visit` with each mapping that says a range, where ranges can be: in host and none mode BAY316 and BAY303 ask
/// to remove it altogether.
template <class Visit>
void each_range(const Context& ctx, Visit visit) {
  const auto mode = network_mode(ctx);
  if (mode == NetworkMode::kHost || mode == NetworkMode::kNone) return;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mapping : container.port_mappings) {
      if (has_range(mapping)) visit(mapping);
    }
  }
}

bool is_given(const model::IntegerField& field) {
  return field && *field != 0;
}

/// "90 - 95" or "90:95" as ECS writes it.
std::optional<std::string> range_meant(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  const auto end = std::min(text.find_first_not_of(kDigits), text.size());
  const auto next = std::min(text.find_first_of(kDigits, end), text.size());
  const auto between = text.substr(end, next - end);
  const std::string range = std::string(text.substr(0, end)) + "-" + std::string(text.substr(next));
  const auto read = parse_port_range(range);
  const bool is_separator = between.find_first_not_of(" -:.") == std::string_view::npos;
  return read && is_separator && read->first < read->last ? std::optional(range) : std::nullopt;
}

void offer_single_port(const Context& ctx, Report& report, const PortMapping& mapping) {
  const auto& range = mapping.container_port_range;
  report.help("use \"containerPort\": {} for a single port", *range);
  const auto port = to_integer(*range);
  if (mapping.container_port.present() || !port || *port < 1 || *port > kLastPort) return;
  offer_rename(report, range.node, spelled_here(ctx, "containerPort"), true);
  report.fix(range.node.span(), std::to_string(*port));
}

void port_range_format(const Context& ctx, Emitter& emit) {
  each_range(ctx, [&](const PortMapping& mapping) {
    const auto& range = mapping.container_port_range;
    if (!emit.knows(range) || !range.node.is_string() || parse_port_range(*range)) return;
    auto report = emit.at(range);
    report.says("invalid containerPortRange \"{}\"; must be FIRST-LAST with ports from 1 to {}", *range, kLastPort);
    if (range->find_first_not_of("0123456789") == std::string_view::npos) {
      offer_single_port(ctx, report, mapping);
    } else if (const auto meant = range_meant(*range)) {
      report.help("use {}", json_quoted(*meant)).fix(range.node.span(), json_quoted(*meant));
    } else {
      report.help("use the form \"8000-8010\"");
    }
  });
}

void port_range_reversed(const Context& ctx, Emitter& emit) {
  each_range(ctx, [&](const PortMapping& mapping) {
    const auto& field = mapping.container_port_range;
    const auto range = emit.knows(field) ? parse_port_range(*field) : std::nullopt;
    if (!range || range->first < range->last) return;
    auto report = emit.at(field);
    if (range->first == range->last) {
      report.severity(Severity::kWarning)
          .says("containerPortRange {} contains one port; the first port must be less than the last", *field)
          .help("use containerPort {} instead", range->first);
    } else {
      report.says("containerPortRange {} must be ascending", *field).help("use \"{}-{}\"", range->last, range->first);
    }
  });
}

void port_range_with_single(const Context& ctx, Emitter& emit) {
  each_range(ctx, [&](const PortMapping& mapping) {
    for (const auto* port : {&mapping.container_port, &mapping.host_port}) {
      if (!port->present() || !emit.knows(*port) || !is_given(*port)) continue;
      emit.at(*port)
          .says("{} and containerPortRange are mutually exclusive", port->node.key())
          .help("delete {}, or the range", port->node.key())
          .related(mapping.container_port_range.node, "the range");
      return;
    }
  });
}

void port_range_mode(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& mapping : container.port_mappings) {
      if (!has_range(mapping) || !runs_in(ctx, emit, NetworkMode::kHost)) continue;
      auto report = emit.at_key(mapping.container_port_range.node);
      report.says("containerPortRange is supported in bridge and awsvpc mode only, not in host mode")
          .help(
              "list the ports one by one, or delete the mapping; in host mode the container can use every port of the "
              "instance");
      relate_network_mode(ctx, report);
    }
  }
}

void port_range_count(const Context& ctx, Emitter& emit) {
  constexpr int kMost = 100;  // of a container (PortMapping.containerPortRange, 2026-08)
  for (const auto& container : ctx.task.container_definitions) {
    int ranges = 0;
    for (const auto& mapping : container.port_mappings) {
      if (!has_range(mapping) || ++ranges != kMost + 1) continue;
      emit.at(mapping.container_port_range)
          .says("port range {} of the container; the maximum is {}", ranges, kMost)
          .help("merge adjacent ranges");
    }
  }
}

}  // namespace

std::span<const Rule> port_range_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY313", kTaskDefinition, port_range_format},      {"BAY314", kTaskDefinition, port_range_reversed},
      {"BAY315", kTaskDefinition, port_range_with_single}, {"BAY316", kTaskDefinition, port_range_mode},
      {"BAY317", kTaskDefinition, port_range_count},
  };
  return kRules;
}

}  // namespace bayplan::rules

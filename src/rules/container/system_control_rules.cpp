// systemControls: kernel parameters of a container.
#include <algorithm>
#include <array>
#include <map>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/container/container_names.hpp"
#include "rules/file/spelling.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"
#include "text/removal.hpp"

namespace bayplan::rules {
namespace {

using model::ContainerDefinition;
using model::SystemControl;

/// SystemControl.value, 2026-08: the parameters of the IPC namespace in addition to fs.mqueue.*.
constexpr std::array<std::string_view, 8> kIpcKeys{"kernel.msgmax", "kernel.msgmnb",         "kernel.msgmni",
                                                   "kernel.sem",    "kernel.shmall",         "kernel.shmmax",
                                                   "kernel.shmmni", "kernel.shm_rmid_forced"};

bool is_network(std::string_view key) {
  return key.starts_with("net.");
}

bool is_ipc(std::string_view key) {
  return key.starts_with("fs.mqueue.") || is_among(key, kIpcKeys);
}

template <class Function>
void each_control(const Context& ctx, Function visit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& control : container.system_controls) visit(control);
  }
}

/// Whether the parameter is written as a string: the rules of shape report other types.
bool is_text(const model::StringField& field) {
  return field && field.node.is_string();
}

bool sets_network(const SystemControl& control) {
  return is_text(control.name_space) && is_network(*control.name_space);
}

/// The net.* parameters of one container; a later entry of the same parameter counts.
std::map<std::string_view, std::string_view> network_parameters(const ContainerDefinition& container) {
  std::map<std::string_view, std::string_view> parameters;
  for (const auto& control : container.system_controls) {
    if (sets_network(control)) parameters[*control.name_space] = control.value.value.value_or("");
  }
  return parameters;
}

const SystemControl* first_network_control(const ContainerDefinition& container) {
  const auto& controls = container.system_controls;
  const auto first = std::find_if(controls.begin(), controls.end(), sets_network);
  return first == controls.end() ? nullptr : &*first;
}

bool knows_network_values(Emitter& emit, const ContainerDefinition& container) {
  bool is_known = true;
  for (const auto& control : container.system_controls) {
    is_known = !control.name_space.unknown() && is_known;
    if (sets_network(control)) is_known = !control.value.unknown() && is_known;
    if (control.name_space.unknown()) emit.skip(control.name_space.node);
    if (sets_network(control) && control.value.unknown()) emit.skip(control.value.node);
  }
  return is_known;
}

void check_present(Emitter& emit, const SystemControl& control, std::string_view key) {
  if (control.node.find(key) || is_spelled_otherwise(control.node, key, {"name", "key"})) return;
  emit.missing(control.node, key)
      .severity(Severity::kWarning)
      .says("system control has no {}", key)
      .help(key == "value" ? "add \"value\" as a string, such as \"1024\""
                           : "add \"namespace\", such as \"net.core.somaxconn\"");
}

void sysctl_namespace(const Context& ctx, Emitter& emit) {
  if (is_windows(ctx)) return;
  each_control(ctx, [&](const SystemControl& control) {
    const auto& key = control.name_space;
    if (!emit.knows(key) || !is_text(key) || is_network(*key) || is_ipc(*key)) return;
    emit.at(key)
        .says("{} cannot be set in a container; only net.*, fs.mqueue.* and the IPC keys of kernel.* can",
              json_quoted(*key))
        .help("set it on the instance, for example with sysctl -w in its user data");
  });
}

void sysctl_net_host(const Context& ctx, Emitter& emit) {
  if (!has_network_mode(ctx, NetworkMode::kHost)) return;
  each_control(ctx, [&](const SystemControl& control) {
    if (!sets_network(control)) return;
    auto report = emit.at(control.name_space);
    report
        .says("{} cannot be set in host mode, where the container uses the network of the instance",
              *control.name_space)
        .help("set it on the instance, or use \"networkMode\": \"awsvpc\"");
    relate_network_mode(ctx, report);
  });
}

void sysctl_ipc_host(const Context& ctx, Emitter& emit) {
  const auto& mode = ctx.task.ipc_mode;
  if (!mode || *mode != "host") return;
  each_control(ctx, [&](const SystemControl& control) {
    if (!is_text(control.name_space) || !is_ipc(*control.name_space)) return;
    emit.at(control.name_space)
        .says("{} cannot be set with ipcMode host", *control.name_space)
        .help("set it on the instance, or use \"ipcMode\": \"task\"")
        .related(mode.node, "ipcMode is host here");
  });
}

void sysctl_net_many(const Context& ctx, Emitter& emit) {
  if (!has_network_mode(ctx, NetworkMode::kAwsvpc)) return;
  const ContainerDefinition* first = nullptr;
  for (const auto& container : ctx.task.container_definitions) {
    const auto* control = first_network_control(container);
    if (!knows_network_values(emit, container) || control == nullptr) continue;
    if (first == nullptr) {
      first = &container;
    } else if (network_parameters(container) != network_parameters(*first)) {
      emit.at(control->name_space)
          .says("{} and {} set different net.* parameters on a shared network; the container that starts last decides",
                called(*first), called(container))
          .help("set all of them in one container")
          .related(first_network_control(*first)->name_space.node, "first set here");
    }
  }
}

void sysctl_value(const Context& ctx, Emitter& emit) {
  each_control(ctx, [&](const SystemControl& control) {
    if (ctx.is_whole) check_present(emit, control, "namespace");
    if (ctx.is_whole) check_present(emit, control, "value");
    const auto& value = control.value;
    if (!value || value.node.is_string()) return;
    const std::string quoted = json_quoted(text::find_source(value.node));
    emit.at(value)
        .says("system control value must be a string, got {}", *value)
        .help("use {}", quoted)
        .fix(value.span(), quoted);
  });
}

}  // namespace

std::span<const Rule> system_control_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY760", kTaskDefinition, sysctl_namespace}, {"BAY761", kTaskDefinition, sysctl_net_host},
      {"BAY762", kTaskDefinition, sysctl_ipc_host},  {"BAY763", kTaskDefinition, sysctl_net_many},
      {"BAY764", kTaskDefinition, sysctl_value},
  };
  return kRules;
}

}  // namespace bayplan::rules

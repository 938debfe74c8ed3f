// Rights of containers over their instance, its other tasks and their own program.
#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

/// On Fargate these settings are refused, and other rules say so.
bool shares_instance(const Context& ctx) {
  return !ctx.targets(Compatibility::kFargate);
}

/// "root", "0", "0:1000"
bool is_root(std::string_view user) {
  const auto name = trim(user.substr(0, user.find(':')));
  return name == "root" || (!name.empty() && name.find_first_not_of('0') == std::string_view::npos);
}

/// Capabilities that lead out of the container (capabilities(7)).
constexpr std::array<std::string_view, 6> kDangerous{"ALL",       "DAC_READ_SEARCH", "NET_ADMIN",
                                                     "SYS_ADMIN", "SYS_MODULE",      "SYS_PTRACE"};

text::Value find_capabilities(const model::ContainerDefinition& container) {
  const text::Value parameters = container.linux_parameters;
  return parameters ? parameters.find("capabilities") : text::Value();
}

void privileged(const Context& ctx, Emitter& emit) {
  if (!shares_instance(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.privileged) || !*container.privileged) continue;
    emit.at(container.privileged)
        .says("privileged container has nearly all root rights on its instance")
        .help("use false, and add only the capabilities or devices it needs in linuxParameters");
  }
}

void root_user(const Context& ctx, Emitter& emit) {
  if (is_windows(ctx)) return;
  const bool on_host_network = has_network_mode(ctx, NetworkMode::kHost);
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.user) || !is_root(*container.user)) continue;
    auto report = emit.at(container.user);
    report.help("use a user of the image with a uid of 1000 or above");
    if (on_host_network) {
      report.says("container runs as root with host networking and can listen on every port of the instance");
      relate_network_mode(ctx, report);
    } else {
      report.says("container runs as root");
    }
  }
}

void writable_root(const Context& ctx, Emitter& emit) {
  if (is_windows(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto& read_only = container.readonly_root_filesystem;
    if (read_only.present() && (!emit.knows(read_only) || *read_only)) continue;
    if (!read_only.present() && is_spelled_otherwise(container.node, "readonlyRootFilesystem", {"read_only"})) continue;
    auto report = read_only ? emit.at(read_only) : emit.missing(container.node, "readonlyRootFilesystem");
    report.says("container can write to its root file system")
        .help("add \"readonlyRootFilesystem\": true, and a volume for each writable directory");
  }
}

void host_pid(const Context& ctx, Emitter& emit) {
  const auto& mode = ctx.task.pid_mode;
  if (!shares_instance(ctx) || !emit.knows(mode) || *mode != "host") return;
  emit.at(mode)
      .says("pidMode host exposes every process of the instance to the containers")
      .help("use \"task\", or delete pidMode so that each container sees only its own");
}

void host_ipc(const Context& ctx, Emitter& emit) {
  const auto& mode = ctx.task.ipc_mode;
  const bool is_refused = !shares_instance(ctx) || ctx.targets(Compatibility::kManagedInstances);
  if (is_refused || !emit.knows(mode) || *mode != "host") return;
  emit.at(mode)
      .says("ipcMode host shares memory with the whole instance")
      .help("use \"task\" to share it within the task, or \"none\"");
}

void same_roles(const Context& ctx, Emitter& emit) {
  const auto& task_role = ctx.task.task_role_arn;
  const auto& execution_role = ctx.task.execution_role_arn;
  if (!emit.knows(task_role) || !emit.knows(execution_role)) return;
  if (task_role->empty() || *task_role != *execution_role) return;
  emit.at(task_role)
      .says("task role is the execution role, so the program has the permissions to pull images and read secrets")
      .help("use a separate task role, or delete taskRoleArn if the program calls no AWS service")
      .related(execution_role.node, "the execution role");
}

void capability_dangerous(const Context& ctx, Emitter& emit) {
  if (!shares_instance(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& capability : model::string_list(find_capabilities(container), "add", ctx.placeholders)) {
      if (!emit.knows(capability)) continue;
      if (std::find(kDangerous.begin(), kDangerous.end(), *capability) == kDangerous.end()) continue;
      emit.at(capability)
          .says("capability {} lets the container affect other tasks and the instance", *capability)
          .help("delete it, or use a narrower one");
    }
  }
}

}  // namespace

std::span<const Rule> privilege_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY901", kTaskDefinition, privileged},
      {"BAY902", kTaskDefinition, root_user},
      {"BAY903", kTaskDefinition, writable_root},
      {"BAY905", kTaskDefinition, host_pid},
      {"BAY906", kTaskDefinition, host_ipc},
      {"BAY909", kTaskDefinition, same_roles},
      {"BAY910", kTaskDefinition, capability_dangerous},
  };
  return kRules;
}

}  // namespace bayplan::rules

// Rights of containers over their instance, its other tasks and their own program.
#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/network/network_mode.hpp"
#include "rules/rule_functions.hpp"
#include "rules/task/platform.hpp"

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

text::Value capabilities_of(const model::ContainerDefinition& container) {
  const text::Value parameters = container.linux_parameters;
  return parameters ? parameters.find("capabilities") : text::Value();
}

}  // namespace

void privileged(const Context& ctx, Emitter& emit) {
  if (!shares_instance(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.privileged) || !*container.privileged) continue;
    emit.at(container.privileged)
        .says("the container has nearly all rights of root on its instance")
        .help("write false, and give the capabilities or devices that it needs in linuxParameters");
  }
}

void root_user(const Context& ctx, Emitter& emit) {
  if (is_windows(ctx)) return;
  const bool on_host_network = has_network_mode(ctx, NetworkMode::kHost);
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.user) || !is_root(*container.user)) continue;
    auto report = emit.at(container.user);
    report.help("write a user of the image with a uid of 1000 or more");
    if (on_host_network) {
      report.says("the container runs as root in the network of its instance: it can listen on every port there");
      relate_network_mode(ctx, report);
    } else {
      report.says("the container runs as root");
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
    report.says("the container can write to its root file system")
        .help("add \"readonlyRootFilesystem\": true, and a volume for each directory that is written");
  }
}

void host_pid(const Context& ctx, Emitter& emit) {
  const auto& mode = ctx.task.pid_mode;
  if (!shares_instance(ctx) || !emit.knows(mode) || *mode != "host") return;
  emit.at(mode)
      .says("the containers see every process of the instance")
      .help("write \"task\", or delete pidMode and each container sees its own");
}

void host_ipc(const Context& ctx, Emitter& emit) {
  const auto& mode = ctx.task.ipc_mode;
  const bool is_refused = !shares_instance(ctx) || ctx.targets(Compatibility::kManagedInstances);
  if (is_refused || !emit.knows(mode) || *mode != "host") return;
  emit.at(mode)
      .says("the containers share memory with the whole instance")
      .help("write \"task\" to share it within the task, or \"none\"");
}

void same_roles(const Context& ctx, Emitter& emit) {
  const auto& task_role = ctx.task.task_role_arn;
  const auto& execution_role = ctx.task.execution_role_arn;
  if (!emit.knows(task_role) || !emit.knows(execution_role)) return;
  if (task_role->empty() || *task_role != *execution_role) return;
  emit.at(task_role)
      .says("the program gets the role that ECS uses to pull images and read secrets")
      .help("give the program a role of its own, or delete taskRoleArn if it calls no AWS service")
      .related(execution_role.node, "the execution role");
}

void capability_dangerous(const Context& ctx, Emitter& emit) {
  if (!shares_instance(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& capability : model::string_list(capabilities_of(container), "add", ctx.placeholders)) {
      if (!emit.knows(capability)) continue;
      if (std::find(kDangerous.begin(), kDangerous.end(), *capability) == kDangerous.end()) continue;
      emit.at(capability)
          .says("with capability {} the container can reach beyond itself", *capability)
          .help("delete it, or choose a narrower one");
    }
  }
}

}  // namespace bayplan::rules

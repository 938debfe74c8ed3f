// What the container runs as and where: user, workingDirectory, a terminal, labels.
#include <algorithm>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

/// A user or a group: a name or a number, neither of which begins with a dash or holds a blank.
bool is_user_part(std::string_view part) {
  return !part.empty() && part.front() != '-' && part.find_first_of(" \t\n") == std::string_view::npos;
}

/// user, uid, user:group, uid:gid, user:gid, uid:group (API_ContainerDefinition, user).
bool is_user(std::string_view text) {
  const auto parts = split(text, ':');
  return parts.size() <= 2 && std::all_of(parts.begin(), parts.end(), is_user_part);
}

/// C:\app, \app
bool may_be_windows_path(std::string_view path) {
  return path.front() == '\\' || (path.size() > 1 && path[1] == ':');
}

void user_format(const Context& ctx, Emitter& emit) {
  if (!is_linux(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    if (!emit.knows(container.user) || container.user->empty() || is_user(*container.user)) continue;
    emit.at(container.user)
        .says("invalid user {}; must be a user or uid, optionally followed by : and a group or gid",
              json_quoted(*container.user))
        .help("use for example \"1000\" or \"app:app\"");
  }
}

void working_directory_relative(const Context& ctx, Emitter& emit) {
  const Platform& platform = ctx.platform.get();
  const bool states_linux = platform.stated && platform.system == OperatingSystem::kLinux;
  for (const auto& container : ctx.task.container_definitions) {
    const auto& directory = container.working_directory;
    if (!emit.knows(directory) || directory->empty() || directory->front() == '/') continue;
    if (!states_linux && may_be_windows_path(*directory)) continue;
    auto report = emit.at(directory);
    report.says("workingDirectory {} must be an absolute path", json_quoted(*directory));
    report.help("start it with /");
  }
}

void interactive_tty(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const bool interactive = emit.knows(container.interactive) && *container.interactive;
    const bool terminal = emit.knows(container.pseudo_terminal) && *container.pseudo_terminal;
    if (!interactive && !terminal) continue;
    auto report = emit.at(interactive ? container.interactive : container.pseudo_terminal);
    report.says("{} has no effect without an attached terminal", interactive ? "interactive" : "pseudoTerminal");
    report.help("delete it");
    if (interactive && terminal) report.related(container.pseudo_terminal.node, "and pseudoTerminal");
  }
}

void label_reserved(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kEc2) && !ctx.targets(Compatibility::kExternal)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const text::Value labels = container.docker_labels;
    if (!labels || !labels.is_object()) continue;
    for (const text::Value label : labels.children()) {
      if (!label.key().starts_with("com.amazonaws.ecs.")) continue;
      emit.at_key(label)
          .says("label prefix com.amazonaws.ecs. is reserved for the ECS agent")
          .help("use another prefix for {}", label.key());
    }
  }
}

}  // namespace

std::span<const Rule> container_process_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY224", kTaskDefinition, user_format},
      {"BAY225", kTaskDefinition, working_directory_relative},
      {"BAY228", kTaskDefinition, interactive_tty},
      {"BAY229", kTaskDefinition, label_reserved},
  };
  return kRules;
}

}  // namespace bayplan::rules

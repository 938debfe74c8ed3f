// FireLens: containers that log with awsfirelens, and the router that takes their logs (RegisterTaskDefinition,
// FirelensConfiguration; developer guide, firelens-taskdef; 2026).
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/edit_distance.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/logging/log_options.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::ContainerDefinition;
using model::StringField;
using text::Value;

constexpr std::string_view kDriver = "awsfirelens";
constexpr std::string_view kFileType = "config-file-type";
constexpr std::string_view kFileValue = "config-file-value";
constexpr std::string_view kMetadata = "enable-ecs-log-metadata";

bool logs_with_firelens(const ContainerDefinition& container) {
  const auto& log = container.log_configuration;
  return log && log->log_driver && *log->log_driver == kDriver;
}

/// The container has a router's configuration, readable or not, or something that was meant to be one.
bool may_be_router(const ContainerDefinition& container) {
  return is_there(container.node.find("firelensConfiguration")) ||
         is_spelled_otherwise(container.node, "firelensConfiguration", {"firelens"});
}

/// Whether the container's driver may be awsfirelens once placeholders and slips are resolved.
bool may_log_with_firelens(const ContainerDefinition& container) {
  const auto& log = container.log_configuration;
  if (!log) {
    return is_there(container.node.find("logConfiguration")) ||
           is_spelled_otherwise(container.node, "logConfiguration", {"logging", "logs", "logConfig"});
  }
  if (log->log_driver.present()) return !log->log_driver.known() || edit_distance(*log->log_driver, kDriver, 3) <= 3;
  return is_spelled_otherwise(log->node, "logDriver", {"driver"});
}

/// Elements of containerDefinitions that are no objects, such as a placeholder, may be any container.
bool knows_every_container(const Context& ctx) {
  const auto& containers = ctx.task.container_definitions;
  return ctx.is_whole && containers.node && containers.node.size() == containers.size();
}

struct Router {
  const ContainerDefinition* container;
  Value firelens;  ///< Its firelensConfiguration.
};

std::vector<Router> routers(const Context& ctx) {
  std::vector<Router> result;
  for (const auto& container : ctx.task.container_definitions) {
    const Value firelens = container.node.find("firelensConfiguration");
    if (firelens && firelens.is_object()) result.push_back({&container, firelens});
  }
  return result;
}

/// Options of a router, each a string that may be a placeholder.
struct RouterOptions {
  Value node;
  StringField file_type;
  StringField file_value;
  StringField metadata;
};

RouterOptions read_options(const Context& ctx, Value options) {
  return {.node = options,
          .file_type = model::string_field(options, kFileType, ctx.placeholders),
          .file_value = model::string_field(options, kFileValue, ctx.placeholders),
          .metadata = model::string_field(options, kMetadata, ctx.placeholders)};
}

/// Calls `visit(options)` for each router that has options.
template <class Function>
void each_options(const Context& ctx, Function visit) {
  for (const auto& router : routers(ctx)) {
    const Value options = router.firelens.find("options");
    if (options && options.is_object() && !ctx.placeholders.holds(options)) visit(read_options(ctx, options));
  }
}

void tell_unknown_option(Value member, Emitter& emit) {
  auto report = emit.at_key(member);
  report.says("unknown firelensConfiguration option {}", json_quoted(member.key()));
  if (const auto near = nearest(member.key(), {kMetadata, kFileType, kFileValue})) {
    report.help("did you mean {}?", *near);
  } else {
    report.help("move output options to logConfiguration of the containers that use awsfirelens");
  }
}

void check_value(const StringField& field, std::string_view first, std::string_view second, Emitter& emit) {
  if (!emit.knows(field) || *field == first || *field == second) return;
  emit.at(field)
      .says("invalid value {} for {}", json_quoted(*field), field.node.key())
      .help("use {} or {}", json_quoted(first), json_quoted(second));
}

/// `present` without the other one.
void check_pair(const RouterOptions& options, const StringField& present, std::string_view absent, Emitter& emit) {
  if (!present.present() || is_there(options.node.find(absent)) || is_spelled_otherwise(options.node, absent)) return;
  emit.missing(options.node, absent)
      .says("{} requires {}", present.node.key(), absent)
      .help("add {}", absent == kFileType ? "\"config-file-type\": \"file\" or \"s3\""
                                          : "\"config-file-value\", the path of the file or the ARN in S3");
}

void firelens_router_missing(const Context& ctx, Emitter& emit) {
  const auto& containers = ctx.task.container_definitions;
  if (!knows_every_container(ctx) || std::any_of(containers.begin(), containers.end(), may_be_router)) return;
  const auto first = std::find_if(containers.begin(), containers.end(), logs_with_firelens);
  if (first == containers.end()) return;
  auto report = emit.at(first->log_configuration->log_driver);
  report.says("awsfirelens requires a log router, but no container has firelensConfiguration")
      .help("add a container with \"firelensConfiguration\": {\"type\": \"fluentbit\"}");
  for (auto other = first + 1; other != containers.end(); ++other) {
    if (logs_with_firelens(*other)) report.related(other->log_configuration->log_driver.node, "also used here");
  }
}

void firelens_router_unused(const Context& ctx, Emitter& emit) {
  const auto& containers = ctx.task.container_definitions;
  const auto found = routers(ctx);
  if (found.empty() || !knows_every_container(ctx)) return;
  if (std::any_of(containers.begin(), containers.end(), may_log_with_firelens)) return;
  emit.at_key(found.front().firelens)
      .says("no container sends its logs to this log router")
      .help("set \"logDriver\": \"awsfirelens\" on a container, or delete firelensConfiguration");
}

void firelens_router_many(const Context& ctx, Emitter& emit) {
  const auto found = routers(ctx);
  for (std::size_t i = 1; i < found.size(); ++i) {
    emit.at_key(found[i].firelens)
        .says("more than one log router in the task")
        .help("keep one log router")
        .related(found.front().firelens, "the first log router");
  }
}

void firelens_options(const Context& ctx, Emitter& emit) {
  each_options(ctx, [&](const RouterOptions& options) {
    bool is_open = false;
    for (const Value member : options.node.children()) {
      const auto name = member.key();
      const bool is_unknown = ctx.placeholders.find(name).has_value();
      is_open = is_open || is_unknown;
      if (is_unknown || member.is_null() || name == kMetadata || name == kFileType || name == kFileValue) continue;
      tell_unknown_option(member, emit);
    }
    check_value(options.metadata, "true", "false", emit);
    check_value(options.file_type, "file", "s3", emit);
    if (is_open) return;
    check_pair(options, options.file_type, kFileValue, emit);
    check_pair(options, options.file_value, kFileType, emit);
  });
}

void firelens_s3_fargate(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(model::Compatibility::kFargate)) return;
  each_options(ctx, [&](const RouterOptions& options) {
    if (!emit.knows(options.file_type) || *options.file_type != "s3") return;
    emit.at(options.file_type)
        .says("FireLens configuration from S3 is not supported on Fargate")
        .help(
            "put the file into the image with \"config-file-type\": \"file\", or use an init image of "
            "aws-for-fluent-bit, which downloads it");
  });
}

void firelens_reserved_path(const Context& ctx, Emitter& emit) {
  constexpr std::array<std::string_view, 2> kOwnPaths{"/fluent-bit/etc/fluent-bit.conf", "/fluentd/etc/fluent.conf"};
  each_options(ctx, [&](const RouterOptions& options) {
    const auto& path = options.file_value;
    if (!emit.knows(path) || std::find(kOwnPaths.begin(), kOwnPaths.end(), *path) == kOwnPaths.end()) return;
    emit.at(path)
        .says("FireLens overwrites {} with its own configuration", *path)
        .help("use another path, such as \"/extra.conf\"");
  });
}

void firelens_router_loop(const Context& ctx, Emitter& emit) {
  for (const auto& router : routers(ctx)) {
    if (!logs_with_firelens(*router.container)) continue;
    emit.at(router.container->log_configuration->log_driver)
        .says("log router sends its logs to itself")
        .help("use awslogs for this container")
        .related(router.firelens.key_span(), "this makes it the log router");
  }
}

}  // namespace

std::span<const Rule> firelens_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY620", kTaskDefinition, firelens_router_missing}, {"BAY621", kTaskDefinition, firelens_router_unused},
      {"BAY622", kTaskDefinition, firelens_router_many},    {"BAY623", kTaskDefinition, firelens_options},
      {"BAY624", kTaskDefinition, firelens_s3_fargate},     {"BAY625", kTaskDefinition, firelens_reserved_path},
      {"BAY626", kTaskDefinition, firelens_router_loop},
  };
  return kRules;
}

}  // namespace bayplan::rules

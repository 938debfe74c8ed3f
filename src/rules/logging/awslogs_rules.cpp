// Options of the awslogs log driver (RegisterTaskDefinition, LogConfiguration.options, 2026-08).
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/logging/log_options.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::ContainerDefinition;
using model::LogConfiguration;
using text::Value;

constexpr std::string_view kGroup = "awslogs-group";
constexpr std::string_view kRegion = "awslogs-region";
constexpr std::string_view kStreamPrefix = "awslogs-stream-prefix";

/// Options of the driver as Docker has it, or of Docker's other drivers (docs.docker.com, logging drivers, 2026), and
/// of the CloudWatch plugin of Fluent Bit, which belong under awsfirelens.
constexpr std::array<std::string_view, 16> kDockerOptions{"awslogs-create-stream",
                                                          "awslogs-credentials-endpoint",
                                                          "awslogs-endpoint",
                                                          "awslogs-format",
                                                          "awslogs-stream",
                                                          "awslogs-force-flush-interval-seconds",
                                                          "awslogs-max-buffered-events",
                                                          "compress",
                                                          "env",
                                                          "env-regex",
                                                          "labels",
                                                          "labels-regex",
                                                          "max-file",
                                                          "max-size",
                                                          "tag",
                                                          "cache-disabled"};
constexpr std::array<std::string_view, 8> kFirelensOptions{"Name",
                                                           "Match",
                                                           "auto_create_group",
                                                           "log_group_name",
                                                           "log_key",
                                                           "log_stream_name",
                                                           "region",
                                                           "log_stream_prefix"};

/// Whether the option is given, be it misspelt: then BAY603 speaks.
bool is_meant(const LogConfiguration& log, std::string_view name) {
  if (gives(log, name)) return true;
  if (!log.options || !log.options.is_object()) return false;
  return std::any_of(log.options.children().begin(), log.options.children().end(),
                     [&](Value member) { return awslogs_option_meant(member.key()) == name; });
}

/// Whether the option is required; Fargate also requires the prefix.
bool is_demanded(const Context& ctx, std::string_view name) {
  return name == kGroup || name == kRegion || (name == kStreamPrefix && ctx.targets(Compatibility::kFargate));
}

/// What ECS demands of awslogs and the options lack.
std::vector<std::string_view> missing_options(const Context& ctx, const LogConfiguration& log) {
  std::vector<std::string_view> wanted{kGroup, kRegion, kStreamPrefix};
  std::erase_if(wanted, [&](std::string_view name) { return !is_demanded(ctx, name) || is_meant(log, name); });
  return wanted;
}

/// "awslogs-group": "/ecs/web", with the family where it is known.
std::string make_example(const Context& ctx, std::string_view name) {
  const std::string family(ctx.task.family ? *ctx.task.family : "web");
  if (name == kGroup) return json_quoted(name) + ": " + json_quoted("/ecs/" + family);
  if (name == kRegion) return json_quoted(name) + ": \"eu-west-1\"";
  return json_quoted(name) + ": " + json_quoted(family);
}

Report at_missing(const LogConfiguration& log, std::string_view name, Emitter& emit) {
  const bool has_options = log.options && log.options.is_object();
  return has_options ? emit.missing(log.options, name) : emit.missing(log.node, "options");
}

/// A group name of CloudWatch Logs (CreateLogGroup, logGroupName).
constexpr std::size_t kLongestGroup = 512;
constexpr std::string_view kReservedGroup = "aws/";
bool has_group_characters(std::string_view name) {
  return std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || std::string_view(".-_/#").find(c) != std::string_view::npos;
  });
}

void tell_unknown_option(const Context& ctx, const LogConfiguration& log, Value member, Emitter& emit) {
  const auto name = member.key();
  auto report = emit.at_key(member);
  report.says("unknown awslogs option {}", json_quoted(name));
  if (const auto meant = awslogs_option_meant(name); !meant.empty()) {
    report.help("did you mean {}?", meant);
    if (is_demanded(ctx, meant) && !gives(log, meant)) report.severity(Severity::kError);
  } else if (is_among(name, kFirelensOptions)) {
    report.help("delete it, or use the log driver awsfirelens; it is a Fluent Bit option").severity(Severity::kError);
  } else if (is_among(name, kDockerOptions)) {
    report.help("delete it; Docker supports it, but ECS rejects it").severity(Severity::kError);
  } else {
    report.help("delete it, or check the spelling");
  }
}

void awslogs_required(const Context& ctx, Emitter& emit) {
  each_log_of(ctx, "awslogs", [&](const ContainerDefinition&, const LogConfiguration& log) {
    const auto missing = missing_options(ctx, log);
    if (missing.empty() || missing.front() == kStreamPrefix || !lists_its_options(ctx, log, emit)) return;
    std::vector<std::string> examples;
    for (const auto name : missing) examples.push_back(make_example(ctx, name));
    at_missing(log, missing.front(), emit)
        .says("awslogs requires {}", one_of(missing, "and"))
        .help("add {}", join(examples, ", "));
  });
}

void awslogs_stream_prefix(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kFargate)) return;
  each_log_of(ctx, "awslogs", [&](const ContainerDefinition&, const LogConfiguration& log) {
    const auto missing = missing_options(ctx, log);
    if (missing.empty() || missing.front() != kStreamPrefix || !lists_its_options(ctx, log, emit)) return;
    at_missing(log, kStreamPrefix, emit)
        .says("awslogs requires awslogs-stream-prefix on Fargate")
        .help("add {}", make_example(ctx, kStreamPrefix));
  });
}

void awslogs_unknown_option(const Context& ctx, Emitter& emit) {
  each_log_of(ctx, "awslogs", [&](const ContainerDefinition&, const LogConfiguration& log) {
    if (!log.options || !log.options.is_object() || ctx.placeholders.holds(log.options)) return;
    for (const Value member : log.options.children()) {
      if (is_awslogs_option(member.key()) || member.is_null() || ctx.placeholders.find(member.key())) continue;
      tell_unknown_option(ctx, log, member, emit);
    }
  });
}

void awslogs_both_multiline(const Context& ctx, Emitter& emit) {
  each_log_of(ctx, "awslogs", [&](const ContainerDefinition&, const LogConfiguration& log) {
    const auto format = option(ctx, log, "awslogs-datetime-format");
    const auto pattern = option(ctx, log, "awslogs-multiline-pattern");
    if (!format.present() || !pattern.present()) return;
    emit.at_key(pattern.node)
        .says("awslogs-datetime-format and awslogs-multiline-pattern are mutually exclusive")
        .help("keep one of the two")
        .related(format.node, "awslogs-datetime-format is set here");
  });
}

void log_mode_default_changed(const Context& ctx, Emitter& emit) {
  each_log_of(ctx, "awslogs", [&](const ContainerDefinition&, const LogConfiguration& log) {
    if (is_meant(log, "mode") || !lists_its_options(ctx, log, emit)) return;
    at_missing(log, "mode", emit)
        .says("log mode is not set; since June 25, 2025 the default drops log lines when the buffer is full")
        .help("add \"mode\": \"non-blocking\" if that is acceptable, or \"mode\": \"blocking\" to keep every line");
  });
}

void log_group_name(const Context& ctx, Emitter& emit) {
  each_log_of(ctx, "awslogs", [&](const ContainerDefinition&, const LogConfiguration& log) {
    const auto group = option(ctx, log, kGroup);
    if (!emit.knows(group)) return;
    const bool is_long = group->size() > kLongestGroup;
    const bool is_reserved = group->starts_with(kReservedGroup);
    if (!group->empty() && !is_long && !is_reserved && has_group_characters(*group)) return;
    auto report = emit.at(group);
    if (group->empty()) {
      report.says("log group name is empty");
    } else if (is_long) {
      report.says("log group name has {} characters", group->size());
    } else if (is_reserved) {
      report.says("log group name must not start with {}", json_quoted(kReservedGroup))
          .help("use {} or another name", json_quoted("/" + std::string(*group)));
      return;
    } else {
      report.says("log group name {} contains an invalid character", json_quoted(*group));
    }
    report.help("use 1 to 512 letters, digits and . - _ / #");
  });
}

}  // namespace

std::span<const Rule> awslogs_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY601", kTaskDefinition, awslogs_required},
      {"BAY602", kTaskDefinition, awslogs_stream_prefix, {.mended_on_fargate = true}},
      {"BAY603", kTaskDefinition, awslogs_unknown_option},
      {"BAY604", kTaskDefinition, awslogs_both_multiline},
      {"BAY609", kTaskDefinition, log_mode_default_changed},
      {"BAY611", kTaskDefinition, log_group_name},
  };
  return kRules;
}

}  // namespace bayplan::rules

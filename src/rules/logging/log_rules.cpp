// Log drivers and the options that they share (RegisterTaskDefinition, LogConfiguration, 2026-08).
#include <array>
#include <string>
#include <vector>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/file/spelling.hpp"
#include "rules/logging/log_options.hpp"
#include "rules/topics.hpp"
#include "text/removal.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::LogConfiguration;
using text::Kind;
using text::Value;

constexpr std::array<std::string_view, 8> kDrivers{"awsfirelens", "awslogs",   "fluentd", "gelf",
                                                   "journald",    "json-file", "splunk",  "syslog"};
constexpr std::array<std::string_view, 3> kFargateDrivers{"awslogs", "splunk", "awsfirelens"};

/// Calls `visit` for each log configuration of Docker's own kind: options of awsfirelens are those of its plugins,
/// which have a `mode` of their own.
template <class Function>
void each_docker_log(const Context& ctx, Function visit) {
  for (const auto& container : ctx.task.container_definitions) {
    const auto& log = container.log_configuration;
    if (log && log->log_driver && *log->log_driver != "awsfirelens") visit(*log);
  }
}

/// "25m", "4096", "1.5 MiB": what Docker reads as a size in bytes (go-units, RAMInBytes).
bool is_docker_size(std::string_view text) {
  const auto digits = text.find_first_not_of("0123456789.");
  const auto number = text.substr(0, digits);
  if (number.empty() || !to_number(number)) return false;
  std::string unit = digits == std::string_view::npos ? "" : lower(text.substr(digits));
  if (unit.starts_with(' ')) unit.erase(0, 1);
  if (!unit.empty() && std::string_view("kmgtp").find(unit.front()) != std::string_view::npos) unit.erase(0, 1);
  return unit.empty() || unit == "b" || unit == "ib";
}

bool is_scalar_of_wrong_type(Value value) {
  return value.kind() == Kind::kBoolean || value.kind() == Kind::kInteger || value.kind() == Kind::kNumber;
}

void tell_create_group(Value value, Emitter& emit) {
  const std::string word = lower(trim(value.text()));
  if (word == "true" || word == "false") return;
  auto report = emit.at(value);
  report.says("awslogs-create-group must be \"true\" or \"false\", got {}", json_quoted(value.text()))
      .help("use \"true\" or \"false\"")
      .severity(Severity::kWarning);
  if (word == "yes" || word == "on") report.help("use \"true\"").fix(value.span(), "\"true\"");
  if (word == "no" || word == "off") report.help("use \"false\"").fix(value.span(), "\"false\"");
}

void check_option_type(const Context& ctx, Value value, Emitter& emit) {
  if (is_scalar_of_wrong_type(value)) {
    const std::string quoted = json_quoted(text::find_source(value));
    emit.at(value)
        .says("log option {} must be a string, got the {} {}", value.key(), text::name_of(value.kind()), value.text())
        .help("use {}", quoted)
        .fix(value.span(), quoted);
  } else if (value.key() == "awslogs-create-group" && value.is_string() && !ctx.placeholders.holds(value)) {
    tell_create_group(value, emit);
  }
}

void log_driver_fargate(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(Compatibility::kFargate)) return;
  for (const auto& container : ctx.task.container_definitions) {
    const auto& log = container.log_configuration;
    if (!log || !emit.knows(log->log_driver)) continue;
    const auto driver = *log->log_driver;
    if (!is_among(driver, kDrivers) || is_among(driver, kFargateDrivers)) continue;  // BAY022 speaks of other words
    emit.at(log->log_driver)
        .says("log driver {} is not supported on Fargate", driver)
        .help("use awslogs, splunk or awsfirelens");
  }
}

void log_mode(const Context& ctx, Emitter& emit) {
  each_docker_log(ctx, [&](const LogConfiguration& log) {
    const auto mode = option(ctx, log, "mode");
    if (emit.knows(mode) && *mode != "blocking" && *mode != "non-blocking") {
      emit.at(mode).says("invalid log mode {}", json_quoted(*mode)).help("use \"blocking\" or \"non-blocking\"");
    }
    const auto size = option(ctx, log, "max-buffer-size");
    if (emit.knows(size) && !is_docker_size(*size)) {
      emit.at(size)
          .says("invalid log buffer size {}", json_quoted(*size))
          .help("use a number with k, m or g, such as \"25m\"");
    }
  });
}

void log_buffer_unused(const Context& ctx, Emitter& emit) {
  each_docker_log(ctx, [&](const LogConfiguration& log) {
    const auto mode = option(ctx, log, "mode");
    const auto size = option(ctx, log, "max-buffer-size");
    if (!size.present() || !emit.knows(mode) || *mode != "blocking") return;
    emit.at_key(size.node)
        .says("max-buffer-size has no effect in blocking mode")
        .help("delete it, or use \"mode\": \"non-blocking\"")
        .related(mode.node, "the mode is set here");
  });
}

void splunk_required(const Context& ctx, Emitter& emit) {
  each_log_of(ctx, "splunk", [&](const model::ContainerDefinition&, const LogConfiguration& log) {
    std::vector<std::string_view> missing{"splunk-url", "splunk-token"};
    std::erase_if(missing, [&](std::string_view name) { return gives(log, name); });
    if (missing.empty() || !lists_its_options(ctx, log, emit)) return;
    const bool has_options = log.options && log.options.is_object();
    auto report = has_options ? emit.missing(log.options, missing.front()) : emit.missing(log.node, "options");
    report.says("splunk requires {}", one_of(missing, "and"));
    if (missing.back() == "splunk-token") {
      report.help("add {}; preferably take the token from a secret in secretOptions", one_of(missing, "and"));
    } else {
      report.help("add \"splunk-url\": \"https://splunk.example.com:8088\"");
    }
  });
}

void log_option_type(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const auto& log = container.log_configuration;
    if (!log || !log->options || !log->options.is_object()) continue;
    for (const Value value : log->options.children()) check_option_type(ctx, value, emit);
  }
}

void log_missing(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    if (is_there(container.node.find("logConfiguration")) || is_there(container.node.find("firelensConfiguration")))
      continue;
    if (is_spelled_otherwise(container.node, "logConfiguration", {"logging", "logs", "logConfig"})) continue;
    if (is_spelled_otherwise(container.node, "firelensConfiguration")) continue;
    emit.missing(container.node, "logConfiguration")
        .says("container has no logConfiguration, so its output is not kept")
        .help("add one, such as \"logConfiguration\": {\"logDriver\": \"awslogs\", ...}");
  }
}

}  // namespace

std::span<const Rule> log_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY606", kTaskDefinition, log_driver_fargate, {.mended_on_fargate = true}},
      {"BAY607", kTaskDefinition, log_mode},
      {"BAY608", kTaskDefinition, log_buffer_unused},
      {"BAY610", kTaskDefinition, splunk_required},
      {"BAY612", kTaskDefinition, log_option_type},
      {"BAY613", kTaskDefinition, log_missing},
  };
  return kRules;
}

}  // namespace bayplan::rules

// When a container is started again, and how long ECS waits for its start and its end.
#include "rules/integer_range.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using model::IntegerField;

/// RegisterTaskDefinition, ContainerRestartPolicy, 2026-08.
constexpr IntegerRange kRestartAttemptPeriod{"restartAttemptPeriod", 60, 1800, " seconds", 300};
constexpr std::size_t kMostExitCodes = 50;

/// RegisterTaskDefinition, startTimeout and stopTimeout, 2026-11: 2 to 120 seconds are those of Fargate alone. A
/// stopTimeout of 120 was registered there although the refusal of more says "less than 120 seconds".
constexpr std::int64_t kLeastTimeout = 2;
constexpr std::int64_t kMostFargateTimeout = 120;

constexpr std::string_view kPolicyKeys[] = {"ignoredExitCodes", "restartAttemptPeriod"};

bool says_something(text::Value member) {
  return member && !member.is_null() && !(member.is_array() && member.size() == 0);
}

/// Elsewhere than on Fargate only a time below zero is certain to be a mistake.
bool is_too_short(const Context& ctx, const IntegerField& timeout) {
  const std::int64_t least = ctx.targets(Compatibility::kFargate) ? kLeastTimeout : 0;
  return *timeout < least && fits_32_bits(*timeout);
}

bool is_too_long(const Context& ctx, const IntegerField& timeout) {
  return ctx.targets(Compatibility::kFargate) && *timeout > kMostFargateTimeout && fits_32_bits(*timeout);
}

void report_too_short(const Context& ctx, Emitter& emit, const IntegerField& timeout, std::string_view key) {
  auto report = emit.at(timeout);
  report.severity(Severity::kWarning);
  if (ctx.targets(Compatibility::kFargate)) {
    report
        .says("{} must be {} seconds or more on Fargate according to the documentation, got {}", key, kLeastTimeout,
              *timeout)
        .help("use {} or more, or delete it", kLeastTimeout);
  } else {
    report.says("{} must not be negative, got {}", key, *timeout).help("delete it, or use a number of seconds");
  }
}

void restart_period(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    check_range(ctx, emit, container.restart_policy, kRestartAttemptPeriod);
  }
}

void restart_exit_codes(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const text::Value policy = container.restart_policy;
    if (!policy || !policy.is_object()) continue;
    const text::Value codes = policy.find("ignoredExitCodes");
    if (codes && codes.is_array() && codes.size() > kMostExitCodes) {
      emit.at_key(codes)
          .says("ignoredExitCodes has {} codes; the documented maximum is {}", codes.size(), kMostExitCodes)
          .help("keep only exit codes that the program uses");
    }
    const auto enabled = model::boolean_field(policy, "enabled", ctx.placeholders);
    if (!emit.knows(enabled) || *enabled) continue;
    for (const auto key : kPolicyKeys) {
      const text::Value member = policy.find(key);
      if (!says_something(member)) continue;
      emit.at_key(member)
          .severity(Severity::kInfo)
          .says("{} has no effect because the restart policy is disabled", key)
          .help("set \"enabled\": true, or delete restartPolicy")
          .related(enabled.node, "disabled here");
      break;
    }
  }
}

void start_timeout(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const auto& timeout = container.start_timeout;
    if (!emit.knows(timeout)) continue;
    if (is_too_short(ctx, timeout)) {
      report_too_short(ctx, emit, timeout, "startTimeout");
    } else if (is_too_long(ctx, timeout)) {
      emit.at(timeout)
          .says("startTimeout must be {} to {} seconds on Fargate according to the documentation, got {}",
                kLeastTimeout, kMostFargateTimeout, *timeout)
          .help("use {}", kMostFargateTimeout);
    }
  }
}

void stop_timeout(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    const auto& timeout = container.stop_timeout;
    if (!emit.knows(timeout)) continue;
    if (is_too_short(ctx, timeout)) {
      report_too_short(ctx, emit, timeout, "stopTimeout");
    } else if (is_too_long(ctx, timeout)) {
      emit.at(timeout)
          .says("stopTimeout must be {} seconds or less on Fargate, got {}", kMostFargateTimeout, *timeout)
          .help("use {}, the maximum on Fargate", kMostFargateTimeout);
    }
  }
}

}  // namespace

std::span<const Rule> restart_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY720", kTaskDefinition, restart_period},
      {"BAY721", kTaskDefinition, restart_exit_codes},
      {"BAY725", kTaskDefinition, start_timeout},
      {"BAY726", kTaskDefinition, stop_timeout},
  };
  return kRules;
}

}  // namespace bayplan::rules

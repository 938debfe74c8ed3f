// dockerSecurityOptions of a container.
#include <array>

#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;

/// ContainerDefinition.dockerSecurityOptions: the valid values, 2026-08.
constexpr std::string_view kNoNewPrivileges = "no-new-privileges";
constexpr std::array<std::string_view, 3> kKinds{"apparmor", "label", "credentialspec"};

/// "label" of "label:type:x" or of Docker's older "label=type:x"; empty without a value behind it.
std::string_view kind_of(std::string_view option, std::string_view separators) {
  const std::size_t end = option.find_first_of(separators);
  return end == std::string_view::npos || end + 1 == option.size() ? std::string_view() : option.substr(0, end);
}

bool is_kind(std::string_view word) {
  return is_among(word, kKinds);
}

bool is_security_option(std::string_view option) {
  return option == kNoNewPrivileges || is_kind(kind_of(option, ":"));
}

/// Where the option would be read: Fargate refuses all of them (BAY806), Managed Instances take none (BAY870).
bool is_read(const Context& ctx) {
  return !ctx.targets(Compatibility::kFargate) && !ctx.targets(Compatibility::kManagedInstances);
}

void security_option(const Context& ctx, Emitter& emit) {
  if (!is_read(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& option : container.docker_security_options) {
      if (!emit.knows(option) || is_security_option(*option)) continue;
      auto report = emit.at(option);
      report.says("unknown security option {}", json_quoted(*option));
      if (is_kind(kind_of(*option, "="))) {
        std::string meant(*option);
        meant[meant.find('=')] = ':';
        report.help("use {}", json_quoted(meant)).fix(option.span(), json_quoted(meant));
      } else {
        report.help("use one of no-new-privileges, apparmor:PROFILE, label:VALUE or credentialspec:FILE");
      }
    }
  }
}

}  // namespace

std::span<const Rule> security_option_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY770", kTaskDefinition, security_option},
  };
  return kRules;
}

}  // namespace bayplan::rules

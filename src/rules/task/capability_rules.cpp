// linuxParameters.capabilities.
#include <algorithm>
#include <array>

#include <fmt/core.h>

#include "base/edit_distance.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/task/platform.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::StringField;

/// KernelCapabilities.add and .drop: the valid values, 2026-08.
constexpr std::array<std::string_view, 38> kKernelCapabilities{
    "ALL",       "AUDIT_CONTROL",    "AUDIT_WRITE", "BLOCK_SUSPEND", "CHOWN",     "DAC_OVERRIDE",
    "FOWNER",    "DAC_READ_SEARCH",  "FSETID",      "IPC_LOCK",      "IPC_OWNER", "KILL",
    "LEASE",     "LINUX_IMMUTABLE",  "MAC_ADMIN",   "MAC_OVERRIDE",  "MKNOD",     "NET_ADMIN",
    "NET_RAW",   "NET_BIND_SERVICE", "SETFCAP",     "NET_BROADCAST", "SETGID",    "SETPCAP",
    "SETUID",    "SYS_ADMIN",        "SYS_BOOT",    "SYS_CHROOT",    "SYS_NICE",  "SYS_MODULE",
    "SYS_PACCT", "SYS_PTRACE",       "SYS_RAWIO",   "SYS_RESOURCE",  "SYS_TIME",  "SYS_TTY_CONFIG",
    "SYSLOG",    "WAKE_ALARM"};

constexpr std::string_view kCapabilityPrefix = "CAP_";

/// The one that Fargate adds (KernelCapabilities.add, 2026-08).
constexpr std::string_view kFargateName = "SYS_PTRACE";

template <class Function>
void each_capability(const Context& ctx, std::string_view list, Function visit) {
  for (const auto& container : ctx.task.container_definitions) {
    const text::Value parameters = container.linux_parameters;
    const text::Value capabilities = parameters ? parameters.find("capabilities") : text::Value();
    for (const auto& name : model::string_list(capabilities, list, ctx.placeholders)) visit(name);
  }
}

bool is_capability(std::string_view name) {
  return is_among(name, kKernelCapabilities);
}

/// Converts to uppercase and removes the prefix of the kernel's spelling.
std::string plain(std::string_view written) {
  std::string name(trim(written));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  if (name.starts_with(kCapabilityPrefix)) name.erase(0, kCapabilityPrefix.size());
  return name;
}

void check_name(Emitter& emit, const StringField& name) {
  if (!emit.knows(name) || is_capability(*name)) return;
  auto report = emit.at(name);
  const std::string meant = plain(*name);
  if (!is_capability(meant)) {
    report.says("unknown capability {}", json_quoted(*name));
    const auto near = nearest(meant, {kKernelCapabilities.begin(), kKernelCapabilities.end()});
    report.help(near ? fmt::format("did you mean \"{}\"?", *near) : "delete it, or check the spelling");
    return;
  }
  const bool has_prefix = lower(*name).starts_with(lower(kCapabilityPrefix));
  report.says("capability {} must be {}", json_quoted(*name), has_prefix ? "written without CAP_" : "uppercase")
      .help("use \"{}\"", meant)
      .fix(name.span(), json_quoted(meant));
}

void capability_name(const Context& ctx, Emitter& emit) {
  if (is_windows(ctx)) return;
  each_capability(ctx, "add", [&](const StringField& name) { check_name(emit, name); });
  each_capability(ctx, "drop", [&](const StringField& name) { check_name(emit, name); });
}

void capability_add_fargate(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(model::Compatibility::kFargate)) return;
  each_capability(ctx, "add", [&](const StringField& name) {
    if (!emit.knows(name) || name->empty() || plain(*name) == kFargateName) return;  // "": skeletons write it
    emit.at(name)
        .says("Fargate supports adding only {}, got {}", kFargateName, *name)
        .help("delete it, or run on EC2 only");
  });
}

}  // namespace

std::span<const Rule> capability_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY740", kTaskDefinition, capability_name},
      {"BAY741", kTaskDefinition, capability_add_fargate},
  };
  return kRules;
}

}  // namespace bayplan::rules

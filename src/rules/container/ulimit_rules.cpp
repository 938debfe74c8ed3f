// ulimits of a container.
#include <array>
#include <map>

#include "base/edit_distance.hpp"
#include "base/json_writer.hpp"
#include "base/strings.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Ulimit;

/// UlimitName of the API model, 2026-08.
constexpr std::array<std::string_view, 15> kUlimitNames{"core",    "cpu",      "data",   "fsize",      "locks",
                                                        "memlock", "msgqueue", "nice",   "nofile",     "nproc",
                                                        "rss",     "rtprio",   "rttime", "sigpending", "stack"};

/// The largest hard limit of nofile that was seen to work on Fargate
/// (https://github.com/reown-com/blockchain-api/pull/1183).
constexpr std::int64_t kMostOpenFilesSeen = 1048576;

constexpr std::int64_t kNoLimit = -1;

template <class Function>
void each_ulimit(const Context& ctx, Function visit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& ulimit : container.ulimits) visit(ulimit);
  }
}

std::vector<std::string_view> all_ulimit_names() {
  return {kUlimitNames.begin(), kUlimitNames.end()};
}

bool is_ulimit_name(std::string_view name) {
  return is_among(name, kUlimitNames);
}

/// RLIMIT_NOFILE and NOFILE are nofile; a slip of the keys is its nearest name.
std::optional<std::string_view> name_meant(std::string_view written) {
  constexpr std::string_view kKernelPrefix = "rlimit_";
  std::string name = lower(trim(written));
  if (name.starts_with(kKernelPrefix)) name.erase(0, kKernelPrefix.size());
  return nearest(name, all_ulimit_names());
}

std::string limit_text(std::int64_t limit) {
  return limit == kNoLimit ? "-1 (no limit)" : std::to_string(limit);
}

void ulimit_name(const Context& ctx, Emitter& emit) {
  each_ulimit(ctx, [&](const Ulimit& ulimit) {
    if (!ulimit.name.present() || !emit.knows(ulimit.name) || is_ulimit_name(*ulimit.name)) return;
    auto report = emit.at(ulimit.name);
    report.says("invalid ulimit name {}", json_quoted(*ulimit.name));
    if (const auto meant = name_meant(*ulimit.name)) {
      const bool only_case = equal_ignoring_case(*ulimit.name, *meant);
      report.help("use \"{}\"", *meant).fix(ulimit.name.span(), json_quoted(*meant), only_case);
    } else {
      report.help("use one of {}", one_of(all_ulimit_names()));
    }
  });
}

void ulimit_soft_over_hard(const Context& ctx, Emitter& emit) {
  each_ulimit(ctx, [&](const Ulimit& ulimit) {
    const auto& soft = ulimit.soft_limit;
    const auto& hard = ulimit.hard_limit;
    if (!emit.knows(soft) || !emit.knows(hard) || *hard < 0) return;
    const bool is_unlimited = *soft == kNoLimit;
    if (!is_unlimited && *soft <= *hard) return;
    auto report = emit.at(soft);
    report.related(hard.node, "the hard limit");
    if (is_unlimited) {
      report.severity(Severity::kWarning)
          .says("softLimit -1 (no limit) exceeds hardLimit {}", *hard)
          .help("use {}, or -1 for both", *hard);
    } else {
      report.says("softLimit {} exceeds hardLimit {}", *soft, *hard).help("use {} or less, or raise hardLimit", *hard);
    }
  });
}

void ulimit_duplicate(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    std::map<std::string_view, text::Value> first;
    for (const auto& ulimit : container.ulimits) {
      if (!emit.knows(ulimit.name)) continue;
      const auto [seen, is_new] = first.emplace(*ulimit.name, ulimit.name.node);
      if (is_new) continue;
      emit.at(ulimit.name)
          .says("duplicate ulimit \"{}\"", *ulimit.name)
          .help("keep one of them")
          .related(seen->second, "first defined here");
    }
  }
}

void ulimit_fargate(const Context& ctx, Emitter& emit) {
  if (!ctx.targets(model::Compatibility::kFargate)) return;
  each_ulimit(ctx, [&](const Ulimit& ulimit) {
    if (!emit.knows(ulimit.name) || !is_ulimit_name(*ulimit.name)) return;
    if (*ulimit.name != "nofile") {
      emit.at(ulimit.name)
          .says("ulimit \"{}\" has no effect on Fargate according to the documentation; only nofile can be changed",
                *ulimit.name)
          .help("delete the entry");
      return;
    }
    const auto& limit = ulimit.hard_limit;
    if (!emit.knows(limit) || (*limit >= 0 && *limit <= kMostOpenFilesSeen)) return;
    emit.at(limit)
        .severity(Severity::kWarning)
        .says("nofile hardLimit is {}; the largest value known to work on Fargate is {}", limit_text(*limit),
              kMostOpenFilesSeen)
        .help("use {} or less", kMostOpenFilesSeen);
  });
}

}  // namespace

std::span<const Rule> ulimit_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY730", kTaskDefinition, ulimit_name},
      {"BAY731", kTaskDefinition, ulimit_soft_over_hard},
      {"BAY732", kTaskDefinition, ulimit_duplicate},
      {"BAY733", kTaskDefinition, ulimit_fargate},
  };
  return kRules;
}

}  // namespace bayplan::rules

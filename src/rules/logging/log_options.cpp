#include "rules/logging/log_options.hpp"

#include <algorithm>
#include <array>

#include "base/edit_distance.hpp"
#include "base/strings.hpp"
#include "rules/file/spelling.hpp"

namespace bayplan::rules {
namespace {

using model::LogConfiguration;
using text::Value;

constexpr std::array<std::string_view, 8> kAwslogsOptions{
    "awslogs-create-group", "awslogs-datetime-format", "awslogs-group", "awslogs-multiline-pattern",
    "awslogs-region",       "awslogs-stream-prefix",   "mode",          "max-buffer-size"};

/// Counts a placeholder in place of names as skipped; a rule of shape reports a value of the wrong type.
bool can_be_read(const Context& ctx, Value value, text::Kind kind, Emitter& emit) {
  if (!is_there(value)) return true;
  if (ctx.placeholders.holds(value)) emit.skip(value);
  return value.kind() == kind && !ctx.placeholders.holds(value);
}

std::string as_option_name(std::string_view name) {
  std::string result = lower(trim(name));
  std::replace(result.begin(), result.end(), '_', '-');
  return result;
}

}  // namespace

bool lists_its_options(const Context& ctx, const LogConfiguration& log, Emitter& emit) {
  const Value secrets = log.node.find("secretOptions");
  if (!is_there(log.options) && is_spelled_otherwise(log.node, "options")) return false;
  if (!can_be_read(ctx, log.options, text::Kind::kObject, emit)) return false;
  if (!can_be_read(ctx, secrets, text::Kind::kArray, emit)) return false;
  if (is_there(log.options)) {
    for (const Value member : log.options.children()) {
      if (!ctx.placeholders.find(member.key())) continue;
      emit.skip(member);
      return false;
    }
  }
  return std::all_of(log.secret_options.begin(), log.secret_options.end(),
                     [&](const auto& secret) { return emit.knows(secret.name); });
}

bool gives(const LogConfiguration& log, std::string_view name) {
  if (is_there(log.options.find(name))) return true;
  return std::any_of(log.secret_options.begin(), log.secret_options.end(),
                     [&](const auto& secret) { return secret.name && *secret.name == name; });
}

model::StringField option(const Context& ctx, const LogConfiguration& log, std::string_view name) {
  return model::string_field(log.options, name, ctx.placeholders);
}

bool is_awslogs_option(std::string_view name) {
  return is_among(name, kAwslogsOptions);
}

std::string_view awslogs_option_meant(std::string_view name) {
  constexpr std::size_t kSlips = 2;
  if (is_awslogs_option(name)) return {};
  const std::string word = as_option_name(name);
  for (const auto candidate : kAwslogsOptions) {
    const std::size_t slips = candidate.size() < 6 ? 1 : kSlips;
    if (edit_distance(word, candidate, slips) <= slips) return candidate;
  }
  return {};
}

}  // namespace bayplan::rules

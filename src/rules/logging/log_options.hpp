#pragma once
#include <string_view>

#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

/// Whether every name in the options of the log configuration is known: a placeholder for the whole map, for a key, or
/// among secretOptions may be any option. Such a place counts as skipped.
bool lists_its_options(const Context& ctx, const model::LogConfiguration& log, Emitter& emit);

/// Whether it is given; null is not.
inline bool is_there(text::Value value) {
  return value && !value.is_null();
}

/// Whether the option is given, openly or by secretOptions; null is not.
bool gives(const model::LogConfiguration& log, std::string_view name);

/// The member of `options` of that name; absent when there is none, or no options.
model::StringField option(const Context& ctx, const model::LogConfiguration& log, std::string_view name);

/// The options that awslogs takes (RegisterTaskDefinition, LogConfiguration.options, 2026-08).
bool is_awslogs_option(std::string_view name);
/// The option of awslogs that `name` was meant to be: another case, `_` for `-`, a slip of the keys; empty when none.
std::string_view awslogs_option_meant(std::string_view name);

/// Calls `visit(container, log)` for each log configuration with the driver.
template <class Function>
void each_log_of(const Context& ctx, std::string_view driver, Function visit) {
  for (const auto& container : ctx.task.container_definitions) {
    const auto& log = container.log_configuration;
    if (log && log->log_driver && *log->log_driver == driver) visit(container, *log);
  }
}

}  // namespace bayplan::rules

#pragma once
#include <string_view>

#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

/// Whether the definition is known to name no execution role: absent, and not misspelt.
bool lacks_execution_role(const Context& ctx);

/// Says that the role is missing, and what needs it: `need` in words, `reason` as its position.
void miss_execution_role(const Context& ctx, Emitter& emit, std::string_view need, text::Value reason,
                         Severity severity);

/// Whether one of the patterns ("s3:Get*"), which blanks separate, allows the action.
bool is_allowed(std::string_view action, std::string_view patterns);

}  // namespace bayplan::rules

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

}  // namespace bayplan::rules

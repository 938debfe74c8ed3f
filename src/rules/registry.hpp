#pragma once
#include <span>
#include <string_view>

#include "rules/context.hpp"
#include "rules/emitter.hpp"

namespace bayplan::rules {

/// Detection of one fault. Words and severity live in data/rules.json under the same code.
struct Rule {
  std::string_view code;
  void (*check)(const Context& ctx, Emitter& emit);
};

/// Every rule that is built, in code order.
std::span<const Rule> registry();

}  // namespace bayplan::rules

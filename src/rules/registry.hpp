#pragma once
#include <span>
#include <string_view>

#include "rules/context.hpp"
#include "rules/emitter.hpp"
#include "rules/service/service_context.hpp"

namespace bayplan::rules {

/// Detection of one fault. Words and severity live in data/rules.json under the same code.
struct Rule {
  using Check = void (*)(const Context& ctx, Emitter& emit);
  using ServiceCheck = void (*)(const ServiceContext& ctx, Emitter& emit);

  constexpr Rule(std::string_view name, Check of_file) : code(name), check(of_file) {}
  constexpr Rule(std::string_view name, ServiceCheck of_service) : code(name), check_service(of_service) {}

  std::string_view code;
  Check check = nullptr;                 ///< Checks one file.
  ServiceCheck check_service = nullptr;  ///< Checks one service or RunTask call; a rule has one of the two functions.
};

/// Every rule that is built, in code order.
std::span<const Rule> registry();

}  // namespace bayplan::rules

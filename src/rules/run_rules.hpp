#pragma once
#include <span>

#include "rules/registry.hpp"

namespace bayplan::rules {

/// The scopes that a file, a part of one, or the services of a scenario have.
class Scopes {
 public:
  constexpr Scopes(std::initializer_list<Scope> scopes) {
    for (const Scope scope : scopes) add(scope);
  }

  constexpr void add(Scope scope) { bits_ |= bit_of(scope); }
  constexpr bool contains(Scope scope) const { return (bits_ & bit_of(scope)) != 0; }

 private:
  static constexpr unsigned bit_of(Scope scope) { return 1U << static_cast<unsigned>(scope); }

  unsigned bits_ = 0;
};

/// What the rules read in one run.
struct RuleInput {
  Scopes scopes;
  const Context* file = nullptr;             ///< Set for every scope except that of services.
  std::span<const ServiceContext> services;  ///< The services or the RunTask call in it.
  bool is_skeleton = false;                  ///< The AWS CLI wrote it, and no name is filled in.
};

/// The scopes of a definition, a service or a file that is neither.
Scopes scopes_of(const Context& file);

/// Runs every rule whose scope the input has, in code order.
Findings run_rules(const RuleInput& input, const Lazy<RuleData>& data, const model::Placeholders& placeholders);

}  // namespace bayplan::rules

#pragma once
#include <vector>

#include "packing/money.hpp"

namespace bayplan::packing {

/// What a task may cost, and what one more bin of a limited type or one more unit of a budget would save.
struct Duals {
  std::vector<NanoUsd> worth;          ///< One a shape.
  std::vector<NanoUsd> charge;         ///< One a type; 0 where there is no limit.
  std::vector<NanoUsd> budget_charge;  ///< One entry per budget: the charge for a unit of its weights.
  std::vector<NanoUsd>
      rule_worth;  ///< Dual values of the search tree's rules, less than 0 for "at most"; none in a certificate.
};

/// What a bin of the type costs with all charges.
NanoUsd charged_price(const PackingProblem& problem, const Duals& duals, std::size_t type);

/// A proof that no packing costs less: no bin type holds tasks worth more than its price and charges.
struct Certificate {
  Duals duals;
  NanoUsd bound = 0;  ///< What all tasks are worth, less the charges of all limits and budgets; not rounded up.
};

/// One that proves nothing.
Certificate no_certificate(const PackingProblem& problem);

}  // namespace bayplan::packing

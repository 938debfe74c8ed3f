#include "packing/safe_bound.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace bayplan::packing {
namespace {

__extension__ using Wide = __int128;

/// A part of the duals, at most 1.
struct Factor {
  NanoUsd numerator = 1;
  NanoUsd denominator = 1;

  bool operator<(const Factor& other) const {
    return Wide{numerator} * other.denominator < Wide{other.numerator} * denominator;
  }
  NanoUsd down(NanoUsd value) const {
    return value < 0 ? -up(-value) : static_cast<NanoUsd>(Wide{value} * numerator / denominator);
  }
  NanoUsd up(NanoUsd value) const {
    return static_cast<NanoUsd>((Wide{value} * numerator + denominator - 1) / denominator);
  }
};

/// Factors at which some type is worth just its price, none more than an unlimited type allows; greatest first.
/// `prices`: by type, with the charges of the budgets.
std::vector<Factor> factors_of(const PackingProblem& problem, const std::vector<NanoUsd>& prices,
                               const std::vector<NanoUsd>& upper_bounds) {
  Factor greatest;
  std::vector<Factor> factors;
  for (std::size_t t = 0; t < prices.size(); ++t) {
    if (upper_bounds[t] <= prices[t]) continue;
    const Factor factor{prices[t], upper_bounds[t]};
    if (problem.types[t].limit != kUnlimited) {
      factors.push_back(factor);
    } else if (factor < greatest) {
      greatest = factor;
    }
  }
  std::erase_if(factors, [&](const Factor& factor) { return !(factor < greatest); });
  factors.push_back(greatest);
  std::sort(factors.begin(), factors.end(), [](const Factor& a, const Factor& b) { return b < a; });
  return factors;
}

}  // namespace

Certificate best_certificate(const PackingProblem& problem, const Duals& duals,
                             const std::vector<NanoUsd>& upper_bounds, const std::vector<PatternRule>& rules) {
  Duals uncharged = duals;
  uncharged.charge.assign(problem.types.size(), 0);
  std::vector<NanoUsd> prices;
  for (std::size_t t = 0; t < problem.types.size(); ++t) prices.push_back(charged_price(problem, uncharged, t));

  // The certificate with a part of the duals: limited types are charged for what a bin is worth above its price.
  const auto certificate_at = [&](const Factor& factor) {
    Certificate certificate{duals, 0};
    for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
      certificate.duals.worth[s] = factor.down(duals.worth[s]);
      certificate.bound += certificate.duals.worth[s] * problem.shapes[s].count;
    }
    for (std::size_t r = 0; r < rules.size(); ++r) {
      certificate.duals.rule_worth[r] = factor.down(duals.rule_worth[r]);
      certificate.bound += certificate.duals.rule_worth[r] * rules[r].limit;
    }
    for (std::size_t t = 0; t < prices.size(); ++t) {
      const NanoUsd charge = std::max<NanoUsd>(0, factor.up(upper_bounds[t]) - prices[t]);
      certificate.duals.charge[t] = charge;
      if (charge > 0) certificate.bound -= charge * problem.types[t].limit;
    }
    for (std::size_t b = 0; b < problem.budgets.size(); ++b)
      certificate.bound -= duals.budget_charge[b] * problem.budgets[b].limit;
    return certificate;
  };

  // The bound is concave in the factor: from the greatest one down as long as it rises.
  std::optional<Certificate> best;
  for (const Factor& factor : factors_of(problem, prices, upper_bounds)) {
    Certificate candidate = certificate_at(factor);
    if (best && candidate.bound <= best->bound) break;
    best = std::move(candidate);
  }
  return std::move(best).value_or(Certificate{});
}

}  // namespace bayplan::packing

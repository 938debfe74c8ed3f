#include "packing/safe_bound.hpp"

#include <algorithm>

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

class SafeBound {
 public:
  SafeBound(const PackingProblem& problem, const Duals& duals, const std::vector<NanoUsd>& upper_bounds,
            const std::vector<PatternRule>& rules)
      : problem_(problem), duals_(duals), upper_bounds_(upper_bounds), rules_(rules) {
    Duals uncharged = duals;
    uncharged.charge.assign(problem.types.size(), 0);
    for (std::size_t t = 0; t < problem.types.size(); ++t) prices_.push_back(charged_price(problem, uncharged, t));
  }

  /// The bound is concave in the factor: from the greatest one down as long as it rises.
  Certificate best() const {
    Certificate best;
    bool is_first = true;
    for (const Factor& factor : factors()) {
      Certificate candidate = at(factor);
      if (!is_first && candidate.bound <= best.bound) break;
      best = std::move(candidate);
      is_first = false;
    }
    return best;
  }

 private:
  /// Factors at which some type is worth just its price, none more than an unlimited type allows; greatest first.
  std::vector<Factor> factors() const {
    Factor greatest;
    std::vector<Factor> factors;
    for (std::size_t t = 0; t < prices_.size(); ++t) {
      if (upper_bounds_[t] <= prices_[t]) continue;
      const Factor factor{prices_[t], upper_bounds_[t]};
      if (problem_.types[t].limit != kUnlimited) {
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

  Certificate at(const Factor& factor) const {
    Certificate certificate{duals_, 0};
    for (std::size_t s = 0; s < problem_.shapes.size(); ++s) {
      certificate.duals.worth[s] = factor.down(duals_.worth[s]);
      certificate.bound += certificate.duals.worth[s] * problem_.shapes[s].count;
    }
    for (std::size_t r = 0; r < rules_.size(); ++r) {
      certificate.duals.rule_worth[r] = factor.down(duals_.rule_worth[r]);
      certificate.bound += certificate.duals.rule_worth[r] * rules_[r].limit;
    }
    for (std::size_t t = 0; t < prices_.size(); ++t) {
      const NanoUsd charge = std::max<NanoUsd>(0, factor.up(upper_bounds_[t]) - prices_[t]);
      certificate.duals.charge[t] = charge;
      if (charge > 0) certificate.bound -= charge * problem_.types[t].limit;
    }
    for (std::size_t b = 0; b < problem_.budgets.size(); ++b) {
      certificate.bound -= duals_.budget_charge[b] * problem_.budgets[b].limit;
    }
    return certificate;
  }

  const PackingProblem& problem_;
  const Duals& duals_;
  const std::vector<NanoUsd>& upper_bounds_;
  const std::vector<PatternRule>& rules_;
  std::vector<NanoUsd> prices_;  ///< One entry per type: its price with the charges of the budgets.
};

}  // namespace

Certificate best_certificate(const PackingProblem& problem, const Duals& duals,
                             const std::vector<NanoUsd>& upper_bounds, const std::vector<PatternRule>& rules) {
  return SafeBound(problem, duals, upper_bounds, rules).best();
}

}  // namespace bayplan::packing

#include <algorithm>
#include <numeric>

#include "packing/check_bin.hpp"
#include "packing/verify_packing.hpp"

namespace bayplan::packing {
namespace {

__extension__ using Wide = __int128;

/// A unit of a resource is worth little: its price is in parts of a NanoUsd.
constexpr std::int64_t kFinest = 1024;
/// Limit for all tasks in one bin; there are up to eight resources, and each may be worth as much again.
constexpr Wide kMaxAmount = Wide{1} << 57;

/// What the duals prove, if no bin breaks them; nothing when one is below 0.
std::optional<Wide> compute_bound(const PackingProblem& problem, const Duals& duals) {
  Wide bound = 0;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    if (duals.worth[s] < 0) return std::nullopt;
    bound += Wide{duals.worth[s]} * problem.shapes[s].count;
  }
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    if (duals.charge[t] < 0) return std::nullopt;
    if (duals.charge[t] > 0) bound -= Wide{duals.charge[t]} * problem.types[t].limit;
  }
  for (std::size_t b = 0; b < problem.budgets.size(); ++b) {
    if (duals.budget_charge[b] < 0) return std::nullopt;
    bound -= Wide{duals.budget_charge[b]} * problem.budgets[b].limit;
  }
  return bound;
}

/// What the tasks in a bin of the type may be worth.
Wide most_worth(const PackingProblem& problem, const Duals& duals, std::size_t type) {
  Wide worth = Wide{problem.types[type].price} * kNanoUsdPerMicroUsd + duals.charge[type];
  for (std::size_t b = 0; b < problem.budgets.size(); ++b) {
    worth += Wide{duals.budget_charge[b]} * problem.budgets[b].weights[type];
  }
  return worth;
}

bool takes(const Shape& shape, std::size_t type) {
  return shape.allowed.empty() || shape.allowed[type];
}

bool is_as_large(const PackingProblem& problem, std::size_t a, std::size_t b) {
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (problem.types[a].capacity[d] < problem.types[b].capacity[d]) return false;
  }
  return true;
}

/// Whether every bin of `b` can as well be one of `a`.
bool replaces(const PackingProblem& problem, std::size_t a, std::size_t b) {
  if (problem.types[a].limit != kUnlimited || problem.types[a].price > problem.types[b].price) return false;
  for (const Budget& budget : problem.budgets) {
    if (budget.weights[a] > budget.weights[b]) return false;
  }
  if (!is_as_large(problem, a, b)) return false;
  for (const Shape& shape : problem.shapes) {
    if (takes(shape, b) && !takes(shape, a)) return false;
  }
  return true;
}

bool holds_some_task(const PackingProblem& problem, std::size_t type) {
  for (const Shape& shape : problem.shapes) {
    bool fits = shape.count > 0 && shape.most_per_bin > 0 && takes(shape, type);
    for (std::size_t d = 0; d < problem.dimensions && fits; ++d)
      fits = shape.size[d] <= problem.types[type].capacity[d];
    if (fits) return true;
  }
  return false;
}

/// Some cheapest packing costs a multiple of it: bins that others can replace, and those for no task, are left out.
MicroUsd common_step(const PackingProblem& problem) {
  MicroUsd step = 0;
  for (std::size_t b = 0; b < problem.types.size(); ++b) {
    // What the step divides already changes nothing: of a thousand types, few are left to compare with all others.
    const bool divides = step != 0 && problem.types[b].price % step == 0;
    bool is_needed = !divides && holds_some_task(problem, b);
    for (std::size_t a = 0; a < problem.types.size() && is_needed; ++a) {
      is_needed = a == b || !replaces(problem, a, b) || (a > b && replaces(problem, b, a));
    }
    if (is_needed) step = std::gcd(step, problem.types[b].price);
  }
  return std::max<MicroUsd>(step, 1);
}

bool covers(const PackingProblem& problem, const Duals& duals, const std::vector<Wide>& most_worth, std::size_t a,
            std::size_t b) {
  if (most_worth[a] > most_worth[b] || !is_as_large(problem, a, b)) return false;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    const Shape& shape = problem.shapes[s];
    if (duals.worth[s] > 0 && takes(shape, b) && !takes(shape, a)) return false;
  }
  return true;
}

/// Whether another type takes every filling of this one and may be worth no more: what holds for it holds here.
/// `by_worth`: all types, those that may be worth the least first.
bool is_covered(const PackingProblem& problem, const Duals& duals, const std::vector<Wide>& most_worth,
                const std::vector<std::size_t>& by_worth, std::size_t type) {
  for (const std::size_t other : by_worth) {
    if (most_worth[other] > most_worth[type]) return false;
    if (other != type && covers(problem, duals, most_worth, other, type) &&
        (other < type || !covers(problem, duals, most_worth, type, other)))
      return true;
  }
  return false;
}

std::int64_t most_copies(const PackingProblem& problem, const Duals& duals, std::size_t s, std::size_t type) {
  const Shape& shape = problem.shapes[s];
  if (duals.worth[s] == 0 || !takes(shape, type)) return 0;
  std::int64_t most = std::min({shape.count, shape.most_per_bin, shape.tokens == 0 ? kUnlimited : 1});
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    if (shape.size[d] > 0) most = std::min(most, problem.types[type].capacity[d] / shape.size[d]);
  }
  return most;
}

Verdict check_type(const PackingProblem& problem, const Duals& duals, const std::vector<Wide>& most_worth,
                   std::size_t type, std::size_t most_states) {
  const Wide finest = kMaxAmount / ((most_worth[type] + 1) * static_cast<Wide>(problem.shapes.size() + 1));
  const auto scale = static_cast<std::int64_t>(std::min<Wide>(finest, kFinest));
  if (scale == 0) return Verdict::kTooHard;
  CheckedBin bin{
      problem.dimensions, problem.types[type].capacity, static_cast<std::int64_t>(most_worth[type]) * scale, {}};
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    const std::int64_t most = most_copies(problem, duals, s, type);
    if (most <= 0) continue;
    if (Wide{duals.worth[s]} * most > most_worth[type]) return Verdict::kFails;
    bin.items.push_back({problem.shapes[s].size, duals.worth[s] * scale, most, problem.shapes[s].tokens});
  }
  return check_bin(std::move(bin), most_states);
}

}  // namespace

Verdict check(const PackingProblem& problem, const Certificate& certificate, std::size_t most_states) {
  const Duals& duals = certificate.duals;
  const bool has_all_values = duals.worth.size() == problem.shapes.size() &&
                              duals.charge.size() == problem.types.size() &&
                              duals.budget_charge.size() == problem.budgets.size();
  if (!has_all_values) return Verdict::kFails;
  const auto bound = compute_bound(problem, duals);
  if (!bound || certificate.bound > *bound) return Verdict::kFails;
  std::vector<Wide> most_worth_by_type;
  for (std::size_t t = 0; t < problem.types.size(); ++t) most_worth_by_type.push_back(most_worth(problem, duals, t));
  std::vector<std::size_t> by_worth(problem.types.size());
  std::iota(by_worth.begin(), by_worth.end(), std::size_t{0});
  std::stable_sort(by_worth.begin(), by_worth.end(),
                   [&](auto a, auto b) { return most_worth_by_type[a] < most_worth_by_type[b]; });
  Verdict verdict = Verdict::kHolds;
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    if (is_covered(problem, duals, most_worth_by_type, by_worth, t)) continue;
    const Verdict of_type = check_type(problem, duals, most_worth_by_type, t, most_states);
    if (of_type == Verdict::kFails) return of_type;
    if (of_type == Verdict::kTooHard) verdict = of_type;
  }
  return verdict;
}

MicroUsd least_cost(const PackingProblem& problem, const Certificate& certificate) {
  if (certificate.bound <= 0) return 0;
  const Wide step = common_step(problem);
  const Wide fine = step * kNanoUsdPerMicroUsd;
  return static_cast<MicroUsd>((certificate.bound + fine - 1) / fine * step);
}

}  // namespace bayplan::packing

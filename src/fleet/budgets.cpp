#include "fleet/budgets.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

#include "fleet/vcpu_quota.hpp"

namespace bayplan::fleet {

using packing::Budget;

namespace {

/// An offer, or the instances that stand alike.
using Supply = std::tuple<std::uint32_t, std::optional<std::uint32_t>>;

Supply supply_of(const BinOrigin& bin) {
  if (bin.standing.empty()) return {bin.offer, std::nullopt};
  return {bin.offer, bin.standing.front()};
}

std::int64_t limit_of_supply(const Market& market, const BinOrigin& bin) {
  if (!bin.standing.empty()) return static_cast<std::int64_t>(bin.standing.size());
  return market.offers[bin.offer].limit;
}

/// Without those that stand: they are there whether they are used or not.
template <class Weight>
Budget budget_of(const Market& market, std::int64_t limit, const std::vector<BinOrigin>& bins, Weight weight) {
  Budget budget;
  budget.limit = limit;
  for (const BinOrigin& bin : bins)
    budget.weights.push_back(bin.standing.empty() ? weight(market.offers[bin.offer]) : 0);
  return budget;
}

void add_unless_idle(Budget budget, std::vector<Budget>& budgets) {
  const auto& weights = budget.weights;
  if (std::any_of(weights.begin(), weights.end(), [](std::int64_t weight) { return weight > 0; }))
    budgets.push_back(std::move(budget));
}

void limit_supplies(const Market& market, const std::vector<BinOrigin>& bins, packing::PackingProblem& problem) {
  std::map<Supply, std::vector<std::size_t>> types;
  for (std::size_t type = 0; type < bins.size(); ++type) types[supply_of(bins[type])].push_back(type);
  for (const auto& [supply, own] : types) {
    const std::int64_t limit = limit_of_supply(market, bins[own.front()]);
    if (limit == packing::kUnlimited) continue;
    if (own.size() == 1) {
      problem.types[own.front()].limit = limit;
      continue;
    }
    Budget budget{std::vector<std::int64_t>(bins.size()), limit};
    for (const std::size_t type : own) budget.weights[type] = 1;
    problem.budgets.push_back(std::move(budget));
  }
}

/// A type of which a budget has no room for one: the search need not find that out.
void forbid_too_large(packing::PackingProblem& problem) {
  for (const Budget& budget : problem.budgets) {
    for (std::size_t type = 0; type < problem.types.size(); ++type) {
      if (budget.weights[type] > budget.limit) problem.types[type].limit = 0;
    }
  }
}

}  // namespace

void add_limits(const Market& market, const std::vector<BinOrigin>& bins, packing::PackingProblem& problem) {
  limit_supplies(market, bins, problem);
  for (const TypeLimit& limit : market.limits) {
    const auto weight = [&](const Offer& offer) -> std::int64_t {
      return !offer.is_owned && offer.profile.instance_type == limit.instance_type ? 1 : 0;
    };
    add_unless_idle(budget_of(market, limit.count, bins, weight), problem.budgets);
  }
  for (const QuotaLimit& quota : market.quotas) {
    const auto weight = [&](const Offer& offer) { return offer.quota == quota.quota ? vcpus_of(offer.profile) : 0; };
    add_unless_idle(budget_of(market, quota.vcpus, bins, weight), problem.budgets);
  }
  forbid_too_large(problem);
}

}  // namespace bayplan::fleet

#include "study/fleet/alternatives.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>

#include "fleet/ideal/credit_steps.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "packing/packing_problem.hpp"
#include "packing/solve.hpp"
#include "packing/undominated_types.hpp"
#include "packing/volume_bound.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Question;
using packing::PackingProblem;

namespace {

constexpr std::size_t kShown = 5;
constexpr std::size_t kMaxSolved = 24;           ///< Single types packed; the others have higher lower bounds.
constexpr std::size_t kMaxLeftOut = 3;           ///< Types of the ideal fleet done without.
constexpr std::int64_t kEffortEach = 2'000'000;  ///< Of the packing of one of them.

/// Bin types of the problem that belong to one instance type, and those that are there at no price.
struct TypeBins {
  std::string instance_type;
  std::vector<std::uint32_t> bins;
  MicroUsd at_least = 0;  ///< No fleet of the type alone costs less.
};

const std::string& type_of(const Question& question, const Market& market, std::size_t bin) {
  return market.offers[question.bins[bin].offer].profile.instance_type;
}

/// `alone`: owned instances of other types count as further types, and are not there.
std::vector<TypeBins> by_type(const Question& question, const Market& market, bool alone) {
  std::vector<TypeBins> types;
  std::map<std::string_view, std::size_t> position;
  std::vector<std::uint32_t> there;
  for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
    if (market.offers[question.bins[bin].offer].exists()) {
      there.push_back(bin);
      continue;
    }
    const auto& type = type_of(question, market, bin);
    const auto [entry, is_new] = position.emplace(type, types.size());
    if (is_new) types.push_back({type, {}, 0});
    types[entry->second].bins.push_back(bin);
  }
  for (auto& type : types) {
    std::copy_if(there.begin(), there.end(), std::back_inserter(type.bins), [&](std::uint32_t bin) {
      const bool is_owned = market.offers[question.bins[bin].offer].is_owned;
      return !alone || !is_owned || type_of(question, market, bin) == type.instance_type;
    });
    std::sort(type.bins.begin(), type.bins.end());
  }
  return types;
}

/// The cheapest fleet of these bin types; nothing when limits leave tasks over, or it takes more types than may be.
using PackAlone = std::function<std::optional<Alternative>(const std::vector<std::uint32_t>& bins)>;

std::optional<Alternative> pack_alone(const Question& question, const Market& market, std::int64_t most_types,
                                      const std::function<bool()>& go_on, const std::vector<std::uint32_t>& bins) {
  packing::SolveLimits limits;
  limits.effort = kEffortEach;
  limits.go_on = [&](const packing::Progress&) { return go_on(); };
  const auto solution = packing::solve_in_whole(packing::sub_problem(question.problem, bins), limits);
  if (!solution.is_complete()) return std::nullopt;
  Alternative found;
  found.purchases = fleet::compute_purchases(question, market, solution.packing);
  if (!fleet::is_allowed(market, found.purchases, most_types)) return std::nullopt;
  found.hourly_cost = fleet::cost_of(market, question, solution.packing);
  found.proven = solution.optimal && found.hourly_cost <= solution.cost;
  found.use = use_of(market, question, solution.packing);
  return found;
}

bool costs_less(const Alternative& a, const Alternative& b) {
  return a.hourly_cost < b.hourly_cost;
}

/// The cheapest few fleets of one type: a type is packed as long as its bound is below what was found.
std::vector<Alternative> single_types(const PackingProblem& problem, std::vector<TypeBins> types, const PackAlone& pack,
                                      const std::function<bool()>& go_on) {
  for (auto& type : types) type.at_least = packing::volume_bound(problem, type.bins).value_or(packing::kUnlimited);
  std::stable_sort(types.begin(), types.end(),
                   [](const TypeBins& a, const TypeBins& b) { return a.at_least < b.at_least; });
  std::vector<Alternative> found;
  std::size_t solved = 0;
  for (const auto& type : types) {
    const bool is_enough = found.size() >= kShown && type.at_least >= found[kShown - 1].hourly_cost;
    if (is_enough || ++solved > kMaxSolved || !go_on()) break;
    auto one = pack(type.bins);
    if (!one) continue;
    one->instance_type = type.instance_type;
    found.insert(std::upper_bound(found.begin(), found.end(), *one, costs_less), std::move(*one));
  }
  if (found.size() > kShown) found.resize(kShown);
  return found;
}

/// The cheapest fleets that do without one of the types.
std::vector<Alternative> without_each(const std::set<std::string>& types, const Question& question,
                                      const Market& market, const PackAlone& pack, const std::function<bool()>& go_on) {
  std::vector<Alternative> found;
  for (const auto& type : types) {
    if (found.size() >= kMaxLeftOut || !go_on()) break;
    std::vector<std::uint32_t> bins;
    for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
      if (market.offers[question.bins[bin].offer].exists() || type_of(question, market, bin) != type)
        bins.push_back(bin);
    }
    if (!packing::holds_all(question.problem, bins)) continue;
    auto one = pack(bins);
    if (!one) continue;
    one->kind = AlternativeKind::kWithoutType;
    one->instance_type = type;
    found.push_back(std::move(*one));
  }
  std::stable_sort(found.begin(), found.end(), costs_less);
  return found;
}

}  // namespace

Alternatives alternatives_to(const fleet::Purchases& fleet, const Question& question, const Market& market,
                             std::int64_t most_types, const std::function<bool()>& go_on) {
  Alternatives result;
  auto types = by_type(question, market, most_types > 0);
  result.types = static_cast<std::int64_t>(types.size());
  std::erase_if(types, [&](const TypeBins& type) {
    if (packing::holds_all(question.problem, type.bins)) return false;
    result.impossible.push_back(type.instance_type);
    return true;
  });
  const PackAlone pack = [&](const std::vector<std::uint32_t>& bins) {
    return pack_alone(question, market, most_types, go_on, bins);
  };
  std::set<std::string> bought;
  for (const auto& purchase : fleet) {
    const auto& offer = market.offers[purchase.offer];
    if (!offer.exists()) bought.insert(offer.profile.instance_type);
  }
  result.list = single_types(question.problem, std::move(types), pack, go_on);
  if (bought.size() == 1)
    std::erase_if(result.list, [&](const auto& one) { return bought.count(one.instance_type) > 0; });
  if (most_types == 1) return result;  // without the one type it is the next of the list
  auto without = without_each(bought, question, market, pack, go_on);
  std::move(without.begin(), without.end(), std::back_inserter(result.list));
  return result;
}

}  // namespace bayplan::study

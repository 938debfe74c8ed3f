#include "study/fleet_alternatives.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "fleet/fleet_rank.hpp"
#include "packing/undominated_types.hpp"
#include "packing/volume_bound.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Question;
using packing::PackingProblem;

namespace {

constexpr std::size_t kShown = 5;
constexpr std::size_t kMostSolved = 24;  ///< Single types packed; those left cost more than the shown by bound.
constexpr std::size_t kMostLeftOut = 3;  ///< Types of the ideal fleet done without.
constexpr std::int64_t kEffortEach = 2'000'000;

/// Bin types of the problem that one instance type stands behind, and those that are there at no price.
struct TypeBins {
  std::string instance_type;
  std::vector<std::uint32_t> bins;
  MicroUsd at_least = 0;  ///< No fleet of the type alone costs less.
};

const std::string& type_of(const Question& question, const Market& market, std::size_t bin) {
  return market.offers[question.bins[bin].offer].profile.instance_type;
}

bool is_there(const fleet::Offer& offer) {
  return offer.is_owned || !offer.standing.empty();
}

/// `alone`: owned instances of other types count as further types, and are not there.
std::vector<TypeBins> by_type(const Question& question, const Market& market, bool alone) {
  std::vector<TypeBins> types;
  std::map<std::string_view, std::size_t> position;
  std::vector<std::uint32_t> there;
  for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
    if (is_there(market.offers[question.bins[bin].offer])) {
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

bool holds_all(const PackingProblem& problem, const std::vector<std::uint32_t>& bins) {
  return std::all_of(problem.shapes.begin(), problem.shapes.end(), [&](const packing::Shape& shape) {
    return shape.count == 0 || std::any_of(bins.begin(), bins.end(), [&](std::uint32_t bin) {
             return packing::most_copies(problem, shape, bin) > 0;
           });
  });
}

class AlternativeSearch {
 public:
  AlternativeSearch(const Question& question, const Market& market, std::int64_t most_types,
                    const std::function<bool()>& go_on)
      : question_(question), market_(market), most_types_(most_types), go_on_(go_on) {}

  /// Nothing when limits leave tasks over, or it takes more types than may be.
  std::optional<Alternative> packed(const std::vector<std::uint32_t>& bins) {
    packing::SolveLimits limits;
    limits.effort = kEffortEach;
    limits.go_on = [this](const packing::Progress&) { return go_on_(); };
    auto solution = packing::solve(packing::with_types(question_.problem, bins), limits);
    if (std::any_of(solution.left_over.begin(), solution.left_over.end(), [](auto count) { return count > 0; }))
      return std::nullopt;
    for (auto& filled : solution.packing) filled.pattern.type = bins[filled.pattern.type];
    Alternative found;
    found.purchases = fleet::purchases_of(question_, market_, solution.packing);
    if (!fleet::is_allowed(market_, found.purchases, most_types_)) return std::nullopt;
    found.hourly_cost = solution.cost;
    found.proven = solution.optimal;
    found.use = use_of(question_, solution.packing);
    return found;
  }

  /// The cheapest few: a type is packed as long as its bound is below what was found.
  std::vector<Alternative> single_types(std::vector<TypeBins> types) {
    for (auto& type : types)
      type.at_least = packing::volume_bound(question_.problem, type.bins).value_or(packing::kUnlimited);
    std::stable_sort(types.begin(), types.end(),
                     [](const TypeBins& a, const TypeBins& b) { return a.at_least < b.at_least; });
    std::vector<Alternative> found;
    std::size_t solved = 0;
    for (const auto& type : types) {
      const bool is_enough = found.size() >= kShown && type.at_least >= found[kShown - 1].hourly_cost;
      if (is_enough || ++solved > kMostSolved || !go_on_()) break;
      auto one = packed(type.bins);
      if (!one) continue;
      one->instance_type = type.instance_type;
      const auto place = std::upper_bound(found.begin(), found.end(), *one, [](const Alternative& a, const auto& b) {
        return a.hourly_cost < b.hourly_cost;
      });
      found.insert(place, std::move(*one));
    }
    if (found.size() > kShown) found.resize(kShown);
    return found;
  }

  std::vector<Alternative> without_each(const std::set<std::string>& types) {
    std::vector<Alternative> found;
    for (const auto& type : types) {
      if (found.size() >= kMostLeftOut || !go_on_()) break;
      std::vector<std::uint32_t> bins;
      for (std::uint32_t bin = 0; bin < question_.bins.size(); ++bin) {
        if (is_there(market_.offers[question_.bins[bin].offer]) || type_of(question_, market_, bin) != type)
          bins.push_back(bin);
      }
      if (!holds_all(question_.problem, bins)) continue;
      auto one = packed(bins);
      if (!one) continue;
      one->kind = AlternativeKind::kWithoutType;
      one->instance_type = type;
      found.push_back(std::move(*one));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Alternative& a, const Alternative& b) { return a.hourly_cost < b.hourly_cost; });
    return found;
  }

 private:
  const Question& question_;
  const Market& market_;
  const std::int64_t most_types_;
  const std::function<bool()>& go_on_;
};

std::set<std::string> types_bought(const fleet::Purchases& fleet, const Market& market) {
  std::set<std::string> types;
  for (const auto& purchase : fleet) {
    const auto& offer = market.offers[purchase.offer];
    if (!is_there(offer)) types.insert(offer.profile.instance_type);
  }
  return types;
}

}  // namespace

Alternatives alternatives_to(const fleet::Purchases& fleet, const Question& question, const Market& market,
                             std::int64_t most_types, const std::function<bool()>& go_on) {
  Alternatives result;
  auto types = by_type(question, market, most_types > 0);
  result.types = static_cast<std::int64_t>(types.size());
  std::erase_if(types, [&](const TypeBins& type) {
    if (holds_all(question.problem, type.bins)) return false;
    result.impossible.push_back(type.instance_type);
    return true;
  });
  AlternativeSearch comparer(question, market, most_types, go_on);
  const auto bought = types_bought(fleet, market);
  result.list = comparer.single_types(std::move(types));
  if (bought.size() == 1)
    std::erase_if(result.list, [&](const auto& one) { return bought.count(one.instance_type) > 0; });
  if (most_types == 1) return result;  // without the one type it is the next of the list
  auto without = comparer.without_each(bought);
  std::move(without.begin(), without.end(), std::back_inserter(result.list));
  return result;
}

}  // namespace bayplan::study

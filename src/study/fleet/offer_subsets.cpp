#include "study/fleet/offer_subsets.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "packing/packing_problem.hpp"
#include "packing/volume_bound.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Question;

namespace {

constexpr std::size_t kFamilies = 4;
constexpr std::size_t kPairs = 2;
/// Of more types, families are better than pairs.
constexpr std::size_t kTypesOfPairs = 8;

using Offers = std::vector<std::uint32_t>;

std::map<std::string, Offers> offers_by_type(const Market& market) {
  std::map<std::string, Offers> by_type;
  for (std::uint32_t offer = 0; offer < market.offers.size(); ++offer) {
    if (!market.offers[offer].exists()) by_type[market.offers[offer].profile.instance_type].push_back(offer);
  }
  return by_type;
}

Offers merged(const Offers& a, const Offers& b) {
  Offers all;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

std::vector<std::uint32_t> bins_of(const Question& question, const Offers& offers) {
  std::vector<std::uint32_t> bins;
  for (std::uint32_t bin = 0; bin < question.bins.size(); ++bin) {
    if (std::binary_search(offers.begin(), offers.end(), question.bins[bin].offer)) bins.push_back(bin);
  }
  return bins;
}

/// What the bins of these offers cost at least; nothing where some shape has no place in any of them.
std::optional<MicroUsd> least_cost(const Question& question, const Offers& offers) {
  const auto bins = bins_of(question, offers);
  return packing::holds_all(question.problem, bins) ? packing::volume_bound(question.problem, bins) : std::nullopt;
}

/// An estimate of what fleets of one type cost: each instance keeps about half of a mean task free, so large instances
/// waste less than small ones that have the same bound.
double likely_cost(const Question& question, const OfferSubset& subset) {
  const auto& problem = question.problem;
  double waste = 1;
  for (const std::uint32_t bin : bins_of(question, subset.offers)) {
    double share = 0;
    double tasks = 0;
    for (const auto& shape : problem.shapes) {
      double largest = 0;
      for (std::size_t d = 0; d < problem.dimensions; ++d) {
        const auto room = static_cast<double>(problem.types[bin].capacity[d]);
        if (room > 0) largest = std::max(largest, static_cast<double>(shape.size[d]) / room);
      }
      share += largest * static_cast<double>(shape.count);
      tasks += static_cast<double>(shape.count);
    }
    if (tasks > 0) waste = std::min(waste, share / tasks / 2);
  }
  return static_cast<double>(subset.at_least) * (1 + waste);
}

/// Those with the lowest bounds, at most `most`.
void add_lowest(std::vector<OfferSubset> found, std::size_t most, std::vector<OfferSubset>& subsets) {
  std::stable_sort(found.begin(), found.end(),
                   [](const OfferSubset& a, const OfferSubset& b) { return a.at_least < b.at_least; });
  if (found.size() > most) found.resize(most);
  subsets.insert(subsets.end(), found.begin(), found.end());
}

}  // namespace

std::size_t types_to_buy(const Market& market) {
  return offers_by_type(market).size();
}

std::vector<OfferSubset> offer_subsets(const Question& question, const Market& market, std::int64_t most_types,
                                       bool is_every_subset) {
  Offers existing;
  for (std::uint32_t offer = 0; offer < market.offers.size(); ++offer) {
    if (market.offers[offer].exists()) existing.push_back(offer);
  }
  const auto by_type = offers_by_type(market);
  const auto add_subset = [&](const Offers& offers, std::size_t types, std::vector<OfferSubset>& subsets) {
    Offers all = merged(offers, existing);
    const bool may_be = most_types == 0 || static_cast<std::int64_t>(types) <= most_types;
    if (!may_be) return;
    if (const auto bound = least_cost(question, all)) subsets.push_back({std::move(all), types, *bound});
  };

  std::vector<OfferSubset> subsets;
  Offers everything;
  for (const auto& [type, offers] : by_type) everything = merged(everything, offers);
  add_subset(everything, by_type.size(), subsets);
  if (by_type.size() == 1) return subsets;

  std::vector<OfferSubset> singles;
  for (const auto& [type, offers] : by_type) add_subset(offers, 1, singles);
  std::vector<std::pair<double, std::size_t>> likely;
  for (const auto& single : singles) likely.emplace_back(likely_cost(question, single), likely.size());
  std::sort(likely.begin(), likely.end());
  for (const auto& [cost, position] : likely) subsets.push_back(singles[position]);

  std::vector<OfferSubset> several;
  if (is_every_subset) {
    // A subset may hold what none of its types holds alone, so they are made of all types.
    for (std::uint32_t members = 1; members + 1 < 1U << by_type.size(); ++members) {
      Offers offers;
      std::size_t types = 0;
      std::size_t position = 0;
      for (const auto& [type, own] : by_type) {
        if ((members >> position++ & 1U) == 0) continue;
        offers = merged(offers, own);
        ++types;
      }
      if (types > 1) add_subset(offers, types, several);
    }
    const std::size_t all = several.size();
    add_lowest(std::move(several), all, subsets);
    return subsets;
  }

  std::map<std::string, std::pair<Offers, std::size_t>> by_family;  // the offers, and how many types
  const auto family_of = [](const std::string& type) { return type.substr(0, type.find('.')); };
  for (const auto& [type, offers] : by_type) {
    auto& [of_family, types] = by_family[family_of(type)];
    of_family = merged(of_family, offers);
    ++types;
  }
  // Families of the likeliest types: sizes of one family replace an instance that is hardly used by a smaller one.
  std::size_t families = 0;
  for (std::size_t i = 0; i < likely.size() && families < kFamilies; ++i) {
    const auto& offers_of_type = singles[likely[i].second].offers;
    const auto single = std::find_if(offers_of_type.begin(), offers_of_type.end(),
                                     [&](std::uint32_t offer) { return !market.offers[offer].exists(); });
    const auto found = by_family.find(family_of(market.offers[*single].profile.instance_type));
    if (found == by_family.end()) continue;
    const auto [offers, types] = found->second;
    by_family.erase(found);
    if (types < 2 || types == by_type.size()) continue;
    add_subset(offers, types, several);
    ++families;
  }
  if (by_type.size() <= kTypesOfPairs) {
    for (auto a = by_type.begin(); a != by_type.end(); ++a) {
      for (auto b = std::next(a); b != by_type.end(); ++b) add_subset(merged(a->second, b->second), 2, several);
    }
  }
  add_lowest(std::move(several), kFamilies + kPairs, subsets);
  return subsets;
}

Market with_offers(const Market& market, const std::vector<std::uint32_t>& offers) {
  Market part = market;
  part.offers.clear();
  for (const std::uint32_t offer : offers) part.offers.push_back(market.offers[offer]);
  return part;
}

}  // namespace bayplan::study

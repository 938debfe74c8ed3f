#pragma once
#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"

/// Parts of a market that hold every task by themselves: a plan from all types must not cost more than one from these.
namespace bayplan::study {

struct OfferSubset {
  std::vector<std::uint32_t> offers;  ///< Indexes into Market::offers, ascending; existing instances are in each.
  std::size_t types = 0;              ///< Instance types to be bought.
  MicroUsd at_least = 0;              ///< No fleet from these offers costs less.
};

/// Counts the instance types that can be bought.
std::size_t types_to_buy(const fleet::Market& market);

/// All types together, whose search most often ends the others; every single type, the likely cheapest first; then
/// either every other subset, or the families of the likeliest types and, of few types, the pairs with the lowest
/// bounds. Each holds every task. `most_types`: 0 is any number.
std::vector<OfferSubset> offer_subsets(const fleet::Question& question, const fleet::Market& market,
                                       std::int64_t most_types, bool is_every_subset);

/// The market without other offers.
fleet::Market with_offers(const fleet::Market& market, const std::vector<std::uint32_t>& offers);

}  // namespace bayplan::study

#pragma once
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/purchase.hpp"

namespace bayplan::fleet {

/// Some instances given for some of another offer.
struct Exchange {
  Purchase out;
  Purchase in;
  MicroUsd saving = 0;
};

/// Offers and zones worth buying from: those of the fleet, and those that hold some task at the least price.
std::set<std::pair<std::uint32_t, std::string>> places_to_buy(const Market& market, const Question& question,
                                                              const Purchases& fleet);

/// Exchanges that make the fleet cheaper: one for one or for several, several for one; those that save least first, as
/// they are the likeliest to go. In come offers of the fleet, and those that hold some task at the least price.
std::vector<Exchange> cheaper_exchanges(const Market& market, const Question& question, const Purchases& fleet);

bool can_be_exchanged(const Purchases& fleet, const Exchange& exchange);
Purchases exchanged(const Purchases& fleet, const Exchange& exchange);
Exchange doubled(Exchange exchange);

}  // namespace bayplan::fleet

#pragma once
#include <tuple>

#include "fleet/offers/purchase.hpp"

namespace bayplan::fleet {

/// The smaller is the better fleet: cheaper, then fewer instances, fewer instance types, names.
using FleetRank = std::tuple<MicroUsd, std::int64_t, std::size_t, std::vector<std::string>>;
FleetRank compute_rank(const Market& market, const Purchases& purchases);

/// The offer's counts changed by `purchase.count`, which may be negative.
Purchases changed(Purchases purchases, const Purchase& purchase);

/// How many instances of the offer are in it, in whatever zone.
std::int64_t instances_of(const Purchases& purchases, std::uint32_t offer);

/// Instance types in it, sorted, unique.
std::vector<std::string> list_types(const Market& market, const Purchases& purchases);

/// Limits of offers, quotas, and at most this many instance types (0 = any).
bool is_allowed(const Market& market, const Purchases& purchases, std::int64_t most_types);

/// Counts the additional instances of each offer that may be bought, one offer at a time.
std::vector<std::int64_t> room_for_more(const Market& market, const Purchases& purchases, std::int64_t most_types);

}  // namespace bayplan::fleet

#pragma once
#include <cstdint>
#include <vector>

#include "base/units.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/offers/purchase.hpp"
#include "fleet/payment/commitments.hpp"

/// What one instance more costs under commitments.
namespace bayplan::study {

/// How a Savings Plan of a family with an amount is counted. It is paid, used or not, so instances cost nearly nothing
/// up to what it covers, and the others their price. The last instance may be covered in part: a fleet may stop short
/// of it or have it, and which is cheaper only a bill says. Or the plan lowers the price, as one whose amount follows
/// the fleet.
enum class StatedPlans : std::uint8_t { kPaid, kPaidInPart, kDiscount };

/// A market with the prices that one instance more has.
struct MarginalMarket {
  fleet::Market market;
  std::vector<std::uint32_t> offers;  ///< By offer of it, the offer of the whole market.
};

/// `extras`: of one instance.
MarginalMarket marginal_market(const fleet::Market& market, const std::vector<fleet::Commitment>& commitments,
                               MicroUsd extras, StatedPlans stated);

/// Purchases of the whole market, bought at the price that the last instance has.
fleet::Purchases in_marginal_market(const MarginalMarket& marginal, const fleet::Purchases& purchases);

/// What the instances cost On-Demand, with the CPU credits of `cost`.
MicroUsd on_demand_cost(const MarginalMarket& marginal, const fleet::Market& market, const fleet::Purchases& purchases,
                        MicroUsd cost);

}  // namespace bayplan::study

#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/percent.hpp"
#include "base/result.hpp"
#include "base/units.hpp"
#include "catalog/catalog.hpp"
#include "catalog/fargate_prices.hpp"
#include "fleet/offers/cpu_credits.hpp"
#include "fleet/offers/vcpu_quota.hpp"
#include "packing/packing_problem.hpp"
#include "placement/model/scenario.hpp"

/// What can be bought: instance types as the scenario sets them up, at prices with a source and a date.
namespace bayplan::fleet {

/// One kind of instance that can be bought, or is there already.
struct Offer {
  placement::InstanceProfile profile;  ///< The profile of its instances: ACTIVE, without ids. It has no zone unless it
                                       ///< is bound to one; `hourly_price` is what is to be paid.
  MicroUsd hourly_price = 0;  ///< The price to be paid: discounts are subtracted, and it is 0 when owned or standing.
                              ///< It is what plans are made by where `listed` has nothing (see `price_basis`).
  std::optional<catalog::Price>
      listed;  ///< The price before discounts in the region; nothing when none is known. Its source is
               ///< a key of Catalog::sources(), a price file, or empty when the user's own.
  /// Only with --allow-unpriced: the region whose price `hourly_price` is, for want of one in the market's.
  std::string price_basis;
  bool is_owned = false;
  std::int64_t limit = packing::kUnlimited;  ///< Maximum number of instances.
  std::string quota;  ///< The vCPU quota that it counts to: "G and VT"; empty if unknown or of existing instances.
  std::string spend_limit{};  ///< The limit that it counts to, with `spends` for each instance; empty = none.
  MicroUsd spends = 0;
  /// The matching instances of a kept cluster, at no price. Empty = to be bought.
  std::vector<std::uint32_t> standing;

  bool exists() const { return is_owned || !standing.empty(); }  ///< Not to be bought.
};

/// What offers may cost together at their On-Demand prices: what a Savings Plan covers of them.
struct SpendLimit {
  std::string name;
  MicroUsd hourly = 0;
};

/// Limit on the number of instances of one type, whatever their set-up.
struct TypeLimit {
  std::string instance_type;
  std::int64_t count = 0;
};

/// A type that was asked for and cannot be planned with.
struct LeftOut {
  std::string instance_type;
  std::string why;           ///< "no price in eu-north-1; known in us-east-1, us-west-2".
  bool is_unpriced = false;  ///< That is why.
};

struct Market {
  std::string region;
  /// No type has a price anywhere and --allow-unpriced is given: a vCPU counts as one USD an hour.
  bool counts_vcpus = false;
  bool are_types_named = false;  ///< --types restricts the types.
  bool has_spot_prices = false;  ///< --prices has Spot prices, which no commitment lowers.
  /// What is paid in each pool of a Spot price history, after discounts; the key is "m5.large@us-east-1a".
  std::map<std::string, catalog::Price, std::less<>> pool_prices;
  std::vector<Offer>
      offers;  ///< Sorted by family and size, own types last, owned and standing ones first of their type.
  std::vector<TypeLimit> limits;   ///< Where a type has several offers: of all of them together.
  std::vector<QuotaLimit> quotas;  ///< Quotas on the offers that name them.
  std::vector<SpendLimit> spend_limits;
  std::vector<LeftOut> left_out;
  std::vector<Assumption> assumptions;  ///< Prices older than a year apart, estimated memory, zones ...
  CreditTerms credits;                  ///< What burstable instances cost above their baseline.
  /// Of the region: a platform that --prices has rates of has those, others the built-in ones.
  catalog::FargatePrices fargate;
  /// Fees of Managed Instances that --prices states, by instance type; others follow from the price of the type.
  std::map<std::string, catalog::Price, std::less<>> managed_fees;
};

/// What a planner says of what may be bought: the flags of `fleet`, as written.
struct MarketRequest {
  std::vector<std::string> types;      ///< --types GLOB; empty = every type on sale in the region.
  std::string prices;                  ///< --prices FILE; empty = those of the catalog.
  std::vector<std::string> discounts;  ///< --discount g4dn=0.72: a family, type or glob, and the factor that is paid.
  std::vector<std::string> limits;     ///< --limit TYPE=N
  std::vector<std::string> owned;      ///< --owned TYPE=N
  std::vector<std::string> quotas;     ///< --quota "G and VT=256"
  bool allow_unpriced = false;         ///< --allow-unpriced
  bool keeps_cluster = false;          ///< --add-only
  Percent burst_percent = kHundredPercent;  ///< --burst-baseline: CPU in use, of what the tasks reserve.
  std::optional<bool> trunking = {};        ///< --trunking; nothing: as the scenario has it.
};

/// The market with awsvpcTrunking on or off for what is bought, where ECS supports it; existing instances keep their
/// setting.
Market with_trunking(bool is_on, Market market);

struct LoadedMarket {
  std::optional<Market> market;  ///< Nothing when there are errors.
  std::vector<Error> errors;
};

/// Types that the scenario's cluster has are offered as its instances of them are set up (attributes, capacity
/// provider, reserved memory, trunking, GPU sharing), one offer for each set-up; others as the catalog knows them.
/// `catalog` must outlive the market.
LoadedMarket load_market(const MarketRequest& request, const placement::Scenario& scenario,
                         const catalog::Catalog& catalog, const Files& files, const Limits& limits = {});

}  // namespace bayplan::fleet

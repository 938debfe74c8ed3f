#pragma once
#include <optional>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/fill_fleet.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "fleet/recommended/launch_trials.hpp"
#include "fleet/recommended/top_up.hpp"

namespace bayplan::fleet {

/// What fleets hold all in all against what all tasks take: a fleet with too little need not be tried.
class FleetRoom {
 public:
  FleetRoom(const Market& market, const Question& question);

  /// No resource falls short in sum.
  bool may_hold_all(const Purchases& purchases) const;

 private:
  std::size_t dimensions_;
  packing::Amounts wanted_{};                ///< Less existing instances.
  std::vector<packing::Amounts> per_offer_;  ///< Amounts of one instance; the most of its bin types.
};

/// What a search of fleets looks at; everything must outlive it.
struct SearchSpace {
  const Market& market;
  const Question& question;
  const FillRequest& request;
  const Policy& policy;
  MicroUsd lower_bound = 0;  ///< No fleet below is worth a try.
};

/// The cheapest fleet that one policy fills: from a beginning more is bought until every order fills, then less.
class FillSearch {
 public:
  FillSearch(const SearchSpace& space, LaunchTrials& trials);

  /// Grown from `start` until it is filled, without what is not needed; kept when it is the best so far.
  void begin_at(const Purchases& start);
  /// Instances exchanged for cheaper ones as long as that gets better.
  void exchange();
  /// Every fleet from the lower bound to the best, where they are few: then the best is the cheapest of all.
  void try_all();

  /// Tries the best in up to `count` orders that the search has not seen (see LaunchTrials): false when one of them
  /// does not fill. It is then forgotten, and what is grown from it is the best.
  bool confirm(std::int64_t count);

  const std::optional<Purchases>& best() const { return best_; }
  /// With surplus CPU credits.
  MicroUsd cost(const Purchases& fleet) { return hourly_cost(space_.market, fleet) + trials_.credits(fleet); }
  /// Of the best, with its surplus CPU credits.
  const std::optional<FleetRank>& best_rank() const { return best_rank_; }
  std::optional<MicroUsd> best_cost() const {
    return best_rank_ ? std::optional(std::get<0>(*best_rank_)) : std::nullopt;
  }
  /// Orders beyond those of the search that the best fills; nothing before it was confirmed.
  const std::optional<std::int64_t>& confirmed() const { return confirmed_; }

 private:
  std::optional<Purchases> grown(Purchases fleet);
  Purchases shrunk(Purchases fleet);
  Purchases with_fewer(const Purchases& fleet, Purchase purchase);
  /// Whether it is better than the best unless its surplus credits make it dearer.
  bool may_be_better(const Purchases& fleet) const;
  FleetRank rank(const Purchases& fleet);
  void keep(const Purchases& fleet);
  bool try_fleet(const Purchases& fleet);
  bool exchange_once();

  const SearchSpace space_;
  LaunchTrials& trials_;
  const FleetRoom room_;
  const TopUp top_up_;
  std::optional<Purchases> best_;
  std::optional<FleetRank> best_rank_;
  std::optional<std::int64_t> confirmed_;
};

}  // namespace bayplan::fleet

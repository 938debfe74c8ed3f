#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"
#include "fleet/offers/purchase.hpp"
#include "study/fleet/fleet_use.hpp"

namespace bayplan::study {

enum class AlternativeKind : std::uint8_t {
  kSingleType,   ///< A fleet of one instance type.
  kWithoutType,  ///< The cheapest without one type of the fleet.
};

/// Another fleet that holds everything, as packed.
struct Alternative {
  AlternativeKind kind = AlternativeKind::kSingleType;
  std::string instance_type;  ///< The type alone, or the type left out.
  fleet::Purchases purchases;
  MicroUsd hourly_cost = 0;
  bool proven = false;  ///< No fleet of its kind costs less.
  FleetUse use;
  std::optional<bool>
      filled;  ///< Whether ECS fills it too, by the strategy of the recommended fleet; nothing = not tried.
};

struct Alternatives {
  std::vector<Alternative> list;        ///< Single types first, each kind by cost.
  std::vector<std::string> impossible;  ///< Types that cannot hold every task alone, in the order of the market.
  std::int64_t types = 0;               ///< Types looked at.
};

/// Computes alternatives to the fleet with at most that many types (0: any). Every shape must fit some bin type.
Alternatives alternatives_to(const fleet::Purchases& fleet, const fleet::Question& question,
                             const fleet::Market& market, std::int64_t most_types, const std::function<bool()>& go_on);

}  // namespace bayplan::study

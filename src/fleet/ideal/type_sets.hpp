#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fleet/ideal/packing_question.hpp"
#include "fleet/offers/market.hpp"

namespace bayplan::fleet {

/// What a fleet costs that cannot be: limits leave too little of some resource.
inline constexpr MicroUsd kNoFleet = packing::kUnlimited;

/// Instance types that may be all there is in a fleet, with existing instances.
struct TypeSet {
  std::vector<std::uint32_t> bins;  ///< Bin types of the question, ascending.
  MicroUsd at_least = 0;            ///< No fleet of these types alone costs less; kNoFleet.
};

struct TypeSets {
  /// Sets of at most this many types that hold each task somewhere, cheapest bound first; types that another replaces
  /// at no higher price are left out.
  std::vector<TypeSet> list;
  bool is_of_all = false;   ///< There is no type more than that: the one set is of all.
  bool is_complete = true;  ///< False when there are too many sets, and then none is listed.
  /// The fewest shapes found that no set holds together; then nothing is listed.
  std::vector<std::uint32_t> contradiction;
  std::vector<std::uint32_t> not_held;  ///< Shapes that a set which holds many tasks leaves out.
};

TypeSets type_sets(const Market& market, const Question& question, std::int64_t most);

/// The bin types of these instance types, sorted, and those of existing instances.
std::vector<std::uint32_t> bins_of_types(const Market& market, const Question& question,
                                         const std::vector<std::string>& types);

}  // namespace bayplan::fleet

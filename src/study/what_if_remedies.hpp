#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "study/load_variants.hpp"
#include "study/what_if.hpp"

namespace bayplan::study {

/// A change of a variant that was simulated and leaves nothing more without a place than the baseline.
struct WhatIfRemedy {
  std::string flag;                     ///< As it is appended to the command: "--add g4dn.12xlarge=1@us-east-2b".
  std::optional<MicroUsd> hourly_cost;  ///< Beyond the variant's own; nothing when no price is known.
  bool asks_for_less = false;           ///< Fewer tasks are to run.
  std::string in_place_of = {};         ///< The flag that the variant has and that this one replaces.
};

struct WhatIfRemedies {
  std::vector<WhatIfRemedy> list;  ///< Cheapest first, those without a price next, those that ask for less last.
  std::int64_t tried = 0;
  bool exhausted = false;  ///< The counted effort ended before every idea was tried.
};

/// Variants that are to leave nothing more without a place, all of them, once the same is appended to each.
using VariantsOf = std::function<std::vector<Variant>(const Variant& base)>;

/// The fewest instances of each type of the cluster, dealt to its zones, with which none of `failures` leaves anything
/// more without a place. `base`: what the failures come on top of. `most`: more than so many are not tried.
WhatIfRemedies find_remedies_of_all(WhatIf& what_if, const placement::Scenario& scenario, const VariantLoader& loader,
                                    const WrittenVariant& base, const VariantsOf& failures, std::int64_t most);

/// More instances of the types that the cluster has, another strategy, or fewer tasks. `result` is what the variant
/// leads to.
WhatIfRemedies find_remedies(WhatIf& what_if, const placement::Scenario& scenario, const VariantLoader& loader,
                             const WrittenVariant& variant, const VariantResult& result);

}  // namespace bayplan::study

#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "study/remedy.hpp"
#include "study/whatif/load_variants.hpp"
#include "study/whatif/what_if.hpp"

namespace bayplan::study {

/// Variants that are to leave nothing more without a place, all of them, once the same is appended to each.
using VariantsOf = std::function<std::vector<Variant>(const Variant& base)>;

/// Each remedy is an AppendFlags. The fewest instances of each type of the cluster, dealt to its zones, with which none
/// of `failures` leaves anything more without a place. `base`: what the failures come on top of. `most`: more than so
/// many are not tried.
Remedies find_remedies_of_all(WhatIf& what_if, const placement::Scenario& scenario, const VariantLoader& loader,
                              const WrittenVariant& base, const VariantsOf& failures, std::int64_t most);

/// Flags with which the variant leaves nothing more without a place than the baseline, those that ask for less last:
/// more instances of the types that the cluster has, another strategy, or fewer tasks. `result` is what the variant
/// leads to.
Remedies find_remedies(WhatIf& what_if, const placement::Scenario& scenario, const VariantLoader& loader,
                       const WrittenVariant& variant, const VariantResult& result);

}  // namespace bayplan::study

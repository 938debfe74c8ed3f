#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "capacity/fit.hpp"
#include "study/diff_side.hpp"

namespace bayplan::study {

/// One instance type before and after; a side is absent where there is no definition or it runs on none.
struct TypeEffect {
  std::optional<capacity::FitRow> before;
  std::optional<capacity::FitRow> after;

  const capacity::FitRow& any() const { return after ? *after : *before; }
  bool changes() const;  ///< Whether it holds the task, or how often.
};

/// What one side asks of an instance, and what holds it.
struct SideCapacity {
  capacity::TaskRequirement requirement;
  bool runs_on_instances = true;  ///< False: requiresCompatibilities is FARGATE alone.
  std::int64_t held_by = 0;       ///< Types that hold it, or may.
  /// Cheapest for one copy, of the types on sale that surely hold it, are what its GPUs need and have a price.
  std::optional<capacity::FitRow> cheapest;
};

struct CapacityEffect {
  std::optional<SideCapacity> before;
  std::optional<SideCapacity> after;
  std::int64_t types = 0;  ///< Looked at.
  /// All types when they were named; else those for which the answer changes, cheapest first.
  std::vector<TypeEffect> rows;

  /// Some type held it, and none does any more; of a new definition: none does.
  bool fits_no_type() const;
  bool changes() const;  ///< What a task takes, or what holds it.
};

struct CapacityRequest {
  std::vector<const catalog::InstanceType*> types;  ///< Without those no longer on sale, unless they are named.
  bool are_named = false;                           ///< By the user or by the cluster.
  capacity::FitOptions fit;
};

/// Either side may be null, not both. Adds what is taken for granted, where it matters to the answer.
CapacityEffect compare_capacity(const SideDefinition* before, const SideDefinition* after,
                                const CapacityRequest& request, std::vector<Assumption>& assumptions);

}  // namespace bayplan::study

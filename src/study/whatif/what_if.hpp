#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "placement/explain/result_summary.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "study/whatif/variant.hpp"

/// A scenario and its variants, each held against the first.
namespace bayplan::study {

/// Result for a service, or for the standalone tasks of one family.
struct NameResult {
  std::string name;  ///< serviceName or family, as tasks are named.
  bool is_service = false;
  std::int64_t desired = 0;
  std::int64_t before = 0;              ///< Tasks placed in the baseline.
  std::int64_t after = 0;               ///< Tasks on instances that are neither gone nor draining.
  std::int64_t held = 0;                ///< Tasks that keep running on a draining instance, which never empties.
  std::int64_t stays = 0;               ///< RunTask tasks that end on their draining instance; counted in `after`.
  std::int64_t moves = 0;               ///< Lost or left their place and have another.
  std::vector<std::uint32_t> moved_to;  ///< Instances that hold the moved ones now, sorted, unique.
  std::vector<std::string> zones;       ///< Zones of the instances that host its tasks afterwards, sorted, unique.
  /// Counts by the first failed check of the closest instance, "none" where no instance can be closest; "held" where
  /// the service may start no task in place of one on a draining instance. Sums to `unplaced()`.
  std::vector<std::pair<std::string, std::int64_t>> reasons;
  std::optional<placement::Failure> failure;  ///< Failure of the first unplaced task; indexes into `scenario`.

  std::int64_t unplaced() const { return desired - after; }
  std::int64_t not_running() const { return unplaced() - held; }
  /// How many more tasks than in the other are unplaced, or do not run while they are held in the other. 0 or less
  /// where nothing is lost.
  std::int64_t lacks_more_than(const NameResult& other) const;
};

/// How many more tasks of a workload without a count have a place.
struct RoomFor {
  std::string name;
  std::int64_t more = 0;
};

/// The cluster when it has settled.
struct VariantResult {
  /// What indexes and views in here refer to: planned variations made, added instances behind the others, those that
  /// are gone still there, workloads made for tasks that ran without one. That of the baseline where the variant only
  /// takes instances away. Lasts no longer than the WhatIf and what it was made of.
  std::shared_ptr<const placement::Scenario> scenario;
  /// Over instances that are not gone. Tasks that ran before the first placement and that somebody keeps running count
  /// as placed; tasks of workloads without a count are nowhere.
  placement::Summary summary;
  std::vector<NameResult> names;  ///< Listed in the order of their first workload; no daemons.
  std::vector<RoomFor> room;
  std::int64_t moves = 0;
  std::vector<std::uint32_t> gone;              ///< Instances that are gone, sorted.
  std::vector<std::string> held_drains;         ///< Ids of draining instances that never empty.
  std::vector<placement::PlacementFact> facts;  ///< What the first placement rests on.
  std::vector<Assumption> assumptions;          ///< Assumptions about the events.

  std::int64_t unplaced() const;
  std::int64_t held() const;

  /// What it has of the same service or family as another result; null where it has nothing.
  const NameResult* find(const NameResult& name) const;
  std::int64_t unplaced(const NameResult& name) const;  ///< Unplaced tasks of the name; 0 if it is unknown here.
  std::int64_t held(const NameResult& name) const;      ///< Held tasks of the name; 0 if it is unknown here.
  /// How many more tasks of the name than here are lacking; see NameResult::lacks_more_than.
  std::int64_t more_lacking(const NameResult& name) const;
};

/// Effect of a variant as far as it can be computed at the cost of what its events touch.
struct Effect {
  std::int64_t unplaced = 0;  ///< Unplaced tasks as in VariantResult.
  std::int64_t held = 0;
  std::int64_t moves = 0;
  /// Index into `baseline().names`, and how many more of the name than in the baseline have no place
  /// (NameResult::lacks_more_than); in their order.
  std::vector<std::pair<std::uint32_t, std::int64_t>> worse;
  bool operator==(const Effect&) const = default;
};

/// Places the scenario once, and asks of that state what each variant would make of it. Not for scenarios over time,
/// nor for deployments.
class WhatIf {
 public:
  /// `placed`: how the scenario is placed, where that is known.
  explicit WhatIf(const placement::Scenario& scenario, const placement::Outcome* placed = nullptr);
  ~WhatIf();

  const VariantResult& baseline() const;
  /// What events alone bring. Costs what they touch: they happen on the one state, and are undone. For thousands of
  /// variants, of which a few are then evaluated. The variant must have no planned variations; where all have the same,
  /// make a WhatIf of `planned`.
  Effect effect(const Variant& variant);
  /// All that a variant says: its planned variations, then its events. Looks at every instance and task once.
  VariantResult evaluate(const Variant& variant);
  /// What a check with resource accounting of its own says against the baseline and the first of the variants evaluated
  /// so far: faults of the program.
  const std::vector<std::string>& mistakes() const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace bayplan::study

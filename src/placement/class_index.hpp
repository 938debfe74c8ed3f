#pragma once
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "placement/cells.hpp"
#include "placement/chain.hpp"
#include "placement/chooser.hpp"
#include "placement/filters.hpp"
#include "placement/level_sets.hpp"
#include "placement/occupancy.hpp"
#include "placement/remaining_order.hpp"

namespace bayplan::placement {

/// The candidates of one task class, ready to be asked for the best.
///
/// An instance that takes a task may stop to be a candidate; one that gives a task back or changes its state may become
/// one. The index holds every candidate and instances that were one before: those that a search arrives at are asked
/// again, and dropped when they fail. So what is placed costs nothing here; only what is freed is looked at, and what
/// changes its state. Where that is not enough the index is exact: it also asks every instance that took a task since
/// the last time. That goes for draws, which count the candidates, and for memberOf that looks at tasks, which may come
/// true by a task.
///
/// With an order (binpack) the candidates are a lane of its shelves. Without one, and where own tasks are counted
/// (spread over instances), they are in sets, one for each number of own tasks. With both, the lane has those of one
/// such number: the fewest, but for a few that came back with fewer still.
class ClassIndex {
 public:
  /// `order`: the shared order of the chain's binpacks; nothing when it has none.
  ClassIndex(const Occupancy& occupancy, std::uint32_t task_class, const Filter& filter, const Chain& chain,
             const Cells& cells, RemainingOrder* order);
  ~ClassIndex();
  ClassIndex(const ClassIndex&) = delete;
  ClassIndex& operator=(const ClassIndex&) = delete;

  /// The cells and the filter must know all instances and profiles.
  std::optional<Choice> choose(std::mt19937_64& generator);
  bool has_candidate();

 private:
  /// The best instance of a cell.
  struct Head {
    std::uint32_t cell = 0;
    std::uint32_t instance = 0;
    std::int64_t level = 0;
    std::optional<Shelf::Place> place;  ///< On the shelf; nothing when it was found in the sets.
  };

  void build();
  void count_values();
  void recount_values();
  void allow_profiles();
  void catch_up();
  void refresh(std::uint32_t instance);
  void refresh_all();
  void refresh_touched(bool frees);
  bool may_give(const Touch& touch) const;
  bool takes_from(const Touch& touch) const;
  bool is_held(std::uint32_t instance) const { return sets_.has(cells_.position_of(instance)); }
  void follow_takes();

  bool has_sets() const { return order_ == nullptr || chain_.counts_tasks; }
  bool is_allowed(std::uint32_t instance) const;
  bool passes(std::uint32_t instance) const { return is_allowed(instance) && has_room(instance); }
  /// All that an allowed instance must pass.
  bool has_room(std::uint32_t instance) const;
  std::int64_t own_tasks(std::uint32_t instance) const;
  /// Number of own tasks, where that counts.
  std::int64_t level_of(std::uint32_t instance) const { return chain_.counts_tasks ? own_tasks(instance) : 0; }
  bool is_candidate(std::uint32_t instance, std::int64_t level) const;
  std::int64_t key(const Strategy& strategy, std::uint32_t instance) const;
  std::int64_t tasks_alike(std::string_view attribute, std::uint32_t cell) const;

  template <class Visit>
  void for_candidates(std::uint32_t cell, std::int64_t below, Visit visit);
  void clear_lane(std::uint32_t cell);
  bool fill_lane(std::uint32_t cell);
  std::optional<Head> first_on_shelf(std::uint32_t cell);
  std::optional<Head> first_below_lane(std::uint32_t cell);
  std::optional<Head> first_in_sets(std::uint32_t cell);
  std::optional<Head> head_of(std::uint32_t cell);
  void find_best_heads();
  int compare(const Head& a, const Head& b) const;
  bool ranks_behind(std::uint32_t cell) const;
  template <class Visit>
  void for_equals_after(const Head& head, Visit visit);
  bool is_tied();
  Choice draw_one(std::mt19937_64& generator);
  Choice narrow(std::mt19937_64& generator);

  const Occupancy& occupancy_;
  const Filter& filter_;
  const Chain& chain_;
  const Cells& cells_;
  RemainingOrder* order_;
  unsigned lane_ = 0;
  std::uint32_t group_;
  std::string_view provider_;
  bool exact_;
  std::vector<char> allowed_;                     ///< By profile.
  std::vector<std::vector<std::int64_t>> tasks_;  ///< Of the group, by attribute and value, on every instance.
  std::vector<std::uint32_t> live_cells_;         ///< Those that may have a candidate.
  LevelSets sets_;                                ///< By number of own tasks; 0 where they do not count.
  /// Of the lane, by cell, where own tasks count: the candidates with so many are in it. Few have fewer.
  std::vector<std::int64_t> levels_;
  std::vector<Head> heads_;   ///< The best of the cells that rank alike and before the others.
  std::uint64_t seen_;        ///< Of the history.
  std::uint64_t seen_frees_;  ///< Of the history.
};

}  // namespace bayplan::placement

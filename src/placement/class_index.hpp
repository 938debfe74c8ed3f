#pragma once
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "placement/cells.hpp"
#include "placement/chain.hpp"
#include "placement/chooser.hpp"
#include "placement/filters.hpp"
#include "placement/occupancy.hpp"
#include "placement/position_set.hpp"
#include "placement/remaining_order.hpp"

namespace bayplan::placement {

/// The candidates of one task class, ready to be asked for the best.
///
/// At time 0 nothing is freed, so an instance that stops to pass its checks never passes them again. The index
/// therefore holds instances that passed once, asks again only those that a search arrives at, and drops those that
/// fail. Where that is not enough it is exact: it asks every instance that took a task since the last time. That goes
/// for draws, which count the candidates, and for memberOf that looks at tasks, which may come true later.
class ClassIndex {
 public:
  /// `order`: the shared order of the chain's binpacks; nothing when it has none.
  ClassIndex(const Occupancy& occupancy, std::uint32_t task_class, const Filter& filter, const Chain& chain,
             const Cells& cells, RemainingOrder* order);
  ~ClassIndex();
  ClassIndex(const ClassIndex&) = delete;
  ClassIndex& operator=(const ClassIndex&) = delete;

  std::optional<Choice> choose(std::mt19937_64& generator);

 private:
  /// The best instance of a cell.
  struct Head {
    std::uint32_t cell = 0;
    std::uint32_t instance = 0;
    Shelf::Place place;  ///< On the shelf; only with an order.
  };

  void build();
  void count_values();
  void catch_up();
  void refresh(std::uint32_t instance);
  void refresh_touched();
  bool may_matter(const Touch& touch) const;

  bool passes(std::uint32_t instance) const;
  /// All that an instance must still pass that passed once.
  bool has_room(std::uint32_t instance) const;
  std::int64_t own_tasks(std::uint32_t instance) const;
  bool is_in_front(std::uint32_t instance) const;
  std::int64_t key(const Strategy& strategy, std::uint32_t instance) const;
  std::int64_t tasks_alike(std::string_view attribute, std::uint32_t cell) const;

  void set_front(std::uint32_t instance, bool on);
  void clear_front(std::uint32_t cell);
  bool raise_level(std::uint32_t cell);
  std::optional<Head> first_in_front(std::uint32_t cell);
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
  bool exact_;
  std::vector<char> allowed_;                     ///< By profile.
  std::vector<std::vector<std::int64_t>> tasks_;  ///< Of the group, by attribute and value, on every instance.
  std::vector<std::uint32_t> live_cells_;         ///< Those that may have a candidate.
  /// With `counts_tasks`: the fewest own tasks on a candidate, by cell; only the candidates that have no more are in
  /// front.
  std::vector<std::int64_t> levels_;
  PositionSet open_;         ///< With `counts_tasks`: candidates of every level.
  PositionSet front_;        ///< Without an order; with one it is the lane.
  std::vector<Head> heads_;  ///< The best of the cells that rank alike and before the others.
  std::uint64_t seen_;       ///< Of the history.
};

}  // namespace bayplan::placement

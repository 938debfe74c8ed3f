#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/optional_index.hpp"
#include "placement/engine/chooser.hpp"
#include "placement/engine/filters.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/index/attribute_partition.hpp"
#include "placement/index/blocked_index.hpp"
#include "placement/index/spread_tournament.hpp"
#include "placement/model/strategies.hpp"

namespace bayplan::placement {

/// Every instance in the order of the free amounts of one or two resources, a blocked index for each cell. Up to 64
/// task classes share it: an instance that takes a task moves once, however many classes look at it.
class RemainingOrder {
 public:
  /// `fields`: the binpack strategies, first the one that decides first.
  RemainingOrder(const Occupancy& occupancy, const AttributePartition& partition, std::vector<Strategy> fields);

  bool is_for(const AttributePartition& partition, const std::vector<Strategy>& fields) const {
    return &partition == &partition_ && fields == fields_;
  }
  bool has_free_lane() const { return ~lanes_ != 0; }
  /// A lane that holds nothing yet. An instance that may have no room for the filter leaves it. When it `is_offered`
  /// what is freed, an instance that frees something or changes its state comes into it, candidate or not.
  unsigned open_lane(const Filter& filter, bool is_offered);
  void close_lane(unsigned lane);

  /// Moves the instances touched since the last time and puts the new ones on the blocked indexes; before anything else
  /// is asked. The cells must know all instances.
  void catch_up();

  BlockedIndex& block_index(std::uint32_t cell) { return block_indexes_[cell]; }
  void set(std::uint32_t instance, unsigned lane, bool on) { block_index_of(instance).set(keys_[instance], lane, on); }

 private:
  BlockedIndex& block_index_of(std::uint32_t instance) { return block_indexes_[partition_.cell_of(instance)]; }
  void move(std::uint32_t instance, bool frees);
  std::uint64_t lanes_with_room(std::uint32_t instance) const;
  BlockedKey key_now(std::uint32_t instance) const;

  const Occupancy& occupancy_;
  const AttributePartition& partition_;
  std::vector<Strategy> fields_;
  std::vector<bool> by_cpu_;                 ///< One entry per field.
  std::vector<BlockedKey> keys_;             ///< The key of each instance in the blocked index.
  std::vector<BlockedIndex> block_indexes_;  ///< One index per cell.
  std::uint64_t lanes_ = 0;                  ///< Bit set of the lanes in use.
  std::uint64_t offered_lanes_ = 0;          ///< Bit set of the lanes that receive released resources.
  std::array<const Filter*, 64> filters_{};  ///< One entry per lane.
  std::uint64_t seen_ = 0;                   ///< Position in the history.
};

/// A set of numbers below a bound. The next member is found in a few steps however far it is; one that is `counted`
/// also numbers its members.
class PositionSet {
 public:
  PositionSet() = default;
  PositionSet(std::size_t bound, bool counted);

  bool has(std::size_t position) const { return ((levels_[0][position / kWord] >> (position % kWord)) & 1) != 0; }
  bool empty() const { return levels_.back()[0] == 0; }
  void insert(std::size_t position);
  void erase(std::size_t position);

  /// The smallest member from `position` on; the bound or more when there is none.
  std::size_t next(std::size_t position) const;

  /// Members below `position`; only when counted.
  std::size_t count_below(std::size_t position) const;
  /// Number of members; only when counted.
  std::size_t count() const { return count_; }
  /// The member that has `rank` members below it; only when counted, and it must exist.
  std::size_t at_rank(std::size_t rank) const;

 private:
  static constexpr std::size_t kWord = 64;

  void count(std::size_t position, int change);

  /// A bit of a level says whether the word of that number one level below has any.
  std::vector<std::vector<std::uint64_t>> levels_;
  /// Fenwick tree over the words of the lowest level; entry 0 is not used.
  std::vector<std::uint32_t> counts_;
  std::size_t count_ = 0;
};

/// Positions (AttributePartition), each at one level at most.
class LevelSets {
 public:
  LevelSets() = default;
  /// `bound`, `counted`: of each set.
  LevelSets(std::size_t bound, bool counted) : bound_(bound), counted_(counted) {}

  bool has(std::size_t position) const {
    return std::any_of(sets_.begin(), sets_.end(), [&](const auto& own) { return own.positions.has(position); });
  }
  /// Puts the position at this level and no other.
  void put(std::size_t position, std::int64_t level);
  void erase(std::size_t position);

  /// Lowest first; some may be empty. Sets of higher levels come behind when positions are put there.
  std::size_t size() const { return sets_.size(); }
  std::int64_t level(std::size_t index) const { return sets_[index].level; }
  const PositionSet& set(std::size_t index) const { return sets_[index].positions; }
  /// There must be one.
  const PositionSet& at(std::int64_t level) const { return place_of(level)->positions; }
  /// Empty sets go.
  void tidy();

 private:
  struct LevelSet {
    std::int64_t level = 0;
    PositionSet positions;
  };

  /// Position of the level, or where it would be inserted.
  std::vector<LevelSet>::const_iterator place_of(std::int64_t level) const {
    return std::find_if(sets_.begin(), sets_.end(), [level](const auto& own) { return own.level >= level; });
  }

  std::size_t bound_ = 0;
  bool counted_ = false;
  std::vector<LevelSet> sets_;  ///< One entry per level.
};

/// A chain of strategies as an index works it off. Among the instances of one cell (equal values of `attributes`) the
/// first strategies rank by the number of own tasks, then by free resources: these are `indexed`. What comes after (a
/// draw, or an instance spread behind a binpack) decides among the equals that are left.
struct Chain {
  explicit Chain(const std::vector<Strategy>& strategies);

  std::vector<Strategy> indexed;        ///< No two alike, none random.
  std::vector<std::string> attributes;  ///< Attributes of all spreads that count tasks, indexed or not.
  std::vector<Strategy> fields;         ///< The indexed binpacks, in their order.
  bool counts_tasks = false;            ///< An indexed spread over instances.
  std::vector<Strategy> rest;           ///< The strategies up to the first random one.

  bool draws() const { return !rest.empty() && rest.front().type == StrategyType::kRandom; }
  bool operator==(const Chain&) const = default;
};

/// The candidates of one task class, ready to be asked for the best; or of the classes that differ in their groups
/// alone, as long as a group has tasks on a few instances (`choose_for`).
///
/// An instance that takes a task may stop to be a candidate; one that gives a task back or changes its state may become
/// one. The index holds every candidate and instances that were one before: those that a search arrives at are asked
/// again, and dropped when they fail. So what is placed costs nothing here; only what is freed is looked at, and what
/// changes its state. Where that is not enough the index is exact: it also asks every instance that took a task since
/// the last time. That goes for draws, which count the candidates, and for memberOf that looks at tasks, which may come
/// true by a task.
///
/// With an order (binpack) the candidates are a lane of its blocked indexes. Without one, and where own tasks are
/// counted (spread over instances), they are in sets, one for each number of own tasks. With both, the lane has those
/// of one such number: the fewest, but for a few that came back with fewer still.
///
/// The cells are looked through one by one where they are few. Where they are many (an attribute with a value of its
/// own on each instance), they compete in a tournament, unless a draw needs all that rank alike.
class ClassIndex {
 public:
  /// `group`: whose tasks count as own ones; none for an index that several groups share. `provider`: empty for any
  /// instance. `order`: the shared order of the chain's binpacks; nothing when it has none.
  ClassIndex(const Occupancy& occupancy, OptionalIndex group, std::string_view provider, const Filter& filter,
             const Chain& chain, const AttributePartition& partition, RemainingOrder* order);
  ~ClassIndex();
  ClassIndex(const ClassIndex&) = delete;
  ClassIndex& operator=(const ClassIndex&) = delete;

  /// The cells and the filter must know all instances and profiles.
  std::optional<Choice> choose(std::mt19937_64& generator);
  bool has_candidate();

  /// Whether groups whose filters are alike can share an index: what it keeps depends on their tasks only for the
  /// instances that these run on.
  static bool can_be_shared(const Chain& chain, const AttributePartition& partition);
  /// Of a shared index: the choice for a task of `group`, whose other tasks run on `instances`.
  std::optional<Choice> choose_for(std::uint32_t group, std::span<const std::uint32_t> instances,
                                   std::mt19937_64& generator);
  bool has_candidate_for(std::uint32_t group, std::span<const std::uint32_t> instances);

 private:
  /// The best instance of a cell.
  struct Head {
    std::uint32_t cell = 0;
    std::uint32_t instance = 0;
    std::int64_t level = 0;
    std::optional<BlockedIndex::Place>
        place;  ///< The place in the blocked index; empty if the instance was found in the sets.
  };

  void build();
  void count_values();
  void recount_values();
  std::int64_t unseen_own_changes() const;
  void allow_profiles();
  void catch_up();
  void refresh(std::uint32_t instance);
  void refresh_all();
  void refresh_touched(bool frees);
  template <class Ask>
  auto ask_for(std::uint32_t group, std::span<const std::uint32_t> instances, Ask ask);
  std::optional<Choice> choose_now(std::mt19937_64& generator);
  bool is_own(const InstanceChange& touch) const { return group_ && touch.group == *group_; }
  /// Tasks of the group on all instances.
  std::int64_t own_tasks() const { return group_ ? occupancy_.tasks_of(*group_) : 0; }
  bool may_give(const InstanceChange& touch) const;
  bool takes_from(const InstanceChange& touch) const;
  bool is_held(std::uint32_t instance) const { return sets_.has(partition_.find_position(instance)); }
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
  std::optional<Head> first_in_block_index(std::uint32_t cell);
  std::optional<Head> first_below_lane(std::uint32_t cell);
  std::optional<Head> first_in_sets(std::uint32_t cell);
  std::optional<Head> head_of(std::uint32_t cell);
  void find_best_heads();
  void note_changed_cells(bool is_forgotten);
  void find_best_of_many();
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
  const AttributePartition& partition_;
  RemainingOrder* order_;
  unsigned lane_ = 0;
  OptionalIndex group_;
  std::string_view provider_;
  bool exact_;
  std::vector<char> allowed_;                     ///< One entry per profile.
  std::vector<std::vector<std::int64_t>> tasks_;  ///< Tasks of the group, by attribute and value, on all instances.
  std::vector<std::uint32_t> live_cells_;         ///< Cells that may have a candidate.
  /// Where cells are many: they compete with their heads, and only those that changed play again.
  std::optional<SpreadTournament> tournament_;
  std::vector<std::optional<Head>> head_of_cell_;  ///< Those of the tournament, except of changed cells.
  std::vector<std::uint32_t> changed_cells_;       ///< Cells with instances touched since the last search.
  std::vector<char> is_changed_;                   ///< One entry per cell.
  std::vector<std::uint32_t> recounted_cells_;     ///< Cells with own tasks placed or given back since then.
  bool are_all_changed_ = true;
  bool has_equal_head_ = false;  ///< Another cell has a head that ranks like the best.
  LevelSets sets_;               ///< Candidates by number of own tasks; 0 if those do not count.
  /// Where own tasks count, the level of the lane by cell: it has the candidates with this many tasks. Few have fewer.
  std::vector<std::int64_t> levels_;
  std::vector<Head> heads_;            ///< The best of the cells that rank alike and before the others.
  std::vector<std::uint32_t> equals_;  ///< What `narrow` narrows.
  /// In a tournament for a draw: the instances that rank like the best head, by their numbers.
  PositionSet drawn_from_;
  std::uint64_t seen_;        ///< Position in the history.
  std::uint64_t seen_frees_;  ///< Position in the history of freed resources.
  std::int64_t seen_tasks_;   ///< Tasks of the group at that position.
};

}  // namespace bayplan::placement

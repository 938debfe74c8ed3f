#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "placement/cells.hpp"
#include "placement/filters.hpp"
#include "placement/occupancy.hpp"
#include "placement/shelf.hpp"

namespace bayplan::placement {

/// Every instance in the order of what is left of one or two resources, a shelf for each cell. Up to 64 task classes
/// share it: an instance that takes a task moves once, however many classes look at it.
class RemainingOrder {
 public:
  /// `fields`: the binpack strategies, first the one that decides first.
  RemainingOrder(const Occupancy& occupancy, const Cells& cells, std::vector<Strategy> fields);

  bool is_for(const Cells& cells, const std::vector<Strategy>& fields) const {
    return &cells == &cells_ && fields == fields_;
  }
  bool has_free_lane() const { return ~lanes_ != 0; }
  /// A lane that holds nothing yet. An instance that may have no room for the filter leaves it. When it `is_offered`
  /// what is freed, an instance that frees something or changes its state comes into it, candidate or not.
  unsigned open_lane(const Filter& filter, bool is_offered);
  void close_lane(unsigned lane);

  /// Moves the instances touched since the last time and puts the new ones on the shelves; before anything else is
  /// asked. The cells must know all instances.
  void catch_up();

  Shelf& shelf(std::uint32_t cell) { return shelves_[cell]; }
  void set(std::uint32_t instance, unsigned lane, bool on) { shelf_of(instance).set(keys_[instance], lane, on); }

 private:
  Shelf& shelf_of(std::uint32_t instance) { return shelves_[cells_.cell_of(instance)]; }
  void move(std::uint32_t instance, bool frees);
  std::uint64_t lanes_with_room(std::uint32_t instance) const;
  ShelfKey key_now(std::uint32_t instance) const;

  const Occupancy& occupancy_;
  const Cells& cells_;
  std::vector<Strategy> fields_;
  std::vector<bool> by_cpu_;                 ///< By field.
  std::vector<ShelfKey> keys_;               ///< By instance, as on the shelf.
  std::vector<Shelf> shelves_;               ///< By cell.
  std::uint64_t lanes_ = 0;                  ///< Those in use.
  std::uint64_t offered_lanes_ = 0;          ///< Those among them that are offered what is freed.
  std::array<const Filter*, 64> filters_{};  ///< By lane.
  std::uint64_t seen_ = 0;                   ///< Of the history.
};

}  // namespace bayplan::placement

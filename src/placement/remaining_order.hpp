#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "placement/cells.hpp"
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
  /// A lane that holds nothing yet. `offered`: an instance that frees something or changes its state comes into it,
  /// whether or not it is a candidate.
  unsigned open_lane(bool offered);
  void close_lane(unsigned lane);

  /// Moves the instances touched since the last time and puts the new ones on the shelves; before anything else is
  /// asked. The cells must know all instances.
  void catch_up();

  Shelf& shelf(std::uint32_t cell) { return shelves_[cell]; }
  void set(std::uint32_t instance, unsigned lane, bool on) { shelf_of(instance).set(keys_[instance], lane, on); }

 private:
  Shelf& shelf_of(std::uint32_t instance) { return shelves_[cells_.cell_of(instance)]; }
  void move(std::uint32_t instance, bool frees);
  ShelfKey key_now(std::uint32_t instance) const;

  const Occupancy& occupancy_;
  const Cells& cells_;
  std::vector<Strategy> fields_;
  std::vector<bool> by_cpu_;    ///< By field.
  std::vector<ShelfKey> keys_;  ///< By instance, as on the shelf.
  std::vector<Shelf> shelves_;  ///< By cell.
  std::uint64_t lanes_ = 0;     ///< Those in use.
  std::uint64_t offered_ = 0;   ///< Those among them that are offered what is freed.
  std::uint64_t seen_ = 0;      ///< Of the history.
};

}  // namespace bayplan::placement

#pragma once
#include <cstdint>
#include <vector>

#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Rooms seen so far, for labels that come in the order of falling value: is a new one no better than one of them?
/// Rooms that differ only in the first two resources stand on one shelf, as a staircase. Looks at few shelves only: it
/// may say no where yes were true.
class ParetoShelves {
 public:
  explicit ParetoShelves(std::size_t dimensions) : dimensions_(dimensions) {}

  /// True when another has at least this room and forbids no more tokens; else the room is kept.
  bool is_dominated(const Amounts& room, std::uint64_t tokens);

 private:
  struct Step {
    std::int64_t first = 0;
    std::int64_t second = 0;
  };
  struct Shelf {
    Amounts rest{};  ///< Resources from the third on.
    std::uint64_t tokens = 0;
    std::vector<Step> steps;  ///< `first` rises, `second` falls.
  };

  bool covers(const Shelf& shelf, const Amounts& room, std::uint64_t tokens) const;
  static bool has_above(const Shelf& shelf, const Amounts& room);
  static void put(Shelf& shelf, const Amounts& room);

  std::size_t dimensions_;
  std::vector<Shelf> shelves_;
};

}  // namespace bayplan::packing

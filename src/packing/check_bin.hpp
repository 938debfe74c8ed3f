#pragma once
#include <vector>

#include "packing/packing_problem.hpp"
#include "packing/verify_packing.hpp"

namespace bayplan::packing {

/// Equal tasks that one bin may hold.
struct CheckedItem {
  Amounts size{};
  std::int64_t worth = 0;  ///< More than 0.
  std::int64_t most = 0;   ///< Copies a bin; each alone fits.
  std::uint64_t tokens = 0;
};

/// One bin type with the tasks that may be in it.
struct CheckedBin {
  std::size_t dimensions = 0;
  Amounts capacity{};
  std::int64_t most_worth = 0;
  std::vector<CheckedItem> items;
};

/// Whether no filling is worth more than allowed: one item after the other, every count of it in every room that the
/// items before can leave, as far as more than allowed may come of it. At most this many states per item.
Verdict check_bin(CheckedBin bin, std::size_t most_states);

}  // namespace bayplan::packing

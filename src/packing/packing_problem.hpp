#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

#include "base/units.hpp"

namespace bayplan::packing {

/// The most resources that one problem distinguishes.
inline constexpr std::size_t kMaxDimensions = 8;

/// The most exclusive tokens that one problem distinguishes.
inline constexpr std::size_t kMaxTokens = 64;

inline constexpr std::int64_t kUnlimited = std::numeric_limits<std::int64_t>::max();

/// One amount a resource; those past the problem's dimensions are 0.
using Amounts = std::array<std::int64_t, kMaxDimensions>;

/// A kind of bin that can be bought.
struct BinType {
  Amounts capacity{};
  MicroUsd price = 0;
  std::int64_t limit = kUnlimited;  ///< Limit on the number of bins.
  bool is_refuge = false;           ///< No bin at all: what is in it is left over. The search makes them.
};

/// Equal tasks.
struct Shape {
  Amounts size{};
  std::int64_t count = 0;
  std::vector<bool> allowed;               ///< One entry a bin type; empty: every type.
  std::int64_t most_per_bin = kUnlimited;  ///< distinctInstance is 1.
  std::uint64_t tokens = 0;                ///< Bits such as host ports: a bin holds each bit at most once.
};

/// What all bins together may take of something, such as a quota of vCPUs.
struct Budget {
  std::vector<std::int64_t> weights;  ///< What one bin takes, at least 0: one entry a type.
  std::int64_t limit = 0;
};

/// Variable-cost, multi-dimensional vector bin packing: every task into some bin, at the least price.
struct PackingProblem {
  std::size_t dimensions = 0;
  std::vector<BinType> types;
  std::vector<Shape> shapes;
  std::vector<Budget> budgets;
};

/// A number of tasks of one shape.
struct Copies {
  std::uint32_t shape = 0;
  std::int64_t count = 0;
  auto operator<=>(const Copies&) const =
      default;  // NOLINT(modernize-use-nullptr): clang-tidy 14 reads the 0 that it makes
};

/// What one bin holds; shapes ascend, counts are at least 1.
struct Pattern {
  std::uint32_t type = 0;
  std::vector<Copies> copies;
  bool operator==(const Pattern&) const = default;
  bool operator<(const Pattern& other) const { return std::tie(type, copies) < std::tie(other.type, other.copies); }
};

/// A number of bins with the same filling.
struct FilledBins {
  Pattern pattern;
  std::int64_t bins = 0;
  bool operator==(const FilledBins&) const = default;
  bool operator<(const FilledBins& other) const {
    return std::tie(pattern, bins) < std::tie(other.pattern, other.bins);
  }
};

using Packing = std::vector<FilledBins>;

/// Whether a task of the shape may be in a bin of the type at all, its size aside.
bool is_allowed(const Shape& shape, std::size_t type);

/// How many tasks of the shape one bin of the type holds, `shape.count` at most.
std::int64_t most_copies(const PackingProblem& problem, const Shape& shape, std::size_t type);

/// Whether each task fits some bin of these types.
bool holds_all(const PackingProblem& problem, const std::vector<std::uint32_t>& types);

/// Whether the number of bins is limited, of one type or of several together.
bool is_limited(const PackingProblem& problem);

/// The price of all bins.
MicroUsd compute_cost(const PackingProblem& problem, const Packing& packing);

std::int64_t bins_of(const Packing& packing);

std::int64_t tasks_of(const PackingProblem& problem);
std::int64_t tasks_of(const Pattern& pattern);

/// Equal patterns as one entry, in the order of the patterns.
void tidy(Packing& packing);

}  // namespace bayplan::packing

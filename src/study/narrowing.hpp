#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "placement/scenario.hpp"
#include "study/inquiry.hpp"

namespace bayplan::study {

/// What one strategy left of the candidates.
struct Narrowing {
  placement::Strategy strategy;
  std::int64_t before = 0;
  std::int64_t after = 0;
  /// binpack: what remains on the best; spread: tasks of the group on its value; nothing for random.
  std::optional<std::int64_t> best;
  /// spread by attribute: the values that have so few, at most kNarrowingValues; an absent value is "".
  std::vector<std::string> values;
};

inline constexpr std::size_t kNarrowingValues = 5;

struct Ranking {
  std::vector<Narrowing> narrowings;  ///< Of every strategy that had a choice.
  std::vector<std::uint32_t> best;    ///< Left after the last; the first of them is taken.
};

/// How the strategies of the task rank its candidates. `chosen`: where the task went, which settles what is drawn at
/// random.
Ranking rank_candidates(const Inquiry& inquiry, std::uint32_t chosen);

}  // namespace bayplan::study

#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "base/result.hpp"

namespace bayplan::placement {

/// The most tasks and instances of a scenario: three and ten times what is measured (bench/PLACEMENT.md),
/// and far beyond the quotas of ECS. A count costs its writer nothing and its reader hundreds of bytes for each.
inline constexpr std::int64_t kMaxTasks = 3'000'000;
inline constexpr std::int64_t kMaxInstances = 1'000'000;

/// A sum of counts that may not go beyond a limit.
class Total {
 public:
  Total(std::int64_t most, std::string_view of_what) : most_(most), of_what_(of_what) {}

  /// The error for the first count that exceeds the limit, at the position of that count.
  std::optional<Error> add(std::int64_t count) {
    const bool was_too_much = is_too_much();
    sum_ += std::clamp<std::int64_t>(count, 0, most_ + 1);
    if (was_too_much || !is_too_much()) return std::nullopt;
    return Error{.message = fmt::format("this makes more than {} {}, too many for one scenario", most_, of_what_),
                 .help = "write fewer, or simulate a part of them"};
  }

  bool is_too_much() const { return sum_ > most_; }

 private:
  std::int64_t most_;
  std::int64_t sum_ = 0;
  std::string_view of_what_;
};

}  // namespace bayplan::placement

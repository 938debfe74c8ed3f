#pragma once
#include <cstdint>

#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Work done, the same on every machine, unlike a clock. The unit is a label of the knapsack looked at, about a tenth
/// of a microsecond; everything else is put into that unit.
class Effort {
 public:
  explicit Effort(std::int64_t limit = kUnlimited) : limit_(limit) {}

  void spend(std::int64_t work) { spent_ += work; }
  bool is_exhausted() const { return spent_ >= limit_; }
  std::int64_t spent() const { return spent_; }

 private:
  std::int64_t limit_;
  std::int64_t spent_ = 0;
};

}  // namespace bayplan::packing

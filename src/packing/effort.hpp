#pragma once
#include <cstdint>
#include <functional>
#include <utility>

#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Work done, the same on every machine, unlike a clock. The unit is a label of the knapsack looked at, about a tenth
/// of a microsecond; everything else is put into that unit.
class Effort {
 public:
  /// `go_on` is asked every few hundredths of a second; false ends the work.
  explicit Effort(std::int64_t limit = kUnlimited, std::function<bool()> go_on = {})
      : limit_(limit), go_on_(std::move(go_on)) {}

  void spend(std::int64_t work) {
    spent_ += work;
    if (go_on_ && spent_ >= next_question_) ask();
  }

  bool is_exhausted() const { return is_interrupted_ || spent_ >= limit_; }
  bool is_interrupted() const { return is_interrupted_; }
  std::int64_t spent() const { return spent_; }

 private:
  static constexpr std::int64_t kBetweenQuestions = 400'000;

  void ask() {
    next_question_ = spent_ + kBetweenQuestions;
    if (!go_on_()) is_interrupted_ = true;
  }

  std::int64_t limit_;
  std::function<bool()> go_on_;
  std::int64_t spent_ = 0;
  std::int64_t next_question_ = 0;
  bool is_interrupted_ = false;
};

}  // namespace bayplan::packing

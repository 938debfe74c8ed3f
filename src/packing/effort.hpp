#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>

#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// Work done, the same on every machine, unlike a clock. The unit is a label of the knapsack looked at, about a tenth
/// of a microsecond; everything else is put into that unit.
class Effort {
 public:
  /// `go_on` is asked every few hundredths of a second, by one thread at a time; false ends the work. `threads`: how
  /// many may share the work, which does not change what is found.
  explicit Effort(std::int64_t limit = kUnlimited, std::function<bool()> go_on = {}, unsigned threads = 1)
      : limit_(limit), go_on_(std::move(go_on)), threads_(threads) {}

  void spend(std::int64_t work) {
    spent_ += work;
    if (go_on_ && spent_ >= next_question_) ask();
  }

  /// Allows so much work from now on.
  void allow(std::int64_t work) { limit_ = spent_ + work; }

  bool is_exhausted() const { return is_interrupted_ || spent_ >= limit_; }
  bool is_interrupted() const { return is_interrupted_; }
  std::int64_t spent() const { return spent_; }
  std::int64_t left() const { return std::max<std::int64_t>(0, limit_ - spent_); }
  unsigned threads() const { return threads_; }

  /// Asks at once whether to go on.
  bool ask() {
    next_question_ = spent_ + kBetweenQuestions;
    if (go_on_ && !go_on_()) is_interrupted_ = true;
    return !is_interrupted_;
  }

 private:
  static constexpr std::int64_t kBetweenQuestions = 400'000;

  std::int64_t limit_;
  std::function<bool()> go_on_;
  unsigned threads_;
  std::int64_t spent_ = 0;
  std::int64_t next_question_ = 0;
  bool is_interrupted_ = false;
};

}  // namespace bayplan::packing

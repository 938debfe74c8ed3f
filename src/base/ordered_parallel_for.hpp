#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "base/threads.hpp"

namespace bayplan {

/// Makes one thing for each index with several threads and hands them over in index order, one at a time, while the
/// others are still being made. At most `kWindow` wait at any time, however many there are.
template <class Made>
class OrderedParallelFor {
 public:
  OrderedParallelFor(std::size_t count, std::function<Made(std::size_t)> make, std::function<void(Made)> take)
      : count_(count), make_(std::move(make)), take_(std::move(take)) {}

  /// Once it says so nothing more is begun; what was begun is handed over. Asked by every thread.
  OrderedParallelFor& until(std::function<bool()> stop) {
    stop_ = std::move(stop);
    return *this;
  }

  /// What a thread throws ends the work and is thrown here, the first of several.
  void run(unsigned jobs) && {
    {
      std::vector<Thread> helpers;  // waited for on every way out
      const auto wanted = std::min<std::size_t>(jobs, count_);
      for (std::size_t i = 1; i < wanted; ++i) {
        auto helper = start_thread([this] { work(); });
        if (!helper.has_started()) break;  // the threads that exist do all of the work
        helpers.push_back(std::move(helper));
      }
      work();
    }
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  static constexpr std::size_t kWindow = 64;

  void work() {
    try {
      make_all();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      room_.notify_all();
    }
  }

  void make_all() {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [this] { return failure_ || next_ == count_ || next_ - taken_ < kWindow; });
      if (failure_ || next_ == count_ || (stop_ && stop_())) return;
      const std::size_t index = next_++;
      lock.unlock();
      Made made = make_(index);
      lock.lock();
      ready_.emplace(index, std::move(made));
      hand_over(lock);
    }
  }

  /// One thread at a time; the others go on making.
  void hand_over(std::unique_lock<std::mutex>& lock) {
    if (is_taking_) return;
    is_taking_ = true;
    while (!ready_.empty() && ready_.begin()->first == taken_) {
      auto first = ready_.extract(ready_.begin());
      lock.unlock();
      take_(std::move(first.mapped()));
      lock.lock();
      ++taken_;
      room_.notify_all();
    }
    is_taking_ = false;
  }

  const std::size_t count_;
  const std::function<Made(std::size_t)> make_;
  const std::function<void(Made)> take_;
  std::function<bool()> stop_;
  std::mutex mutex_;
  std::condition_variable room_;
  std::map<std::size_t, Made> ready_;
  std::exception_ptr failure_;
  std::size_t next_ = 0;
  std::size_t taken_ = 0;
  bool is_taking_ = false;
};

}  // namespace bayplan

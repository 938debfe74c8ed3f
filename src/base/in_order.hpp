#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace bayplan {

/// Makes one thing for each index with several threads and hands them over in index order, one at a time, while the
/// others are still being made. At most `kWindow` wait at any time, however many there are.
template <class Made>
class InOrder {
 public:
  InOrder(std::size_t count, std::function<Made(std::size_t)> make, std::function<void(Made)> take)
      : count_(count), make_(std::move(make)), take_(std::move(take)) {}

  /// Once it says so nothing more is begun; what was begun is handed over. Asked by every thread.
  InOrder& until(std::function<bool()> stop) {
    stop_ = std::move(stop);
    return *this;
  }

  void run(unsigned jobs) && {
    std::vector<std::jthread> threads;
    const auto helpers = std::min<std::size_t>(jobs, count_);
    for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back([this] { work(); });
    work();
  }

 private:
  static constexpr std::size_t kWindow = 64;

  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [this] { return next_ == count_ || next_ - taken_ < kWindow; });
      if (next_ == count_ || (stop_ && stop_())) return;
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
  std::size_t next_ = 0;
  std::size_t taken_ = 0;
  bool is_taking_ = false;
};

}  // namespace bayplan

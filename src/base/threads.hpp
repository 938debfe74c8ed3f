#pragma once
#include <algorithm>
#include <system_error>
#include <thread>
#include <utility>

namespace bayplan {

/// Whether the program can have threads at all. The WebAssembly build has none: its C++ library compiles `std::thread`
/// and throws when one is constructed, and `std::async` waits forever for a thread that never starts.
/// tests/layers.cmake therefore keeps both inside src/base.
#ifdef __EMSCRIPTEN__
inline constexpr bool kHasThreads = false;
#else
inline constexpr bool kHasThreads = true;
#endif

/// A thread, which the destructor waits for, or none. (Not every library that is built with has std::jthread.)
class Thread {
 public:
  Thread() = default;
  explicit Thread(std::thread started) : thread_(std::move(started)) {}
  Thread(Thread&&) noexcept = default;
  Thread& operator=(Thread&& other) noexcept {
    join();
    thread_ = std::move(other.thread_);
    return *this;
  }
  ~Thread() { join(); }

  bool has_started() const { return thread_.joinable(); }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

/// Starts a thread that runs `work`. Returns none if the system has no threads, or no more of them (a container's limit
/// on processes): the caller then does the work itself or goes on without it.
template <class Work>
Thread start_thread(Work work) {
  if constexpr (kHasThreads) {
    try {
      return Thread(std::thread(std::move(work)));
    } catch (const std::system_error&) {
      return {};
    }
  }
  return {};
}

/// Number of threads that run at the same time, at least 1.
inline unsigned count_processors() {
  return kHasThreads ? std::max(1U, std::thread::hardware_concurrency()) : 1U;
}

}  // namespace bayplan

#pragma once
#include <future>
#include <system_error>

#include "base/threads.hpp"

namespace bayplan {

/// Starts a computation in a thread of its own. If the system has no threads, or no more of them, `get` of the future
/// runs it. What it refers to must live as long as the future, whose destructor waits.
template <class Compute>
auto compute_aside(const Compute& compute) {
  if constexpr (kHasThreads) {
    try {
      return std::async(std::launch::async, compute);
    } catch (const std::system_error&) {
      return std::async(std::launch::deferred, compute);
    }
  } else {
    return std::async(std::launch::deferred, compute);
  }
}

}  // namespace bayplan

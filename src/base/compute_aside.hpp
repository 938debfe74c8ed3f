#pragma once
#include <future>
#include <system_error>

namespace bayplan {

/// Begins a computation in a thread of its own; where the system has no more threads, `get` of the future runs it. What
/// it refers to must live as long as the future, whose destructor waits.
template <class Compute>
auto compute_aside(const Compute& compute) {
#ifdef __EMSCRIPTEN__
  return std::async(std::launch::deferred, compute);  // a thread of its library never begins, and is waited for
#else
  try {
    return std::async(std::launch::async, compute);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, compute);
  }
#endif
}

}  // namespace bayplan

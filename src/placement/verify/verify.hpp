#pragma once
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// Replays a result attempt by attempt with resource accounting of its own and says every mistake that it finds: a task
/// where it may not be, resources, ports or GPUs given twice, a better candidate passed over, a failure on an instance
/// that would have taken the task, a reason that is not true, totals that do not add up. Shares no code with the
/// engine. Empty = the result is right. A mistake is a fault of the program, never of the input.
std::vector<std::string> verify(const Scenario& scenario, const Outcome& outcome);

/// `verify` in a thread of its own that follows a placement while it goes on, so that little is left to do at its end.
/// The mistakes are those of `verify`. Where the system has no more threads, `get` does everything.
///
///   ConcurrentVerification verification(scenario);
///   const auto outcome = place(scenario, &verification);
///   verification.complete(outcome);
///   ...
///   const auto mistakes = verification.get();
class ConcurrentVerification : public PlacementObserver {
 public:
  /// The scenario must live as long.
  explicit ConcurrentVerification(const Scenario& scenario);
  /// Waits for the thread. It may be destroyed at any time, whether or not the placement has ended.
  ~ConcurrentVerification() override;
  ConcurrentVerification(const ConcurrentVerification&) = delete;
  ConcurrentVerification& operator=(const ConcurrentVerification&) = delete;

  void follow(const OutcomeSoFar& outcome) override;
  void release() override;
  /// The placement has ended. The outcome must stay as it is until `get` returns, or until the destructor does.
  void complete(const Outcome& outcome);
  /// Waits for the mistakes; once, after `complete`.
  std::vector<std::string> get() { return mistakes_.get(); }

 private:
  std::vector<std::string> run(const Scenario& scenario);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<OutcomeSoFar> unread_;
  const Outcome* complete_ = nullptr;
  bool is_abandoned_ = false;
  std::mutex reading_;                              ///< Held by the thread while it reads what `follow` passed.
  std::future<std::vector<std::string>> mistakes_;  ///< Declared last: its destructor waits for the thread.
};

}  // namespace bayplan::placement

#pragma once
#include <cstdint>
#include <deque>
#include <vector>

#include "timeline/cluster.hpp"

namespace bayplan::timeline {

/// Standalone tasks on their way to a place: they arrive as RunTask is called, are placed, wait (whenFull: wait), are
/// PROVISIONING, or fail.
class TaskQueue {
 public:
  /// `scenario`: whose calls are made.
  TaskQueue(Cluster& cluster, const placement::Scenario& scenario);

  /// When the next call is made; kNever after the last.
  Seconds next_arrival() const;
  /// Makes the calls of this instant.
  void arrive();
  /// Tries every task that has no place, by arrival.
  void place();
  /// PROVISIONING for too long.
  void time_out(std::uint32_t task);

 private:
  /// A placement::Call in half the room: there may be a million.
  struct Request {
    Seconds start_at = 0;
    std::optional<Seconds> duration;  ///< In place of the duration in the timetable of the workload.
    std::uint32_t workload = 0;
    std::uint32_t count = 0;
  };

  void arrive(const Request& call);
  void try_in_turn(std::uint32_t task);
  void try_managed(std::uint32_t task);
  bool try_front();
  void try_queued(std::uint32_t task);
  void try_once(std::uint32_t task);
  void try_together(const std::vector<std::uint32_t>& tasks);
  void start_if_complete(std::uint32_t task);
  void drop_gone();
  void leave_queue();
  void notify_startable();
  bool can_any_start();
  bool holds_places(std::uint32_t workload, const std::vector<std::uint32_t>& providers) const;

  Cluster& cluster_;
  bool waits_;                  ///< whenFull: wait.
  std::vector<Request> calls_;  ///< One entry per time.
  std::size_t next_call_ = 0;
  std::vector<std::uint32_t> provisioning_;           ///< One entry per arrival.
  std::deque<std::uint32_t> waiting_;                 ///< The queue; some may have been stopped.
  std::vector<std::uint32_t> arrived_;                ///< Tasks that arrived at this instant.
  std::vector<std::vector<std::uint32_t>> together_;  ///< Calls among those that are placed at once, all or none.
  std::vector<std::int64_t> queued_;                  ///< Tasks in the queue, by class.
  std::vector<char> is_reported_;  ///< One entry per workload: whether a task behind one of it could start.
};

}  // namespace bayplan::timeline

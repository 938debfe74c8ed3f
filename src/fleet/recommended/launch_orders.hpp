#pragma once
#include <cstdint>
#include <vector>

#include "placement/model/scenario.hpp"

namespace bayplan::fleet {

/// Launches in the orders of their numbers; what does not depend on the number is worked out once.
class LaunchOrders {
 public:
  explicit LaunchOrders(const placement::Scenario& scenario);

  /// Sets calls, ties and seed of a scenario with the same workloads. 0 = as written.
  ///
  /// The other orders, in turn, are: workload after workload in a drawn order (somebody launches family after family,
  /// services start one by one); ten tasks at a time (the most that one RunTask call starts); task by task. Daemons are
  /// first in all of them. What is one decision of ECS stays whole: a call that is placed as a whole, or dealt to
  /// several capacity providers.
  ///
  /// Ties are drawn.
  void set(placement::Scenario& scenario, std::uint64_t order) const;

  /// Calls as written, ties drawn: a run of `bayplan place --runs`.
  void set_tie_order(placement::Scenario& scenario, std::uint64_t order) const;

  /// As `set`, but all ties fall to the instances of one type, of each type in turn by the order: a few draws would
  /// hardly find what a tie between types may do. Where tasks run already ties stay drawn. Moves instances: they must
  /// stand as written again before the next order.
  void set_against(placement::Scenario& scenario, std::uint64_t order) const;

 private:
  std::vector<placement::Call> written_;   ///< As `calls` says.
  std::vector<placement::Call> complete_;  ///< With those that `calls` leaves out.
  placement::TieOrder ties_;
  std::uint64_t seed_;
};

}  // namespace bayplan::fleet

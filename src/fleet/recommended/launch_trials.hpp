#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "fleet/ideal/equivalent_tasks.hpp"
#include "fleet/recommended/fill_fleet.hpp"
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

  /// Does the same as `set`, but all ties fall to the instances of one type, of each type in turn by the order: a few
  /// draws would hardly find what a tie between types may do. Where tasks run already ties stay drawn. Moves instances:
  /// they must be as written again before the next order.
  void set_against(placement::Scenario& scenario, std::uint64_t order) const;

 private:
  std::vector<placement::Call> written_;   ///< The calls as `Scenario::calls` has them.
  std::vector<placement::Call> complete_;  ///< The same with the tasks that `Scenario::calls` leaves out.
  placement::TieOrder ties_;
  std::uint64_t seed_;
};

/// Work done, counted in placements of one task; shared by all trials of one search.
struct FillEffort {
  std::int64_t limit = 0;
  std::int64_t spent = 0;
  const std::function<bool()>* go_on = nullptr;
  bool is_interrupted = false;  ///< `go_on` said no: what was under way is not known.
  bool is_exhausted() { return spent >= limit || asks_to_stop(); }
  bool asks_to_stop() { return is_interrupted = is_interrupted || !(*go_on)(); }
};

/// Upper bound on the hourly surplus CPU credits of purchased and existing instances, over all launch orders.
MicroUsd most_credits(const Market& market, const Purchases& purchases);

/// Tasks without a place, by workload.
using Leftover = std::vector<std::int64_t>;

/// The tasks that the question asks to place: counts with headroom, those without any place left out.
placement::Scenario tasks_of(const placement::Scenario& scenario, const Question& question);

/// Fleets tried under one policy: every task is launched in every order, with every zone lost in turn where that is
/// asked for. Tasks of daemons are placed too, and ask for no further instance.
class LaunchTrials {
 public:
  /// `tasks`: as `tasks_of` gives them, with the policy; must outlive this.
  LaunchTrials(const placement::Scenario& tasks, const Market& market, const FillRequest& request, FillEffort& effort);

  /// Whether every order fills. Ends with the first that does not; that one is the first to be tried next time. False,
  /// too, when the effort is interrupted.
  bool fills(const Purchases& purchases);
  /// What the first order that does not fill leaves; nothing when every order fills. Of no workload a task, when the
  /// effort is interrupted.
  std::optional<Leftover> leftover(const Purchases& purchases);

  /// Places the tasks with `placement::place` in up to `count` orders that no fleet was tried in yet: a quarter of them
  /// as `bayplan place --runs` does, a quarter with ties against the fleet, half as the search does (see LaunchOrders).
  /// Returns how many fill before the effort ends. Nothing when one does not: from then on all of them are tried with
  /// every fleet.
  std::optional<std::int64_t> confirmed(const Purchases& purchases, std::int64_t count);
  /// What surplus CPU credits of a fleet cost when the tasks are launched as written. Where there are too many to
  /// launch them, the most that they can cost, however the tasks are spread.
  MicroUsd credits(const Purchases& purchases);
  /// Orders in which each fleet is tried.
  std::int64_t orders() const { return static_cast<std::int64_t>(orders_.size()); }
  FillEffort& effort() { return effort_; }

 private:
  placement::Scenario with_fleet(const Purchases& purchases) const;
  void set_order(placement::Scenario& launched, std::uint64_t order) const;
  bool fills(const placement::Scenario& launched);
  bool places_all(const placement::Scenario& launched);
  void heed(std::uint64_t failed, std::uint64_t end);
  std::int64_t equivalent_left_over(const Purchases& purchases);

  const placement::Scenario& tasks_;
  const Market& market_;
  const FillRequest& request_;
  FillEffort& effort_;
  std::optional<EquivalentTasks> alike_;
  LaunchOrders launch_orders_;
  std::vector<std::uint64_t> orders_;  ///< Numbers of launch orders; those that failed last come first.
  std::map<Purchases, bool> known_;
  std::map<Purchases, MicroUsd> credits_;
};

}  // namespace bayplan::fleet

#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "fleet/fill.hpp"
#include "fleet/launch_orders.hpp"

namespace bayplan::fleet {

/// Work done, counted in placements of one task; shared by all trials of one search.
struct FillEffort {
  std::int64_t limit = 0;
  std::int64_t spent = 0;
  const std::function<bool()>* go_on = nullptr;
  bool is_exhausted() const { return spent >= limit || !(*go_on)(); }
};

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

  /// Whether every order fills. Ends with the first that does not; that one is the first to be tried next time.
  bool fills(const Purchases& purchases);
  /// What the first order that does not fill leaves; nothing when every order fills.
  std::optional<Leftover> leftover(const Purchases& purchases);
  FillEffort& effort() { return effort_; }

 private:
  placement::Scenario with_fleet(const Purchases& purchases) const;
  bool fills(const placement::Scenario& launched);

  const placement::Scenario& tasks_;
  const Market& market_;
  const FillRequest& request_;
  FillEffort& effort_;
  LaunchOrders launch_orders_;
  std::vector<std::uint64_t> orders_;  ///< Those that failed last come first.
  std::map<Purchases, bool> known_;
};

}  // namespace bayplan::fleet

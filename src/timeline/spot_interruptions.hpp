#pragma once
#include <cstdint>
#include <random>
#include <set>

#include "timeline/cluster.hpp"
#include "timeline/instance_groups.hpp"

namespace bayplan::timeline {

/// Interruptions of Spot instances: by events of the scenario, and drawn by the rates of their pools. EC2 gives notice
/// two minutes before it terminates an instance (EC2 user guide, spot-instance-termination-notices); an agent with Spot
/// Instance draining then sets it to DRAINING (ECS developer guide, container-instance-spot).
class SpotInterruptions {
 public:
  SpotInterruptions(Cluster& cluster, InstanceGroups& groups);

  /// Notice of interruption. `cause`: the event of the scenario, if one.
  void interrupt(std::uint32_t instance, OptionalIndex cause = {});
  void recommend_rebalance(std::uint32_t instance);
  /// The two minutes are over.
  void reclaim(std::uint32_t instance);
  /// Draws when instances that have come since the last call are interrupted. Nothing is drawn without an end of the
  /// run: with a rate, every Spot instance is interrupted one day.
  void draw_for_new();

  /// A Spot instance that is there and has had no notice.
  bool can_interrupt(std::uint32_t instance) const;

 private:
  std::optional<Seconds> draw_delay(std::int64_t millionths, Seconds within);

  Cluster& cluster_;
  InstanceGroups& groups_;
  std::mt19937_64 generator_;
  std::uint32_t drawn_ = 0;  ///< Instances for which it was drawn.
  std::set<std::uint32_t> interrupted_;
  std::vector<OptionalIndex> notices_;  ///< By instance: the event of its notice.
};

}  // namespace bayplan::timeline

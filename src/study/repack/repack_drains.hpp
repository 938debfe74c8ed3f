#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "study/repack/repack_candidates.hpp"

namespace bayplan::study {

struct DrainTrial {
  std::optional<StayReason> why;  ///< Nothing when the instances can go.
  OptionalIndex name;             ///< Whose tasks cannot.
  std::int64_t moves = 0;
  bool is_possible() const { return !why; }
};

/// Drains on the one state, step by step, each simulated, all of it taken back.
class Drains {
 public:
  Drains(ClusterSimulation& cluster, const RepackCandidates& candidates, const RepackRequest& request);

  /// The instances drain at the same time. What is possible stays until `commit`, `rollback` or the next attempt.
  DrainTrial attempt(const std::vector<std::uint32_t>& instances, bool explains = false);
  void rollback();
  void commit();  ///< Commits an attempt that was possible.
  void revert();  ///< The last step committed.
  void revert_all() {
    while (!steps_.empty()) revert();
  }

  ClusterSimulation& cluster() { return cluster_; }
  const ClusterSimulation& cluster() const { return cluster_; }
  const RepackCandidates& candidates() const { return candidates_; }
  std::int64_t moves() const { return moves_; }  ///< Moves of all committed steps.
  std::int64_t weight() const { return weight_; }
  std::size_t steps() const { return steps_.size(); }
  std::int64_t effort() const { return effort_; }  ///< Returns the number of drains and moves simulated so far.
  std::int64_t tasks_to_move(std::uint32_t instance) const;
  std::int64_t waits_for(std::uint32_t instance) const;  ///< Standalone tasks.
  bool is_empty(std::uint32_t instance) const { return cluster_.tasks_on(instance).empty(); }

 private:
  struct Step {
    std::vector<std::uint32_t> instances;
    std::int64_t moves = 0;
    std::vector<std::pair<std::size_t, std::int32_t>> zone_counts;  ///< Changes.
  };
  std::optional<StayReason> group_refuses(const std::vector<std::uint32_t>& instances) const;
  void judge(DrainTrial& trial, const std::vector<std::uint32_t>& drained);
  std::optional<std::uint32_t> name_left_on(const std::vector<std::uint32_t>& drained) const;
  void count_zones();
  std::vector<std::pair<std::size_t, std::int32_t>> zone_changes() const;
  std::optional<std::uint32_t> name_that_loses_a_zone();
  void add_zones(const std::vector<std::pair<std::size_t, std::int32_t>>& changes, std::int32_t sign);

  ClusterSimulation& cluster_;
  const RepackCandidates& candidates_;
  const RepackRequest& request_;
  std::vector<std::int64_t> spare_;     ///< One entry per group.
  std::vector<std::uint32_t> zone_of_;  ///< One entry per instance.
  std::size_t zones_ = 0;
  std::vector<std::int32_t> zone_counts_;  ///< Indexed by name and zone; filled only with keeps_zones.
  Step attempted_;
  bool is_applied_ = false;
  std::vector<Step> steps_;
  std::int64_t moves_ = 0;
  std::int64_t weight_ = 0;
  std::int64_t effort_ = 0;
};

}  // namespace bayplan::study

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/described.hpp"
#include "replay/replay.hpp"
#include "replay/task_states.hpp"

namespace bayplan::replay {

/// A snapshot, as far as a replay reads it.
struct Snapshot {
  std::string path;
  Milliseconds at = kNoTime;  ///< endedAt of its manifest; kNoTime without one: before all records.
  Scenario scenario;
};

/// The records of instances: brings them into the cluster, and compares what they say is left with what was computed.
class InstanceBook {
 public:
  /// Notes into `result`. `has_snapshot`: the cluster is known from the beginning.
  InstanceBook(History& history, RecordedCluster& cluster, Requests& requests, TaskStates& tasks,
               const catalog::Catalog& catalog, bool has_snapshot, ReplayResult& result);

  void observe(const InstanceObservation& seen);
  /// Compares a later snapshot, and takes over what it says.
  void check_snapshot(const Snapshot& snapshot);

  /// Whether every old instance was described at that time.
  bool is_known_at(Milliseconds at) const { return at >= all_known_at_; }
  /// Tasks that ran before the records begin, in groups that no record names.
  std::int64_t unknown_tasks() const { return unknown_tasks_; }

 private:
  /// A take or release of one task on one instance, around the time of an observation.
  struct InstanceChange {
    Milliseconds at = 0;
    std::uint32_t task = 0;
    bool is_take = false;
  };
  /// What is known of an instance besides the cluster's state.
  struct InstanceRecord {
    std::vector<InstanceChange> changes;  ///< By time.
    bool is_checked = false;              ///< Its resources were stated once: later ones can be compared.
    std::int32_t version = 0;
    std::uint32_t description = kNoIndex;
  };

  void find_providers();
  void make_changes();
  void find_time_of_knowledge();
  bool compare(std::uint32_t instance, const InstanceObservation& seen, const RemainingResources& remaining);
  bool is_equal_nearby(std::uint32_t instance, const InstanceObservation& seen, const RemainingResources& remaining);
  void infer_lost_stop(std::uint32_t instance, const RemainingResources& remaining);
  std::optional<std::uint32_t> instance_of(const InstanceObservation& seen);
  RemainingResources remaining_of(const InstanceObservation& seen) const;
  InstanceRecord& record_of(std::uint32_t instance) { return records_[arn_of_[instance]]; }
  void add_known_tasks(std::uint32_t instance, Milliseconds at);
  std::optional<model::DescribedInstance> described_of(std::uint32_t instance, std::uint32_t description) const;
  std::string explanation(std::uint32_t instance, const RemainingResources& remaining) const;

  History& history_;
  RecordedCluster& cluster_;
  Requests& requests_;
  TaskStates& tasks_;
  const catalog::Catalog& catalog_;
  ReplayResult& result_;
  std::unordered_map<NameId, InstanceRecord> records_;  ///< By ARN; looked up only.
  std::vector<NameId> arn_of_;                          ///< One entry per instance of the cluster.
  std::unordered_map<NameId, NameId> provider_of_;      ///< By ARN of the instance; looked up only.
  Milliseconds all_known_at_ = kNoTime;                 ///< When the last old instance is first described.
  std::int64_t unknown_tasks_ = 0;
};

}  // namespace bayplan::replay

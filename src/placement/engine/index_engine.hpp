#pragma once
#include <array>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "placement/engine/chooser.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/index/class_index.hpp"
#include "placement/index/nearest_index.hpp"

namespace bayplan::placement {

/// Chooses with an index for each task class, made at its first attempt and dropped after its last. Services that
/// differ in their groups alone share one while their tasks are on a few instances: thousands of small services of one
/// size need one. An index follows what is taken, freed and changed; where an attribute of an instance changes, or
/// instances come in numbers, all indices are rebuilt.
class IndexChooser : public Chooser {
 public:
  explicit IndexChooser(const Occupancy& occupancy);

  /// What a task of the class must pass. To be asked for again after the cluster has changed.
  const Filter& filter_of(std::uint32_t task_class);

  /// Draws from here on as a new chooser would.
  virtual void draw_anew() { generator_.seed(occupancy_.scenario().seed); }

  std::optional<Choice> choose(std::uint32_t task_class) override;
  bool has_place(std::uint32_t task_class) override;
  Failure explain(const PlacementAttempt& attempt, std::uint32_t task_class, bool in_full) override;
  void forget(std::uint32_t workload) override;

 private:
  /// The index of classes that differ in their groups alone.
  struct SharedIndex {
    std::uint32_t first_class = 0;
    bool is_wanted = false;  ///< By a second class.
    std::unique_ptr<Filter> filter;
    std::unique_ptr<Chain> chain;
    std::unique_ptr<ClassIndex> index;
  };

  /// What is known of one class; the index refers to the others.
  struct ClassState {
    ClassState(const Occupancy& occupancy, std::uint32_t workload, ProfileChecks& checks);
    Filter filter;
    Chain chain;
    std::unique_ptr<ClassIndex> index;
    std::unique_ptr<NearestIndex> nearest;
    SharedIndex* shared = nullptr;  ///< Null before the first attempt.
  };

  ClassState& class_state(std::uint32_t task_class);
  SharedIndex& shared_of(std::uint32_t task_class);
  ClassIndex* find_shared_index(std::uint32_t task_class);
  ClassIndex& index_of(std::uint32_t task_class);
  template <class AskShared, class AskOwn>
  auto ask(std::uint32_t task_class, AskShared ask_shared, AskOwn ask_own);
  void follow_cluster();
  AttributePartition& partition_by(const std::vector<std::string>& attributes);
  RemainingOrder* find_order(const AttributePartition& partition, const std::vector<Strategy>& fields);

  const Occupancy& occupancy_;
  std::mt19937_64 generator_;
  std::uint64_t changes_;  ///< Changes of the cluster that the profile checks and partitions include.
  std::uint64_t seen_;     ///< Position in the history of the last of them.
  ProfileChecks checks_;
  std::map<std::vector<std::string>, std::unique_ptr<AttributePartition>> partitions_;
  std::vector<std::unique_ptr<RemainingOrder>> orders_;
  /// Keyed by Filter::least_room: of thousands of sizes few are equal, and only classes of one size are compared.
  std::map<std::array<std::int64_t, 6>, std::list<SharedIndex>> shared_;
  std::vector<std::unique_ptr<ClassState>>
      known_;  ///< One entry per task class; refers to the others, so it is declared last.
};

}  // namespace bayplan::placement

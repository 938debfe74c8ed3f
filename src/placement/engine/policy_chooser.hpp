#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "placement/engine/chooser.hpp"
#include "placement/engine/index_engine.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/policy/policy_score.hpp"
#include "placement/policy/score_table.hpp"

namespace bayplan::placement {

/// What one task of this requirement is to a policy on an instance of the profile: CPU units, MiB, and thousandths of a
/// GPU. A share by memory (MPS) is the rounded-up part of one GPU's memory.
PolicyTask policy_task(const capacity::TaskRequirement& requirement, const InstanceProfile& profile);

/// What is left of the instance. `affinities` stay empty.
PolicyNode policy_node(const InstanceState& state, std::uint32_t profile);

/// Chooses by Scenario::policy, which must be set, in place of the strategies. Every check of ECS stays. A tie goes to
/// the first instance in file order, or is drawn under TieOrder::kDrawn; first fit draws nothing, random always.
class PolicyChooser : public Chooser {
 public:
  explicit PolicyChooser(const Occupancy& occupancy);

  std::optional<Choice> choose(std::uint32_t task_class) override;
  bool has_place(std::uint32_t task_class) override { return index_.has_place(task_class); }
  Failure explain(const PlacementAttempt& attempt, std::uint32_t task_class, bool in_full) override {
    return index_.explain(attempt, task_class, in_full);
  }
  void forget(std::uint32_t workload) override;

 private:
  /// Scores of the tasks of one class.
  struct ClassScores {
    ScoreTable scores;
    std::uint64_t seen = 0;     ///< Touches of the history that the scores include.
    std::uint64_t changes = 0;  ///< Changes of the cluster that they include.
  };

  PolicyNode node_of(std::uint32_t instance) const;
  void update(ClassScores& own, std::uint32_t task_class, std::uint32_t instance);
  ClassScores& scores_of(std::uint32_t task_class);

  const Occupancy& occupancy_;
  IndexChooser index_;  ///< Filters and explanations.
  std::mt19937_64 generator_;
  PolicyContext context_;
  std::vector<capacity::TaskRequirement> running_;
  std::vector<std::vector<const capacity::TaskRequirement*>> requirements_of_group_;
  std::vector<std::unique_ptr<ClassScores>> known_;  ///< One entry per task class.
};

}  // namespace bayplan::placement

#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "replay/judge.hpp"
#include "replay/replay.hpp"
#include "replay/task_states.hpp"
#include "replay/tie_rules.hpp"

namespace bayplan::replay {

/// What a placement needs to be judged; or why it cannot be.
struct Question {
  std::uint32_t task_class = kNoIndex;
  std::uint32_t instance = 0;
  std::string_view provider;
  std::optional<NotJudged> obstacle;
};

/// Counts judged decisions into the result.
class Tally {
 public:
  /// `donates`: the beginning of the ID of the task whose disagreement is kept without names.
  Tally(const History& history, RecordedCluster& cluster, const TaskStates& tasks, Judge& judge, TieRules& ties,
        const std::optional<std::string>& donates, ReplayResult& result)
      : history_(history),
        cluster_(cluster),
        tasks_(tasks),
        judge_(judge),
        ties_(ties),
        donates_(donates),
        result_(result) {}

  /// A judged decision. `best`: its best instances. `is_now`: the cluster is as it was at its time.
  void record(std::uint32_t task, const Question& question, const Ruling& ruling, double chance,
              const std::vector<std::uint32_t>& best, bool is_now);
  /// A decision that is a hit in some orders of the placements of its time.
  void count_ambiguous(std::uint32_t task, const Question& question);
  void count_not_judged(std::uint32_t task, NotJudged why);
  /// Moves the sums into the result.
  void finish();

 private:
  void compare_choices(const Question& question, const Ruling& ruling);
  void note_disagreement(std::uint32_t task, const Question& question, const Ruling& ruling,
                         const std::vector<std::uint32_t>& best, bool is_now);
  std::uint32_t cluster_of_trials(const RecordedTask& task, std::uint32_t index);

  const History& history_;
  RecordedCluster& cluster_;
  const TaskStates& tasks_;
  Judge& judge_;
  TieRules& ties_;
  const std::optional<std::string>& donates_;
  ReplayResult& result_;
  std::map<std::string, AgreementPart> by_strategy_;
  std::map<std::string, AgreementPart> by_group_;
  std::map<Variation, ChoiceFit> choices_;
  std::unordered_map<std::string, std::uint32_t> trial_clusters_;  ///< Looked up only.
};

}  // namespace bayplan::replay

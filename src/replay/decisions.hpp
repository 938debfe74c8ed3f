#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "replay/instance_book.hpp"
#include "replay/judge.hpp"
#include "replay/replay.hpp"
#include "replay/task_states.hpp"
#include "replay/tie_rules.hpp"
#include "replay/timeline.hpp"

namespace bayplan::replay {

/// A placement is judged with this; `obstacle` says why it cannot be.
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

  /// Counts a judged decision. `best`: its best instances. `is_now`: the cluster is as it was at its time.
  void record(std::uint32_t task, const Question& question, const Ruling& ruling, double chance,
              const std::vector<std::uint32_t>& best, bool is_now);
  /// Counts a decision that is a hit in some orders of the placements of its time.
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

/// Judges the placements of the records, each in the cluster of its time, and puts the tasks there.
class Decisions {
 public:
  /// Counts into `tally`, and notes the tasks as work into `result`.
  Decisions(const History& history, RecordedCluster& cluster, Requests& requests, TaskStates& tasks,
            const InstanceBook& instances, Judge& judge, TieRules& ties, Tally& tally, ReplayResult& result)
      : history_(history),
        cluster_(cluster),
        requests_(requests),
        tasks_(tasks),
        instances_(instances),
        judge_(judge),
        ties_(ties),
        tally_(tally),
        result_(result) {}

  /// Judges and applies everything that happens to tasks at one time.
  void run(std::span<const TimelineItem> block);
  /// Counts the decisions whose verdict depends on the order of placements of one time.
  void settle_orders();

 private:
  using Kind = TimelineItem::Kind;

  /// A decision whose verdict depends on the order of placements of one time.
  struct OrderedDecision {
    std::uint32_t task = 0;
    Question question;
    Ruling ruling;  ///< In the order of the records.
    std::vector<std::uint32_t> best;
    double hits = 0;  ///< Share of the orders in which it is a hit.
    double chance = 0;
  };
  /// One item of a block, and what was ruled in the orders that were tried.
  struct Step {
    TimelineItem item;
    Question question;
    std::int64_t hits = 0, misses = 0, outs = 0;
    double chances = 0;

    bool is_judged() const { return item.kind == Kind::kDecision && !question.obstacle; }
  };

  Question question_of(const RecordedTask& task);
  void probe(std::uint32_t task);
  void decide(std::uint32_t task);
  void decide_block(std::span<const TimelineItem> block);
  std::vector<Step> steps_of(std::span<const TimelineItem> block);
  bool are_alike(const std::vector<Step>& steps) const;
  std::size_t try_orders(std::vector<Step>& steps);
  void apply(Step& step);
  void conclude(const Step& step, std::size_t orders);
  void take(std::uint32_t task);
  void note_run(std::uint32_t task, const Question& question);
  bool is_in_doubt(const Question& question);
  bool is_best_set_sure(const Question& question);

  const History& history_;
  RecordedCluster& cluster_;
  Requests& requests_;
  TaskStates& tasks_;
  const InstanceBook& instances_;
  Judge& judge_;
  TieRules& ties_;
  Tally& tally_;
  ReplayResult& result_;
  std::unordered_map<std::uint32_t, std::pair<Verdict, bool>> probes_;  ///< By task; looked up only.
  std::vector<OrderedDecision> ordered_;
  std::size_t order_rulings_ = 0;  ///< Spent on orders of placements of one time.
};

}  // namespace bayplan::replay

#pragma once
/// The parts of a replay that its files share; no file outside of the folder includes it.
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "model/described.hpp"
#include "replay/judge.hpp"
#include "replay/recorded_cluster.hpp"
#include "replay/replay.hpp"
#include "replay/terms.hpp"
#include "replay/tie_rules.hpp"

namespace bayplan::replay {

/// A snapshot, as far as a replay reads it.
struct Snapshot {
  std::string path;
  Milliseconds at = kNoTime;  ///< endedAt of its manifest; kNoTime without one: before all records.
  Scenario scenario;
};

/// What happens at one time. At equal times the order of the kinds decides.
struct TimelineItem {
  enum class Kind : std::uint8_t {
    kTerms,    ///< Index into History::services.
    kStopped,  ///< Index into History::tasks, as the next three.
    kStopping,
    kProbe,  ///< A task begins to wait for its instance: judged here and at kDecision.
    kDecision,
    kCallFailure,  ///< Index into History::calls.
    kFailure,      ///< Index into History::failures.
    kObservation,  ///< Index into History::observations.
    kSnapshot,     ///< Index into the snapshots.
    kPresumedEnd,  ///< Index into History::tasks: no task of its definition runs longer.
    kUnseenBegin,  ///< Index into History::tasks: it may run from now on; no record has its placement.
    kUnseenEnd,
  };
  Milliseconds at = 0;
  std::uint32_t index = 0;
  Kind kind = Kind::kDecision;
};

class Replayer {
 public:
  /// `definitions`: a scenario with nothing but definitions, for records without a snapshot.
  Replayer(History history, std::vector<Snapshot> snapshots, Scenario definitions, const ReplayRequest& request,
           const catalog::Catalog& catalog);
  ReplayResult run() &&;

 private:
  using Kind = TimelineItem::Kind;

  /// A task while the records are replayed.
  struct TaskState {
    std::uint32_t held = kNoIndex;      ///< Index into `held_`.
    std::uint32_t instance = kNoIndex;  ///< Of the cluster.
    bool is_held = false;
    bool counts = false;  ///< In its group.
  };
  /// What a placement needs to be judged; or why it cannot be.
  struct Question {
    std::uint32_t task_class = kNoIndex;
    std::uint32_t instance = 0;
    std::string_view provider;
    std::optional<NotJudged> obstacle;
  };
  /// A decision whose verdict depends on the order of placements of one time.
  struct OrderedDecision {
    std::uint32_t task = 0;
    Question question;
    Ruling ruling;  ///< In the order of the records.
    std::vector<std::uint32_t> best;
    double hits = 0;  ///< Share of the orders in which it is a hit.
    double chance = 0;
  };
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

  // Setting up.
  void choose_cluster();
  void use_definitions();
  void use_snapshot_tasks();
  void note_running(const RunningTask& running, Milliseconds stopped);
  void find_providers();
  void make_timeline();
  void make_changes();
  void find_open_tasks();
  void find_unseen_tasks(const std::map<NameId, std::vector<Milliseconds>>& durations);
  bool is_own(NameId cluster) const;
  Milliseconds decision_time(const RecordedTask& task) const;

  // Running.
  void run_timeline();
  void apply_terms(std::uint32_t service);
  void observe(std::uint32_t index);
  void check_snapshot(const Snapshot& snapshot);
  void judge_failure(const RecordedFailure& failure);
  void judge_call_failures(const RecordedCall& call);
  void judge_failure_of(JudgedFailure judged, std::optional<std::uint32_t> task_class,
                        const std::vector<std::uint32_t>& instances);
  std::size_t run_block(std::size_t begin);
  bool is_in_doubt(const Question& question);
  bool is_best_set_sure(const Question& question);
  void begin_unseen(std::uint32_t task);
  void end_unseen(std::uint32_t task);

  // Placements.
  Question question_of(const RecordedTask& task);
  void decide(std::uint32_t task);
  void decide_block(const std::vector<TimelineItem>& block);
  /// A judged decision. `best`: its best instances. `is_now`: the cluster is as it was at its time.
  void record(std::uint32_t task, const Question& question, const Ruling& ruling, double chance,
              const std::vector<std::uint32_t>& best, bool is_now);
  void settle_orders();
  void count_not_judged(std::uint32_t task, NotJudged why);
  void compare_choices(const Question& question, const Ruling& ruling);
  void note_disagreement(std::uint32_t task, const Question& question, const Ruling& ruling,
                         const std::vector<std::uint32_t>& best, bool is_now);
  void note_run(std::uint32_t task, const Question& question);
  void take(std::uint32_t task);
  void stop_counting(std::uint32_t task);
  void release(std::uint32_t task);

  // Classes and terms.
  std::optional<std::uint32_t> terms_of(const RecordedTask& task);
  std::optional<std::uint32_t> terms_of_call(std::uint32_t call);
  std::uint32_t add_terms(PlacementTerms terms);
  std::uint32_t held_of(const RecordedTask& task);
  std::uint32_t class_of(std::uint32_t held, std::uint32_t definition, std::uint32_t terms, std::string group);
  std::optional<std::uint32_t> definition_named(std::string_view name) const;
  std::optional<std::uint32_t> class_of_failure(std::uint32_t terms, const std::string& name, const std::string& group);
  std::uint32_t cluster_of_trials(const RecordedTask& task, std::uint32_t index);
  std::optional<std::vector<std::string>> zones_of(const std::vector<std::string>& subnets) const;
  static AgreementPart& part_of(std::map<std::string, AgreementPart>& parts, const std::string& name,
                                const PlacementClass& what);

  // Bookkeeping.
  bool compare(std::uint32_t instance, const InstanceObservation& seen, const RemainingResources& remaining);
  bool is_equal_nearby(std::uint32_t instance, const InstanceObservation& seen, const RemainingResources& remaining);
  void infer_lost_stop(std::uint32_t instance, const RemainingResources& remaining);
  std::optional<std::uint32_t> instance_of(const InstanceObservation& seen);
  RemainingResources remaining_of(const InstanceObservation& seen) const;
  InstanceRecord& record_of(std::uint32_t instance);
  void add_known_tasks(std::uint32_t instance, Milliseconds at);
  std::optional<model::DescribedInstance> described_of(std::uint32_t instance, std::uint32_t description) const;
  std::string explanation(std::uint32_t instance, const RemainingResources& remaining) const;

  ReplayResult result_;
  History& history_;
  std::vector<Snapshot> snapshots_;
  const ReplayRequest& request_;
  const catalog::Catalog& catalog_;
  std::string region_ = "us-east-1";
  std::vector<std::shared_ptr<const text::Document>> documents_;
  std::unique_ptr<RecordedCluster> cluster_;
  std::unique_ptr<Judge> judge_;
  std::unique_ptr<TieRules> ties_;
  Milliseconds start_ = kNoTime;  ///< Time of the first snapshot.
  std::vector<TimelineItem> timeline_;
  std::vector<TaskState> tasks_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> devices_;  ///< By task; looked up only.
  std::deque<HeldResources> held_;
  std::map<std::tuple<NameId, CpuUnits, MiB, NameId>, std::uint32_t> held_numbers_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string>, std::uint32_t> class_numbers_;
  std::deque<PlacementTerms> terms_;
  std::map<std::string, std::uint32_t, std::less<>> service_terms_;
  std::map<NameId, std::uint32_t> call_terms_;  ///< By request.
  std::optional<std::uint32_t> stated_terms_;
  std::optional<std::uint32_t> unknown_terms_;                          ///< Of running tasks whose call is unknown.
  std::unordered_map<NameId, InstanceRecord> instance_records_;         ///< By ARN; looked up only.
  std::vector<NameId> arn_of_;                                          ///< One entry per instance of the cluster.
  std::unordered_map<NameId, NameId> provider_of_;                      ///< By ARN of the instance; looked up only.
  std::vector<std::vector<GroupTasks>> stopping_;                       ///< One entry per instance of the cluster.
  std::unordered_map<std::uint32_t, std::pair<Verdict, bool>> probes_;  ///< By task; looked up only.
  NameId own_cluster_ = kNoName;
  Milliseconds all_known_at_ = kNoTime;  ///< Without a snapshot: when the last old instance is first described.
  std::map<std::string, AgreementPart> by_strategy_;
  std::map<std::string, AgreementPart> by_group_;
  std::map<Variation, ChoiceFit> choices_;
  std::unordered_map<std::string, std::uint32_t> trial_clusters_;  ///< Looked up only.
  std::vector<OrderedDecision> ordered_;
  std::vector<bool> is_open_;                ///< One entry per task: its end should have a record, and has none.
  std::vector<std::uint32_t> open_tasks_;    ///< Held, and perhaps ended: no record says so.
  std::vector<std::uint32_t> unseen_tasks_;  ///< Not held, and perhaps running: no record has their placement.
  std::vector<std::uint32_t> doubts_;        ///< Of both, by instance of the cluster.
  std::size_t order_rulings_ = 0;            ///< Spent on orders of placements of one time.
  std::int64_t unknown_tasks_ = 0;           ///< Ran before the records begin, in groups that no record names.
};

}  // namespace bayplan::replay

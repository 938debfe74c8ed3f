#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "base/files.hpp"
#include "base/limits.hpp"
#include "base/result.hpp"
#include "catalog/catalog.hpp"
#include "placement/model/scenario.hpp"
#include "replay/agreement.hpp"
#include "replay/donated_case.hpp"
#include "replay/records/history.hpp"
#include "replay/tie_rules.hpp"

namespace bayplan::replay {

/// What the command line asks for.
struct ReplayRequest {
  std::vector<std::string> paths;        ///< Records, and folders of describe output (snapshots).
  std::vector<std::string> definitions;  ///< Files of task definitions, in addition to those of the snapshots.
  std::vector<Strategy> strategies;      ///< Of tasks whose request no record has.
  bool has_strategies = false;
  std::optional<std::string> cluster;  ///< Name, if the records are of several.
  /// Makes a donated case of the disagreement about the task whose ID begins so; empty = of the first one.
  std::optional<std::string> donates;
  /// The largest line, and the largest text that is read as a whole, of a file of records. Such a text is in memory.
  std::size_t record_bytes = std::size_t{192} << 20;
};

/// Why a placement was not judged.
enum class NotJudged : std::uint8_t {
  kNoStateYet,
  kNoTaskDefinition,
  kStrategyUnknown,
  kTimeUnknown,
  kOrderAmbiguous,
  kNotADecision,
  kInstanceUnknown,
  kManagedInstances,
  kBeforeSnapshot,
  kEndUnknown,
};
inline constexpr std::size_t kNotJudgedKinds = 10;
std::string_view word_of(NotJudged why);    ///< "no-state-yet": as reports in JSON say it.
std::string_view words_for(NotJudged why);  ///< "the state of an instance is not recorded yet"

struct NotJudgedCount {
  std::int64_t count = 0;
  std::string example;  ///< ID of the first task.
  RecordPlace place;
};

/// A recorded choice that is not among the best by the rules that bayplan simulates.
struct Disagreement {
  std::uint32_t task = 0;  ///< Index into History::tasks.
  std::string task_id;
  std::string group;
  std::string definition;
  std::string instance;
  std::string zone;
  Milliseconds at = kNoTime;
  Verdict verdict = Verdict::kMiss;
  std::uint32_t eligible = 0;
  std::uint32_t best = 0;
  std::uint32_t rank = 0;  ///< From 1.
  std::string strategy;    ///< The first in which it is not best.
  std::int64_t regret = 0;
  std::vector<std::string> failed;    ///< "RESOURCE:MEMORY", of kOut.
  std::vector<std::string> expected;  ///< The first of the best instances.
  RecordPlace place;
};

/// The figures of one strategy or one group.
struct AgreementPart {
  std::string name;
  Agreement sums;
};

/// A recorded placement failure.
struct JudgedFailure {
  std::string name;      ///< Service or family.
  std::string instance;  ///< Of the reason; may be empty.
  std::string reason;    ///< "RESOURCE:CPU"
  Milliseconds at = kNoTime;
  bool is_known = false;               ///< The request could be simulated.
  bool fails = false;                  ///< The simulation places it nowhere.
  bool has_reason = false;             ///< The recorded reason is among the simulated ones.
  std::vector<std::string> simulated;  ///< Reasons.
  RecordPlace place;
};

/// A record of an instance whose remaining resources are others than computed.
struct BookkeepingDifference {
  std::string instance;
  std::string resource;  ///< "CPU"
  std::string computed;
  std::string recorded;
  std::string explained;  ///< "+10 CPU, +300 MiB: the size of web:3", or empty.
  Milliseconds at = kNoTime;
  RecordPlace place;
};

struct Bookkeeping {
  std::int64_t compared = 0;
  std::int64_t equal = 0;
  std::int64_t within_second = 0;  ///< Of the equal ones: after a change within a second before or after it.
  std::int64_t lost_stops = 0;     ///< Tasks whose end no record has, inferred from what became free.
  std::vector<BookkeepingDifference> differences;  ///< The first kMostListed.
};
inline constexpr std::size_t kMostListed = 1000;

/// One of the choices that AWS does not document, made as bayplan does or otherwise, where that changes the best.
struct ChoiceFit {
  Variation variation = Variation::kAsSimulated;
  std::int64_t decisions = 0;
  std::int64_t hits = 0;                ///< As bayplan chooses.
  std::int64_t other_hits = 0;          ///< Otherwise.
  double chance = 0, other_chance = 0;  ///< Sums.
};
std::string_view word_of(Variation variation);

/// A placed task as work: what was asked for, when, and how long it ran.
struct RecordedRun {
  Milliseconds at = kNoTime;
  Milliseconds stopped = kNoTime;  ///< kNoTime = it runs on.
  std::uint32_t request = 0;       ///< Index into ReplayResult::requests.
};

/// An instance, and when it joined and left.
struct RecordedMember {
  std::uint32_t instance = 0;   ///< Index into Scenario::instances.
  Milliseconds from = kNoTime;  ///< kNoTime = from the beginning.
};

struct ReplayResult {
  History history;
  Scenario scenario;    ///< The cluster at the end, its definitions and services.
  std::string cluster;  ///< Name.
  std::size_t snapshots = 0;
  Milliseconds first = kNoTime, last = kNoTime;  ///< Of the placements.
  std::int64_t placements = 0;                   ///< Tasks that ECS placed on container instances.
  Agreement all;
  std::vector<AgreementPart> by_strategy;
  std::vector<AgreementPart> by_group;
  std::array<NotJudgedCount, kNotJudgedKinds> not_judged{};
  std::int64_t disagreement_count = 0;
  std::int64_t not_eligible = 0;
  std::map<std::string, std::int64_t> failed_checks;  ///< Of choices that are not eligible, by reason.
  std::vector<Disagreement> disagreements;            ///< The first kMostListed.
  std::int64_t failures_known = 0, failures_agreeing = 0, failures_with_reason = 0;
  std::vector<JudgedFailure> failures;  ///< The first kMostListed.
  Bookkeeping bookkeeping;
  std::vector<TieRuleFit> tie_rules;
  std::int64_t ties = 0;
  std::vector<ChoiceFit> choices;
  std::int64_t ordered = 0;        ///< Decisions judged in the order of the records, which explains them better.
  std::int64_t unseen_tasks = 0;   ///< Tasks that agents report and whose placement has no record.
  std::int64_t presumed_ends = 0;  ///< Tasks whose end was lost, and which are presumed to end like others.
  std::vector<Assumption> assumptions;
  std::optional<Result<DonatedCase>> donated;
  Milliseconds start = kNoTime;         ///< Of the first snapshot.
  std::vector<Workload> requests;       ///< What the tasks of `runs` ask for.
  std::vector<RecordedRun> runs;        ///< By time; placements whose definition is known.
  std::int64_t unknown_runs = 0;        ///< Placements whose definition or strategy is unknown.
  std::vector<RecordedMember> members;  ///< Instances that were described after the beginning.
};

/// The result of a replay, or the errors that prevent it.
struct LoadedReplay {
  std::optional<ReplayResult> result;
  std::vector<Error> errors;
};

/// Reads the records, rebuilds the cluster over time and judges every placement that they allow to judge. `catalog`
/// takes up types that snapshots describe and must outlive the result.
LoadedReplay replay(const ReplayRequest& request, const Files& files, catalog::Catalog& catalog, const Limits& limits);

/// "binpack:memory, spread:instanceId"; "random" if there are none.
std::string strategy_words(const std::vector<Strategy>& strategies);

}  // namespace bayplan::replay

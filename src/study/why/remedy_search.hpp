#pragma once
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"
#include "study/scenario_change.hpp"
#include "study/whatif/what_if.hpp"
#include "study/why/additions.hpp"
#include "study/why/remedies.hpp"

/// Shared by the files that look for remedies; no other file includes it.
namespace bayplan::study {

/// One task of a workload; a change that adds attempts elsewhere does not rename it.
struct AskedTask {
  std::uint32_t workload = 0;
  std::int64_t position = 0;  ///< Position among the workload's tasks, counted from 0.
};

AskedTask asked_task(const placement::Outcome& outcome, const placement::PlacementAttempt& attempt);

/// Where the task went; nothing when it was not placed.
std::optional<std::uint32_t> instance_of(const placement::Outcome& outcome, const AskedTask& task);

/// Places changed scenarios while the effort lasts. Effort is counted, never timed: the same input tries the same.
class Trials {
 public:
  /// Instances, running tasks and attempts of one trial together count as its effort.
  explicit Trials(std::int64_t effort) : effort_(effort) {}

  struct Placed {
    placement::Scenario scenario;  ///< The scenario with the change.
    placement::Outcome outcome;
  };

  /// The effort allows another trial of the scenario.
  bool affords(const placement::Scenario& scenario);
  /// What the change leads to; nothing when the effort does not allow another trial.
  std::optional<Placed> place_with(const placement::Scenario& scenario, const ScenarioChange& change);

  /// A change was simulated on the present cluster, without placing the scenario again.
  void count_simulated() { ++count_; }

  std::int64_t count() const { return count_; }
  bool exhausted() const { return exhausted_; }  ///< A trial was refused.

 private:
  std::int64_t effort_;
  std::int64_t count_ = 0;
  bool exhausted_ = false;
};

/// What the looking shares: the task, the trials, and what was found.
class RemedySearch {
 public:
  RemedySearch(const PlacementTrace& trace, const Snapshot& snapshot, std::int64_t effort);

  const PlacementTrace& trace() const { return inquiry_; }
  const Snapshot& snapshot() const { return snapshot_; }
  const placement::Scenario& scenario() const { return inquiry_.scenario(); }
  std::uint32_t workload() const { return inquiry_.attempt().workload; }
  const capacity::TaskRequirement& requirement() const { return inquiry_.workload().requirement; }

  /// Rejections that fail nothing but `checks`, nearest first, at most kNearest.
  std::vector<const placement::Rejection*> failing_only(std::initializer_list<placement::Check> checks) const;

  /// Simulates the change from the first placement; keeps it when it places the task and leaves fewer tasks out than
  /// before.
  /// `may_go_to`: says of the instance where the task would be placed whether that is a fix; empty: it is.
  using MayGoTo = std::function<bool(std::uint32_t)>;
  bool offer(ScenarioChange change, std::optional<MicroUsd> hourly_cost = 0, std::int64_t holders = 0,
             const MayGoTo& may_go_to = {});
  /// Does the same at the task's attempt, for that task alone.
  bool offer_at_attempt(ScenarioChange change, std::optional<MicroUsd> hourly_cost = 0);
  /// Tries a change from the first placement, and if that does not help at the attempt itself.
  bool offer_either(const ScenarioChange& change, std::optional<MicroUsd> hourly_cost = 0,
                    const std::vector<scenario::InstancesArgument>& added = {});
  /// The fewest of the instance with which a task of the workload is placed, if they are added once the cluster has
  /// placed what it can: other tasks that wait come first. Nothing if no number of them helps.
  std::optional<std::int64_t> enough_later(const Addition& one);
  /// Whether `offer` would keep it.
  bool would_help(const ScenarioChange& change);

  Remedies finish() &&;

  static constexpr std::size_t kNearest = 12;

 private:
  /// Not so of a group that is placed as a whole: one place more may not be enough.
  bool is_single_attempt() const;

  struct RemedyTrial {
    std::uint32_t instance = 0;
    std::int64_t still_unplaced = 0;
    Trials::Placed placed;
  };
  std::optional<RemedyTrial> try_from_start(const ScenarioChange& change);
  std::optional<RemedyTrial> try_at_attempt(const ScenarioChange& change);
  void check(const Trials::Placed& placed);
  std::optional<std::uint32_t> beside_the_others(const ScenarioChange& change);

  const PlacementTrace& inquiry_;
  const Snapshot& snapshot_;
  std::optional<WhatIf> settled_;  ///< The placed cluster, made when it is first asked.
  AskedTask asked_;
  Trials trials_;
  Remedies found_;
};

void try_availability(RemedySearch& search);  ///< DRAINING instances, disconnected agents.
void try_ports(RemedySearch& search);
void try_strategies(RemedySearch& search);  ///< Tries other strategies and another order of earlier placements.
void try_request(RemedySearch& search);     ///< Zones, provider, constraints.
void try_moves(RemedySearch& search);       ///< Another task moves, or ends.
void try_size(RemedySearch& search);
void try_instances(RemedySearch& search);  ///< Trunking, attributes.
void try_more_instances(RemedySearch& search, const catalog::Catalog* catalog);

}  // namespace bayplan::study

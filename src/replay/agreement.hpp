#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "replay/judge.hpp"
#include "replay/statistics.hpp"

namespace bayplan::replay {

/// Counts how often the chosen instance is among the best by one strategy entry. Only decisions are counted in which
/// all entries before it allow the chosen instance.
struct LevelSum {
  std::string strategy;        ///< "binpack:memory"
  std::int64_t decisions = 0;  ///< Decisions in which the entry excludes some of at least two candidates.
  std::int64_t kept = 0;       ///< The chosen instance is among the best.
  double chance = 0;           ///< Sum of (best / candidates).
};

/// Sums over judged decisions.
struct Agreement {
  std::int64_t judged = 0;
  std::int64_t eligible = 0;     ///< The chosen instance passes every check.
  std::int64_t informative = 0;  ///< The strategies exclude some eligible instance.
  std::int64_t hits = 0;         ///< Informative decisions whose instance is among the best.
  std::int64_t ambiguous = 0;    ///< Not judged, as the order of placements is unknown: hits or misses.
  std::int64_t rank_count = 0;
  double rank_sum = 0;  ///< Share of the other eligible instances that rank before the chosen one; equals count half.
  double luck_sum = 0;  ///< Sum of 1 / best over hits.
  std::int64_t all_hits = 0;                       ///< Hits of all decisions, informative or not.
  std::vector<double> chances;                     ///< The chance of a random choice in each informative decision.
  std::map<std::uint32_t, TrialCluster> clusters;  ///< By call or deployment.
  std::vector<LevelSum> levels;

  void add(const Ruling& ruling, double chance, std::uint32_t cluster);
};

/// The figures of a report. Shares are from 0 to 1 and have no meaning without informative decisions.
struct AgreementFigures {
  double agreement = 0;
  double baseline = 0;  ///< Expected of a random choice among the eligible instances.
  double skill = 0;
  double p_value = 1;    ///< P(a random choice has this many hits).
  Interval interval;     ///< The wider of Wilson's and the clustered one.
  Interval bounds;       ///< All ambiguous decisions as misses, and as hits.
  double mean_rank = 0;  ///< 0 = always first, 0.5 = random.
  double own_pick = 0;   ///< Expected hits of a tool that takes one of the best, given a hit: luck, not knowledge.
};
AgreementFigures figures_of(const Agreement& agreement);

}  // namespace bayplan::replay

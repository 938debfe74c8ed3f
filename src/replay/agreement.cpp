#include "replay/agreement.hpp"

#include <algorithm>
#include <numeric>

namespace bayplan::replay {

void Agreement::add(const Ruling& ruling, double chance, std::uint32_t cluster) {
  ++judged;
  if (ruling.verdict != Verdict::kOut) ++eligible;
  const bool is_hit = ruling.verdict == Verdict::kHit;
  if (is_hit) {
    ++all_hits;
    luck_sum += 1.0 / static_cast<double>(std::max(1u, ruling.best));
  }
  for (std::size_t i = 0; i < ruling.levels.size() && i < levels.size(); ++i) {
    const auto& level = ruling.levels[i];
    const bool reached = ruling.verdict != Verdict::kOut && (i == 0 || ruling.levels[i - 1].is_kept);
    if (!reached || level.after >= level.before) continue;
    ++levels[i].decisions;
    levels[i].kept += level.is_kept ? 1 : 0;
    levels[i].chance += static_cast<double>(level.after) / level.before;
  }
  if (ruling.eligible > 1 && ruling.verdict != Verdict::kOut && ruling.is_informative()) {
    ++rank_count;
    rank_sum += (ruling.better + (ruling.equal - 1) / 2.0) / (ruling.eligible - 1);
  }
  if (!ruling.is_informative()) return;
  ++informative;
  hits += is_hit ? 1 : 0;
  chances.push_back(chance);
  auto& own = clusters[cluster];
  ++own.trials;
  own.hits += is_hit ? 1 : 0;
}

AgreementFigures figures_of(const Agreement& agreement) {
  AgreementFigures figures;
  const std::int64_t trials = agreement.informative;
  const auto share = [](std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
  };
  figures.agreement = share(agreement.hits, trials);
  const double chances = std::accumulate(agreement.chances.begin(), agreement.chances.end(), 0.0);
  figures.baseline = trials == 0 ? 0 : chances / static_cast<double>(trials);
  figures.skill = skill(figures.agreement, figures.baseline);
  figures.p_value = chance_of_at_least(agreement.chances, agreement.hits);
  figures.interval = wilson_interval(agreement.hits, trials);
  std::vector<TrialCluster> clusters;
  for (const auto& [number, cluster] : agreement.clusters) clusters.push_back(cluster);
  if (clusters.size() > 1) {
    const Interval clustered = clustered_interval(clusters);
    const bool is_wider = clustered.high - clustered.low > figures.interval.high - figures.interval.low;
    if (is_wider) figures.interval = clustered;
  }
  figures.bounds = {share(agreement.hits, trials + agreement.ambiguous),
                    share(agreement.hits + agreement.ambiguous, trials + agreement.ambiguous)};
  if (agreement.rank_count > 0) figures.mean_rank = agreement.rank_sum / static_cast<double>(agreement.rank_count);
  if (agreement.all_hits > 0) figures.own_pick = agreement.luck_sum / static_cast<double>(agreement.all_hits);
  return figures;
}

}  // namespace bayplan::replay

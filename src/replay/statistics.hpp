#pragma once
#include <cstdint>
#include <vector>

/// Figures of agreement and their uncertainty. Shares are from 0 to 1.
namespace bayplan::replay {

struct Interval {
  double low = 0;
  double high = 1;
};

/// 95 % score interval of a share (E. B. Wilson, Journal of the American Statistical Association 22, 1927). From 0 to 1
/// without trials.
Interval wilson_interval(std::int64_t hits, std::int64_t trials);

/// P(X >= hits) if each trial succeeds by itself with its own chance: the Poisson binomial distribution, exactly up to
/// 5,000 trials, above that by the normal distribution with continuity correction.
double chance_of_at_least(const std::vector<double>& chances, std::int64_t hits);

/// (agreement - baseline) / (1 - baseline), as in Cohen's kappa; 0 if the baseline is 1, where nothing can be shown.
double skill(double agreement, double baseline);

/// Hits and trials that depend on each other: those of one call or of one deployment.
struct TrialCluster {
  std::int64_t hits = 0;
  std::int64_t trials = 0;
};

/// 95 % interval of the share of hits if only the clusters are independent: the percentiles of 2,000 bootstrap draws of
/// clusters with a fixed seed; with more than 5,000 clusters the normal interval with cluster-robust variance, which it
/// approaches.
Interval clustered_interval(const std::vector<TrialCluster>& clusters);

/// Adjusts p-values of several tests by Holm's method (S. Holm, Scandinavian Journal of Statistics 6, 1979).
std::vector<double> holm_adjusted(const std::vector<double>& p_values);

}  // namespace bayplan::replay

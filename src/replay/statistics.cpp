#include "replay/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "placement/model/random.hpp"

namespace bayplan::replay {
namespace {

constexpr double kNormal95 = 1.959963984540054;  ///< 97.5% quantile of the normal distribution.
constexpr std::size_t kMostExactTrials = 5'000;
constexpr std::size_t kMostBootstrapClusters = 5'000;
constexpr std::size_t kDraws = 2'000;

double approximate_tail(const std::vector<double>& chances, std::int64_t hits) {
  double mean = 0, variance = 0;
  for (const double chance : chances) {
    mean += chance;
    variance += chance * (1 - chance);
  }
  if (variance <= 0) return static_cast<double>(hits) <= mean ? 1 : 0;
  const double z = (static_cast<double>(hits) - 0.5 - mean) / std::sqrt(variance);
  return 0.5 * std::erfc(z / std::sqrt(2.0));  // upper tail of the normal distribution
}

Interval bootstrap_interval(const std::vector<TrialCluster>& clusters) {
  std::mt19937_64 generator(1);
  std::vector<double> shares;
  shares.reserve(kDraws);
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    TrialCluster sum;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      const auto& drawn = clusters[placement::draw(generator, clusters.size())];
      sum.hits += drawn.hits;
      sum.trials += drawn.trials;
    }
    shares.push_back(sum.trials == 0 ? 0 : static_cast<double>(sum.hits) / static_cast<double>(sum.trials));
  }
  std::sort(shares.begin(), shares.end());
  return {shares[kDraws / 40], shares[kDraws - 1 - kDraws / 40]};
}

Interval robust_interval(const std::vector<TrialCluster>& clusters, double share, double trials) {
  double variance = 0;
  for (const auto& one : clusters) {
    const double residual = static_cast<double>(one.hits) - share * static_cast<double>(one.trials);
    variance += residual * residual;
  }
  const double half = kNormal95 * std::sqrt(variance) / trials;
  return {std::max(0.0, share - half), std::min(1.0, share + half)};
}

}  // namespace

Interval wilson_interval(std::int64_t hits, std::int64_t trials) {
  if (trials <= 0) return {};
  const double n = static_cast<double>(trials);
  const double share = static_cast<double>(hits) / n;
  const double z2 = kNormal95 * kNormal95;
  const double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
  const double half = kNormal95 / (1 + z2 / n) * std::sqrt(share * (1 - share) / n + z2 / (4 * n * n));
  return {hits == 0 ? 0 : middle - half, hits == trials ? 1 : middle + half};
}

double chance_of_at_least(const std::vector<double>& chances, std::int64_t hits) {
  if (hits <= 0) return 1;
  if (chances.size() > kMostExactTrials) return approximate_tail(chances, hits);
  std::vector<double> exactly(chances.size() + 1, 0);  // exactly[k]: k successes so far
  exactly[0] = 1;
  for (std::size_t done = 0; done < chances.size(); ++done) {
    const double chance = chances[done];
    for (std::size_t k = done + 1; k > 0; --k) exactly[k] = exactly[k] * (1 - chance) + exactly[k - 1] * chance;
    exactly[0] *= 1 - chance;
  }
  double tail = 0;
  for (std::size_t k = exactly.size(); k > static_cast<std::size_t>(hits); --k) tail += exactly[k - 1];
  return std::min(1.0, tail);
}

double skill(double agreement, double baseline) {
  return baseline >= 1 ? 0 : (agreement - baseline) / (1 - baseline);
}

Interval clustered_interval(const std::vector<TrialCluster>& clusters) {
  TrialCluster sum;
  for (const auto& one : clusters) {
    sum.hits += one.hits;
    sum.trials += one.trials;
  }
  if (sum.trials == 0) return {};
  if (clusters.size() <= kMostBootstrapClusters) return bootstrap_interval(clusters);
  const auto trials = static_cast<double>(sum.trials);
  return robust_interval(clusters, static_cast<double>(sum.hits) / trials, trials);
}

std::vector<double> holm_adjusted(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double own = p_values[order[rank]] * static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, own));
    adjusted[order[rank]] = largest;
  }
  return adjusted;
}

}  // namespace bayplan::replay

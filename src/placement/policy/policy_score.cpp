#include "placement/policy/policy_score.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bayplan::placement {
namespace {

constexpr std::int64_t kMaxScore = 100;
constexpr std::int64_t kShare = 1'000'000;  ///< Normalized amounts are millionths of the largest instance.

/// The two amounts that best fit and the dot product weigh, in millionths of the largest instance.
struct Weighed {
  std::int64_t first = 0;
  std::int64_t second = 0;
};

Weighed weigh(const PolicyContext& context, std::int64_t cpu, std::int64_t memory, std::int64_t milli) {
  return {cpu * kShare / context.largest_cpu,
          context.weighs_memory ? memory * kShare / context.largest_memory : milli * kShare / context.largest_milli};
}

std::int64_t score_best_fit(const PolicyContext& context, const PolicyNode& node, const PolicyTask& task) {
  const auto left =
      weigh(context, node.cpu - task.cpu, node.memory - task.memory, node.total_milli() - task.total_milli());
  return kMaxScore * (2 * kShare - left.first - left.second) / (2 * kShare);
}

std::int64_t score_dot_product(const PolicyContext& context, const PolicyNode& node, const PolicyTask& task) {
  const auto left = weigh(context, node.cpu, node.memory, node.total_milli());
  const auto request = weigh(context, task.cpu, task.memory, task.total_milli());
  const std::int64_t product = left.first * request.first + left.second * request.second;
  constexpr std::int64_t kMost = 2 * kShare * kShare;
  return kMaxScore * ((kMost - product) / kShare) / (2 * kShare);
}

std::int32_t count_free(const PolicyNode& node) {
  return static_cast<std::int32_t>(std::count(node.cards.begin(), node.cards.end(), kWholeCard));
}

/// Cards in use score 50 to 100, free cards of an instance in use 33 to 50, empty instances less.
std::int64_t score_gpu_packing(const PolicyNode& node, const PolicyTask& task) {
  if (task.cards == 0) return 0;
  const std::int64_t free = count_free(node);
  if (free == static_cast<std::int64_t>(node.cards.size())) return std::max(kMaxScore / 3 - free, free);
  if (!task.is_shared()) return std::max(kMaxScore / 2 - task.cards, kMaxScore / 3);
  const auto card = fullest_card(node, task.milli);
  if (!card) return 0;
  const std::int32_t left = node.cards[*card];
  if (left == kWholeCard) return kMaxScore / 2 - 1;
  return std::max(kMaxScore - std::int64_t{left} * 100 / kWholeCard / 10, kMaxScore / 2);
}

/// Quarters of the range, from the top: only tasks of this kind, some of them, an instance without GPU tasks, only
/// others. Within a quarter the fullest instance wins.
std::int64_t score_gpu_clustering(const PolicyContext& context, const PolicyNode& node, const PolicyTask& task) {
  if (task.cards == 0) return 0;
  constexpr std::int64_t kQuarter = kMaxScore / 4;
  const std::int64_t fullness = kQuarter * (context.largest_milli - node.total_milli()) / context.largest_milli;
  const auto& here = node.affinities;
  if (here.empty()) return fullness + kQuarter;
  if (!std::binary_search(here.begin(), here.end(), affinity_of(task))) return fullness;
  return fullness + (here.size() == 1 ? 3 : 2) * kQuarter;
}

/// How many cards have room for a share, and how much is left on those that have not.
struct CardCount {
  std::int32_t milli = -1;
  std::int32_t fitting = 0;
  std::int64_t unusable = 0;
};

CardCount count_cards(const std::vector<std::int32_t>& cards, std::int32_t milli) {
  CardCount count{milli, 0, 0};
  for (const std::int32_t left : cards) {
    if (left >= milli) {
      ++count.fitting;
    } else {
      count.unusable += left;
    }
  }
  return count;
}

/// Returns how many of `total`, the thousandths left on the instance, a task of this kind cannot use.
std::int64_t unusable_for(const ExpectedTask& expected, const PolicyNode& node, std::int64_t total,
                          const CardCount& count) {
  const bool allowed = expected.allowed.empty() || expected.allowed[node.model];
  const bool fits =
      expected.task.cards > 0 && allowed && node.cpu >= expected.task.cpu && count.fitting >= expected.task.cards;
  return fits ? count.unusable : total;
}

std::int64_t count_expected(const PolicyContext& context) {
  return std::accumulate(context.expected.begin(), context.expected.end(), std::int64_t{0},
                         [](std::int64_t sum, const ExpectedTask& one) { return sum + one.count; });
}

/// Sigmoid of the fragmentation that the placement removes, in GPUs, from 0 to 100. A sigmoid in whole steps has 100
/// thresholds, so no sum of floating-point numbers is compared.
std::int64_t score_change(std::int64_t removed, std::int64_t weight) {
  if (weight == 0) return kMaxScore / 2;
  const double gpus = static_cast<double>(removed) / static_cast<double>(weight) / kWholeCard;
  return static_cast<std::int64_t>(static_cast<double>(kMaxScore) / (1.0 + std::exp(-gpus)));
}

struct ScoredCard {
  std::int64_t score = 0;
  std::size_t card = 0;
};

/// FGD tries every card that has room for a share.
std::optional<ScoredCard> best_card(const PolicyContext& context, const PolicyNode& node, const PolicyTask& task) {
  const std::int64_t before = fragmentation(context, node);
  const std::int64_t weight = count_expected(context);
  PolicyNode after = node;
  after.cpu -= task.cpu;
  std::optional<ScoredCard> best;
  for (std::size_t i = 0; i < node.cards.size(); ++i) {
    if (node.cards[i] < task.milli) continue;
    after.cards[i] -= task.milli;
    const std::int64_t own = score_change(before - fragmentation(context, after), weight);
    after.cards[i] = node.cards[i];
    if (!best || own > best->score) best = ScoredCard{own, i};
  }
  return best;
}

std::int64_t score_fgd(const PolicyContext& context, const PolicyNode& node, const PolicyTask& task) {
  if (task.is_shared()) {
    const auto best = best_card(context, node, task);
    return best ? best->score : 0;
  }
  PolicyNode after = node;
  take(after, task, std::nullopt);
  return score_change(fragmentation(context, node) - fragmentation(context, after), count_expected(context));
}

}  // namespace

std::int64_t PolicyNode::total_milli() const {
  return std::accumulate(cards.begin(), cards.end(), std::int64_t{0});
}

std::int32_t affinity_of(const PolicyTask& task) {
  return task.is_shared() ? 0 : task.cards;
}

std::vector<ExpectedTask> keep_typical(std::vector<ExpectedTask> kinds) {
  std::stable_sort(kinds.begin(), kinds.end(), [](const ExpectedTask& a, const ExpectedTask& b) {
    return a.count != b.count ? a.count > b.count : b.task < a.task;
  });
  const std::int64_t all = std::accumulate(kinds.begin(), kinds.end(), std::int64_t{0},
                                           [](std::int64_t sum, const ExpectedTask& one) { return sum + one.count; });
  std::int64_t sum = 0;
  std::size_t kept = 0;
  while (kept < kinds.size() && sum * 100 < all * 95) sum += kinds[kept++].count;
  kinds.resize(kept);
  return kinds;
}

std::int64_t fragmentation(const PolicyContext& context, const PolicyNode& node) {
  const std::int64_t total = node.total_milli();
  if (total == 0) return 0;
  // Few shares are distinct: the cards are counted once for each.
  std::vector<CardCount> counted;
  std::int64_t sum = 0;
  for (const auto& expected : context.expected) {
    auto known = std::find_if(counted.begin(), counted.end(),
                              [&](const CardCount& one) { return one.milli == expected.task.milli; });
    if (known == counted.end()) known = counted.insert(known, count_cards(node.cards, expected.task.milli));
    sum += expected.count * unusable_for(expected, node, total, *known);
  }
  return sum;
}

std::int64_t score(const PolicyContext& context, const PolicyNode& node, const PolicyTask& task) {
  switch (context.policy) {
    case Policy::kBestFit:
      return score_best_fit(context, node, task);
    case Policy::kWorstFit:
      return kMaxScore - score_best_fit(context, node, task);
    case Policy::kDotProduct:
      return score_dot_product(context, node, task);
    case Policy::kGpuPacking:
      return score_gpu_packing(node, task);
    case Policy::kGpuClustering:
      return score_gpu_clustering(context, node, task);
    case Policy::kFgd:
      return score_fgd(context, node, task);
    case Policy::kFirstFit:
    case Policy::kRandom:
      break;  // All instances are alike: the order, or a draw, decides.
  }
  return 0;
}

std::optional<std::size_t> fullest_card(const PolicyNode& node, std::int32_t milli) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < node.cards.size(); ++i) {
    if (node.cards[i] >= milli && (!best || node.cards[i] < node.cards[*best])) best = i;
  }
  return best;
}

std::optional<std::size_t> least_fragmenting_card(const PolicyContext& context, const PolicyNode& node,
                                                  const PolicyTask& task) {
  const auto best = best_card(context, node, task);
  if (!best) return std::nullopt;
  return best->card;
}

void take(PolicyNode& node, const PolicyTask& task, std::optional<std::size_t> card) {
  node.cpu -= task.cpu;
  node.memory -= task.memory;
  if (task.cards == 0) return;
  if (task.is_shared()) {
    node.cards[*card] -= task.milli;
  } else {
    std::int32_t left = task.cards;
    for (auto& own : node.cards) {
      if (left == 0) break;
      if (own != kWholeCard) continue;
      own = 0;
      --left;
    }
  }
  const std::int32_t affinity = affinity_of(task);
  const auto at = std::lower_bound(node.affinities.begin(), node.affinities.end(), affinity);
  if (at == node.affinities.end() || *at != affinity) node.affinities.insert(at, affinity);
}

bool has_room(const PolicyNode& node, const PolicyTask& task) {
  if (node.cpu < task.cpu || node.memory < task.memory) return false;
  if (task.cards == 0) return true;
  return count_cards(node.cards, task.milli).fitting >= task.cards;
}

}  // namespace bayplan::placement

#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "placement/policy/policy.hpp"

/// The scores of the policies: pure functions of the free resources of one instance and what one task requests.
///
/// The definitions are those of Weng et al. (USENIX ATC 2023, section 6.1) as their simulator computes them
/// (hkust-adsl/kubernetes-scheduler-simulator 8f3d641): scores are whole numbers from 0 to 100, and equal scores are
/// ties.
namespace bayplan::placement {

/// Shares of one GPU card are counted in thousandths.
inline constexpr std::int32_t kWholeCard = 1000;

/// One task requests these amounts. CPU and memory have the units of the caller.
struct PolicyTask {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::int32_t milli = 0;  ///< Share of each card; 1000 = whole cards, 0 = no GPU.
  std::int32_t cards = 0;

  bool is_shared() const { return cards == 1 && milli < kWholeCard; }
  std::int64_t total_milli() const { return std::int64_t{milli} * cards; }
  auto operator<=>(const PolicyTask&) const = default;  // NOLINT(modernize-use-nullptr): of the compiler
};

/// One instance has these amounts left.
struct PolicyNode {
  std::int64_t cpu = 0;
  std::int64_t memory = 0;
  std::vector<std::int32_t> cards;  ///< Thousandths left of each card, by position.
  std::uint32_t model = 0;          ///< Decides which of the expected tasks may come here (ExpectedTask::allowed).
  /// The GPU tasks that run here have these numbers (`affinity_of`). They are sorted, each only once.
  std::vector<std::int32_t> affinities;

  std::int64_t total_milli() const;
};

/// GPU clustering puts tasks with the same number together: 0 = shares of a card, else the number of whole cards.
std::int32_t affinity_of(const PolicyTask& task);

/// A kind of task that the workload has, for the fragmentation that FGD expects.
struct ExpectedTask {
  PolicyTask task;
  std::int64_t count = 0;     ///< Weight: how many tasks of the workload are of this kind.
  std::vector<bool> allowed;  ///< One entry per PolicyNode::model: constraints let the task in. Empty = everywhere.
};

/// The most frequent kinds of task, until they are at least 95 % of all tasks. Ties: the larger request first.
std::vector<ExpectedTask> keep_typical(std::vector<ExpectedTask> kinds);

/// A policy scores an instance with this knowledge of the cluster and the workload.
struct PolicyContext {
  Policy policy = Policy::kBestFit;
  /// Requests are normalized by these amounts: each is the largest that any instance of the cluster has, at least 1.
  std::int64_t largest_cpu = 1;
  std::int64_t largest_memory = 1;
  std::int64_t largest_milli = 1;
  bool weighs_memory = false;          ///< Best fit, worst fit and dot product weigh memory in place of GPUs.
  std::vector<ExpectedTask> expected;  ///< FGD only.
};

/// Expected thousandths of GPUs on the instance that a task of the workload cannot use, times the sum of
/// ExpectedTask::count (F_n in the paper, section 3.2).
std::int64_t fragmentation(const PolicyContext& context, const PolicyNode& node);

/// The score of an instance that has room for the task, 0 to 100: the highest wins.
std::int64_t score(const PolicyContext& context, const PolicyNode& node, const PolicyTask& task);

/// The card for a task that requests a share: the one with the least left that has room, the lowest among equals.
/// Nothing if no card has room.
std::optional<std::size_t> fullest_card(const PolicyNode& node, std::int32_t milli);

/// The card on which FGD puts a task that requests a share, the lowest among equals. Nothing if no card has room.
std::optional<std::size_t> least_fragmenting_card(const PolicyContext& context, const PolicyNode& node,
                                                  const PolicyTask& task);

/// Puts the task on the instance: a share on `card`, whole cards on the lowest free ones. It must have room.
void take(PolicyNode& node, const PolicyTask& task, std::optional<std::size_t> card);

/// CPU, memory and cards have room for the task.
bool has_room(const PolicyNode& node, const PolicyTask& task);

}  // namespace bayplan::placement

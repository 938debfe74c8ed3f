#include "packing/exact_cover.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "packing/grid_bound.hpp"
#include "packing/knapsack.hpp"

namespace bayplan::packing {
namespace {

constexpr std::size_t kMostFillings = 50'000;
constexpr std::int64_t kMostNodes = 4'000'000;
constexpr std::int64_t kMostSteps = 10'000'000;

/// Fillings that are looked at in the time of a label.
constexpr std::int64_t kStepsPerLabel = 4;

/// The tasks left of each item, side by side in one number; a bit between them takes what would be borrowed.
__extension__ using Tasks = unsigned __int128;
constexpr int kTaskBits = 128;

class TaskCounts {
 public:
  /// Nothing when the tasks of the items are too many for one number.
  static std::optional<TaskCounts> of(const std::vector<KnapsackItem>& items, const RemainingDemand& rest);

  Tasks all() const { return all_; }
  Tasks of(std::size_t item, std::int64_t count) const {
    return Tasks(static_cast<std::uint64_t>(count)) << first_[item];
  }
  bool has(Tasks tasks, std::size_t item) const { return (tasks & masks_[item]) != 0; }
  bool is_within(Tasks part, Tasks tasks) const { return (((tasks | guards_) - part) & guards_) == guards_; }

 private:
  Tasks all_ = 0;
  Tasks guards_ = 0;
  std::vector<int> first_;  ///< The first bit: one an item.
  std::vector<Tasks> masks_;
};

std::optional<TaskCounts> TaskCounts::of(const std::vector<KnapsackItem>& items, const RemainingDemand& rest) {
  TaskCounts counts;
  int bit = 0;
  for (const KnapsackItem& item : items) {
    const auto count = static_cast<std::uint64_t>(rest.counts[item.shape]);
    const int width = std::bit_width(count);
    if (bit + width + 1 > kTaskBits) return std::nullopt;
    counts.first_.push_back(bit);
    counts.masks_.push_back(((Tasks{1} << width) - 1) << bit);
    counts.all_ |= Tasks{count} << bit;
    counts.guards_ |= Tasks{1} << (bit + width);
    bit += width + 1;
  }
  return counts;
}

struct BinFilling {
  Tasks tasks = 0;
  NanoUsd loss = 0;  ///< The price of the bin less the worth of its tasks.
  std::vector<std::uint32_t> items;
  std::vector<Copies> copies;  ///< One an item.
};

/// Every filling that loses at most so much.
class FillingList {
 public:
  FillingList(const Knapsack& knapsack, const TaskCounts& counts, NanoUsd price, NanoUsd most_loss)
      : knapsack_(knapsack), counts_(counts), bound_(knapsack), price_(price), least_(price - most_loss) {}

  /// False when they are too many.
  bool fill() {
    add(0, knapsack_.capacity, 0, 0, 0);
    std::sort(fillings_.begin(), fillings_.end(), [](const BinFilling& a, const BinFilling& b) {
      return a.loss != b.loss ? a.loss < b.loss : a.tasks < b.tasks;
    });
    return !is_over();
  }

  const std::vector<BinFilling>& fillings() const { return fillings_; }
  std::int64_t work() const { return nodes_ + bound_.work(); }

 private:
  bool is_over() const { return fillings_.size() > kMostFillings || nodes_ > kMostNodes; }

  void add(std::size_t index, Amounts room, std::uint64_t tokens, NanoUsd worth, Tasks tasks) {
    ++nodes_;
    if (is_over() || worth + bound_(index, room) < least_) return;
    if (index == knapsack_.items.size()) {
      if (tasks != 0) fillings_.push_back({tasks, price_ - worth, taken_, copies_});
      return;
    }
    const KnapsackItem& item = knapsack_.items[index];
    add(index + 1, room, tokens, worth, tasks);
    if ((item.tokens & tokens) != 0) return;
    for (std::int64_t count = 1; count <= item.copies; ++count) {
      for (std::size_t d = 0; d < knapsack_.dimensions; ++d) {
        if (room[d] < item.size[d]) return;
      }
      for (std::size_t d = 0; d < knapsack_.dimensions; ++d) room[d] -= item.size[d];
      taken_.push_back(static_cast<std::uint32_t>(index));
      copies_.push_back({item.shape, count});
      add(index + 1, room, tokens | item.tokens, worth + count * item.value, tasks | counts_.of(index, count));
      copies_.pop_back();
      taken_.pop_back();
    }
  }

  const Knapsack& knapsack_;
  const TaskCounts& counts_;
  GridBound bound_;
  NanoUsd price_;
  NanoUsd least_;
  std::int64_t nodes_ = 0;
  std::vector<std::uint32_t> taken_;
  std::vector<Copies> copies_;
  std::vector<BinFilling> fillings_;
};

/// Takes the item that the fewest fillings hold, and each of these fillings in turn.
class CoverSearch {
 public:
  CoverSearch(const std::vector<BinFilling>& fillings, const TaskCounts& counts, std::size_t items)
      : fillings_(fillings), counts_(counts), items_(items) {}

  bool run(NanoUsd slack) {
    std::vector<std::uint32_t> candidates(fillings_.size());
    for (std::uint32_t i = 0; i < candidates.size(); ++i) candidates[i] = i;
    return cover(counts_.all(), slack, candidates);
  }

  bool is_over() const { return steps_ > kMostSteps; }
  std::int64_t steps() const { return steps_; }
  const std::vector<std::uint32_t>& taken() const { return taken_; }

 private:
  bool cover(Tasks rest, NanoUsd slack, const std::vector<std::uint32_t>& before) {
    if (rest == 0) return true;
    std::vector<std::uint32_t> candidates;
    for (const std::uint32_t filling : before) {
      if (fillings_[filling].loss > slack) break;  // the rest loses more
      if (counts_.is_within(fillings_[filling].tasks, rest)) candidates.push_back(filling);
    }
    steps_ += static_cast<std::int64_t>(before.size());
    const std::size_t item = rarest(rest, candidates);
    for (std::size_t i = 0; i < candidates.size() && !is_over();) {
      const BinFilling& filling = fillings_[candidates[i]];
      if (!counts_.has(filling.tasks, item)) {
        ++i;
        continue;
      }
      taken_.push_back(candidates[i]);
      if (cover(rest - filling.tasks, slack - filling.loss, candidates)) return true;
      taken_.pop_back();
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));  // all packings with it are seen
    }
    return false;
  }

  std::size_t rarest(Tasks rest, const std::vector<std::uint32_t>& candidates) const {
    std::vector<std::size_t> holders(items_);
    for (const std::uint32_t filling : candidates) {
      for (const std::uint32_t item : fillings_[filling].items) ++holders[item];
    }
    std::size_t best = items_;
    for (std::size_t item = 0; item < items_; ++item) {
      if (counts_.has(rest, item) && (best == items_ || holders[item] < holders[best])) best = item;
    }
    return best;
  }

  const std::vector<BinFilling>& fillings_;
  const TaskCounts& counts_;
  std::size_t items_;
  std::int64_t steps_ = 0;
  std::vector<std::uint32_t> taken_;
};

/// The tasks left and one empty bin; dear tasks first.
Knapsack knapsack_of(const PackingProblem& problem, const RemainingDemand& rest, const std::vector<NanoUsd>& worth) {
  Knapsack knapsack{problem.dimensions, problem.types.front().capacity, {}};
  for (std::uint32_t s = 0; s < problem.shapes.size(); ++s) {
    if (rest.counts[s] == 0) continue;
    const Shape& shape = problem.shapes[s];
    const std::int64_t copies = std::min(rest.counts[s], most_copies(problem, shape, 0));
    knapsack.items.push_back({shape.size, worth[s], copies, shape.tokens, s});
  }
  std::stable_sort(knapsack.items.begin(), knapsack.items.end(),
                   [](const KnapsackItem& a, const KnapsackItem& b) { return a.value > b.value; });
  return knapsack;
}

}  // namespace

ExactCover cover_exactly(const PackingProblem& problem, const RemainingDemand& rest, const std::vector<NanoUsd>& worth,
                         std::int64_t bins, Effort& effort) {
  const Knapsack knapsack = knapsack_of(problem, rest, worth);
  const auto counts = TaskCounts::of(knapsack.items, rest);
  if (!counts) return {};
  const NanoUsd price = problem.types.front().price * kNanoUsdPerMicroUsd;
  NanoUsd slack = bins * price;
  for (std::size_t s = 0; s < worth.size(); ++s) slack -= worth[s] * rest.counts[s];
  if (slack < 0) return {{}, true};
  FillingList list(knapsack, *counts, price, slack);
  const bool is_complete = list.fill();
  effort.spend(list.work());
  if (!is_complete) return {};
  CoverSearch search(list.fillings(), *counts, knapsack.items.size());
  const bool is_covered = search.run(slack);
  effort.spend(search.steps() / kStepsPerLabel);
  ExactCover cover{{}, is_covered || !search.is_over()};
  for (const std::uint32_t filling : search.taken()) {
    Pattern pattern{0, list.fillings()[filling].copies};
    std::sort(pattern.copies.begin(), pattern.copies.end());
    cover.packing.push_back({std::move(pattern), 1});
  }
  return cover;
}

}  // namespace bayplan::packing

#include "packing/knapsack.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "packing/completion_bound.hpp"
#include "packing/pareto_shelves.hpp"
#include "packing/rule_states.hpp"

namespace bayplan::packing {
namespace {

constexpr std::uint32_t kRoot = std::numeric_limits<std::uint32_t>::max();

struct Label {
  std::int64_t value = 0;
  std::int64_t bound = 0;  ///< Of the value with the best completion.
  Amounts room{};
  std::uint64_t tokens = 0;
  std::uint32_t step = kRoot;  ///< The last of the steps that led here.
  std::int32_t added = 0;      ///< Copies of the layer's item.
};

struct PathStep {
  std::uint32_t before = kRoot;
  std::uint32_t item = 0;
  std::int64_t count = 0;
};

/// Large items first: what is left to decide then is fine grained, and the bound on it nearly exact.
void order_items(Knapsack& knapsack) {
  const auto share = [&](const KnapsackItem& item) {
    double most = 0;
    for (std::size_t d = 0; d < knapsack.dimensions; ++d) {
      if (knapsack.capacity[d] > 0) {
        most = std::max(most, static_cast<double>(item.size[d]) / static_cast<double>(knapsack.capacity[d]));
      }
    }
    return most;
  };
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < knapsack.items.size(); ++i) order.emplace_back(-share(knapsack.items[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<KnapsackItem> items;
  for (const auto& [key, index] : order) items.push_back(knapsack.items[index]);
  knapsack.items = std::move(items);
}

/// Leaves out resources of which all items together cannot take too much, and puts those of the widest range first.
void compress_dimensions(Knapsack& knapsack) {
  std::vector<std::size_t> kept;
  for (std::size_t d = 0; d < knapsack.dimensions; ++d) {
    std::int64_t all = 0;
    for (const KnapsackItem& item : knapsack.items) all += item.size[d] * item.copies;
    if (all > knapsack.capacity[d]) kept.push_back(d);
  }
  std::stable_sort(kept.begin(), kept.end(),
                   [&](std::size_t a, std::size_t b) { return knapsack.capacity[a] > knapsack.capacity[b]; });
  const auto pick = [&](const Amounts& from) {
    Amounts to{};
    for (std::size_t i = 0; i < kept.size(); ++i) to[i] = from[kept[i]];
    return to;
  };
  knapsack.capacity = pick(knapsack.capacity);
  for (KnapsackItem& item : knapsack.items) item.size = pick(item.size);
  knapsack.dimensions = kept.size();
}

/// How many binary digits values may gain. Prices of a unit of a resource are whole numbers: of values as they come,
/// the rounding of a price of 500 for each of 196,608 MiB is a tenth of a percent of the bin.
int spare_digits(const Knapsack& knapsack, std::int64_t target) {
  constexpr double kMost = 1LL << 58;
  double all = std::abs(static_cast<double>(target));
  double dearest = 0;
  for (const KnapsackItem& item : knapsack.items) {
    all += static_cast<double>(item.value) * static_cast<double>(item.copies);
    dearest = std::max(dearest, static_cast<double>(item.value));
  }
  for (const KnapsackRule& rule : knapsack.rules) all += std::abs(static_cast<double>(rule.value));
  // Where a bin is nearly full, what is left of a resource may be worth an item a unit.
  for (std::size_t d = 0; d < knapsack.dimensions; ++d) all += dearest * static_cast<double>(knapsack.capacity[d]);
  int digits = 0;
  while (digits < 20 && all * static_cast<double>(2LL << digits) < kMost) ++digits;
  return digits;
}

class LabelSearch {
 public:
  LabelSearch(const Knapsack& knapsack, const ResourcePrices& prices, const KnapsackLimits& limits, Effort& effort)
      : knapsack_(knapsack),
        limits_(limits),
        effort_(effort),
        bound_(knapsack, prices),
        rules_(knapsack),
        upper_(limits.target) {
    effort.spend(bound_.work());
  }

  KnapsackAnswer run() {
    Label root;
    root.room = knapsack_.capacity;
    root.tokens = rules_.first();
    root.bound = bound_(0, root.room) + rules_.most_to_gain();
    if (root.bound > limits_.target) layer_.push_back(root);
    for (std::size_t item = 0; item < knapsack_.items.size() && !layer_.empty(); ++item) {
      extend(item);
      drop_dominated();
      drop_to(effort_.is_exhausted() ? 0 : limits_.width);
      take_steps(item);
    }
    return answer();
  }

 private:
  void extend(std::size_t index) {
    next_.clear();
    const KnapsackItem& item = knapsack_.items[index];
    for (const Label& label : layer_) {
      Label child = label;
      child.added = 0;
      keep(child, index);
      if ((label.tokens & item.tokens) != 0) continue;
      child.tokens |= item.tokens;
      for (std::int64_t count = 1; count <= item.copies && take(child, item); ++count) keep(child, index);
    }
    effort_.spend(static_cast<std::int64_t>(layer_.size() + next_.size()));
    std::swap(layer_, next_);
  }

  bool take(Label& label, const KnapsackItem& item) const {
    for (std::size_t d = 0; d < knapsack_.dimensions; ++d) {
      if (label.room[d] < item.size[d]) return false;
    }
    for (std::size_t d = 0; d < knapsack_.dimensions; ++d) label.room[d] -= item.size[d];
    label.value += item.value;
    ++label.added;
    return true;
  }

  void keep(Label label, std::size_t item) {
    label.value += rules_.decide(item, label.added, label.tokens);
    label.bound = label.value + bound_(item + 1, label.room) + rules_.most_to_gain();
    if (label.bound > limits_.target) next_.push_back(label);
  }

  void drop_dominated() {
    if (layer_.size() < 2) return;
    std::sort(layer_.begin(), layer_.end(),
              [](const Label& a, const Label& b) { return a.value != b.value ? a.value > b.value : a.room > b.room; });
    ParetoShelves shelves(knapsack_.dimensions);
    std::erase_if(layer_, [&](const Label& label) { return shelves.is_dominated(label.room, label.tokens); });
  }

  void drop_to(std::size_t width) {
    if (layer_.size() <= width) return;
    const auto kept = layer_.begin() + static_cast<std::ptrdiff_t>(width);
    std::nth_element(layer_.begin(), kept, layer_.end(), [](const Label& a, const Label& b) {
      if (a.bound != b.bound) return a.bound > b.bound;
      if (a.value != b.value) return a.value > b.value;
      return a.room > b.room;
    });
    for (auto label = kept; label != layer_.end(); ++label) upper_ = std::max(upper_, label->bound);
    layer_.erase(kept, layer_.end());
  }

  void take_steps(std::size_t item) {
    for (Label& label : layer_) {
      if (label.added == 0) continue;
      steps_.push_back({label.step, static_cast<std::uint32_t>(item), label.added});
      label.step = static_cast<std::uint32_t>(steps_.size() - 1);
    }
  }

  KnapsackAnswer answer() {
    KnapsackAnswer answer;
    const std::size_t count = std::min(limits_.answers, layer_.size());
    std::partial_sort(
        layer_.begin(), layer_.begin() + static_cast<std::ptrdiff_t>(count), layer_.end(),
        [](const Label& a, const Label& b) { return a.value != b.value ? a.value > b.value : a.room > b.room; });
    for (std::size_t i = 0; i < count && layer_[i].value > limits_.target; ++i) {
      answer.fillings.push_back(filling(layer_[i]));
    }
    if (count > 0) upper_ = std::max(upper_, layer_.front().value);
    answer.upper_bound = upper_;
    return answer;
  }

  Filling filling(const Label& label) const {
    Filling filling{label.value, {}};
    for (std::uint32_t step = label.step; step != kRoot; step = steps_[step].before) {
      filling.copies.push_back({knapsack_.items[steps_[step].item].shape, steps_[step].count});
    }
    std::sort(filling.copies.begin(), filling.copies.end());
    return filling;
  }

  const Knapsack& knapsack_;
  const KnapsackLimits& limits_;
  Effort& effort_;
  CompletionBound bound_;
  RuleStates rules_;
  std::int64_t upper_;
  std::vector<Label> layer_;
  std::vector<Label> next_;
  std::vector<PathStep> steps_;
};

}  // namespace

KnapsackAnswer solve_knapsack(Knapsack knapsack, const KnapsackLimits& limits, Effort& effort) {
  compress_dimensions(knapsack);
  order_items(knapsack);
  const int digits = spare_digits(knapsack, limits.target);
  for (KnapsackItem& item : knapsack.items) item.value <<= digits;
  for (KnapsackRule& rule : knapsack.rules) rule.value *= std::int64_t{1} << digits;
  const std::int64_t target = limits.target * (std::int64_t{1} << digits);
  const ResourcePrices prices = resource_prices(knapsack, effort);
  std::int64_t to_gain = 0;
  for (const KnapsackRule& rule : knapsack.rules) to_gain += std::max<std::int64_t>(0, rule.value);
  if (fractional_bound(knapsack, prices.sets.front()) + to_gain <= target) return {{}, limits.target};
  drop_hopeless(knapsack, prices.sets.front(), target - to_gain);
  KnapsackAnswer answer = LabelSearch(knapsack, prices, {target, limits.width, limits.answers}, effort).run();
  answer.upper_bound >>= digits;
  for (Filling& filling : answer.fillings) filling.value >>= digits;
  return answer;
}

}  // namespace bayplan::packing

#include "packing/knapsack.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "packing/fractional_knapsack.hpp"
#include "packing/grid_bound.hpp"
#include "packing/level_bound.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

namespace {

/// How far a filling has come with each rule, one bit each among its tokens: a bit that is set never makes a filling
/// better, so that of two fillings the one with fewer bits may dominate.
class RuleStates {
 public:
  /// The items in the order in which they are decided.
  explicit RuleStates(const Knapsack& knapsack);

  std::uint64_t first() const { return first_; }          ///< The bits before any item is decided.
  std::int64_t most_to_gain() const { return to_gain_; }  ///< No filling gets more from the rules.

  /// Decides this many copies of an item: the bits change, the value of the rules is returned.
  std::int64_t decide(std::size_t item, std::int64_t count, std::uint64_t& bits) const;

 private:
  struct Use {
    std::uint64_t bit = 0;  ///< 0: the item alone decides.
    std::int64_t value = 0;
    std::int64_t least = 0;
    bool is_last = false;
  };

  void add(const Knapsack& knapsack, const KnapsackRule& rule, std::uint64_t& used);
  static std::int64_t decide(const Use& use, std::int64_t count, std::uint64_t& bits);

  std::vector<std::vector<Use>> uses_;  ///< A list an item.
  std::uint64_t first_ = 0;
  std::int64_t to_gain_ = 0;
};

RuleStates::RuleStates(const Knapsack& knapsack) : uses_(knapsack.items.size()) {
  std::uint64_t used = 0;
  for (const KnapsackItem& item : knapsack.items) used |= item.tokens;
  for (const KnapsackRule& rule : knapsack.rules) {
    if (rule.rule.property == PatternRule::Property::kTogether) add(knapsack, rule, used);
  }
}

void RuleStates::add(const Knapsack& knapsack, const KnapsackRule& rule, std::uint64_t& used) {
  std::vector<std::pair<std::size_t, std::int64_t>> items;  // and the least of each
  for (std::size_t i = 0; i < knapsack.items.size(); ++i) {
    const auto& shapes = rule.rule.shapes;
    const auto shape = std::find(shapes.begin(), shapes.end(), knapsack.items[i].shape);
    if (shape != shapes.end()) items.emplace_back(i, rule.rule.least[static_cast<std::size_t>(shape - shapes.begin())]);
  }
  if (items.size() < rule.rule.shapes.size()) return;
  to_gain_ += std::max<std::int64_t>(0, rule.value);
  const std::uint64_t bit = items.size() > 1 ? ~used & (used + 1) : 0;
  // Out of bits: a loss not counted, or a gain that any filling may still make, leaves the upper bound valid.
  if (items.size() > 1 && bit == 0) return;
  used |= bit;
  if (rule.value > 0) first_ |= bit;
  for (std::size_t i = 0; i < items.size(); ++i) {
    uses_[items[i].first].push_back({bit, rule.value, items[i].second, i + 1 == items.size()});
  }
}

std::int64_t RuleStates::decide(std::size_t item, std::int64_t count, std::uint64_t& bits) const {
  std::int64_t value = 0;
  for (const Use& use : uses_[item]) value += decide(use, count, bits);
  return value;
}

/// The bit: the first shape is there, where that costs; is not there, where that gains.
std::int64_t RuleStates::decide(const Use& use, std::int64_t count, std::uint64_t& bits) {
  const bool holds = count >= use.least;
  if (use.bit == 0) return holds ? use.value : 0;
  const bool is_gain = use.value > 0;
  const bool held = ((bits & use.bit) != 0) != is_gain;
  bits &= ~use.bit;
  if (use.is_last) return held && holds ? use.value : 0;
  if (holds != is_gain) bits |= use.bit;
  return 0;
}

/// What a unit of each resource of a bin is worth, from the knapsack with items in parts.
struct ResourcePrices {
  std::vector<Amounts> sets;  ///< First of the whole bin, then of what its large items leave; last nothing.
};

ResourcePrices resource_prices(const Knapsack& knapsack, Effort& effort) {
  if (knapsack.dimensions == 0) return {{Amounts{}}};  // everything fits
  ResourcePrices prices;
  FractionalKnapsack fractional(knapsack);
  FractionalKnapsack::Parts room{};
  room.fill(1);
  const std::size_t count = knapsack.items.size();
  const std::size_t third = std::max<std::size_t>(1, (count + 2) / 3);
  for (std::size_t begin = 0; begin == 0 || begin < count; begin += third) {
    fractional.solve(begin, room);
    prices.sets.push_back(fractional.prices());
    const FractionalKnapsack::Parts taken = fractional.taken_before(std::min(count, begin + third));
    for (std::size_t d = 0; d < knapsack.dimensions; ++d) room[d] = std::max(0.0, room[d] - taken[d]);
  }
  prices.sets.push_back({});
  effort.spend(fractional.work());
  return prices;
}

/// What a copy is worth above the price of its size.
std::int64_t compute_surplus(const KnapsackItem& item, const Amounts& prices, std::size_t dimensions) {
  std::int64_t surplus = item.value;
  for (std::size_t d = 0; d < dimensions; ++d) surplus -= prices[d] * item.size[d];
  return surplus;
}

/// No filling is worth more: the bin at these prices, and every surplus.
std::int64_t fractional_bound(const Knapsack& knapsack, const Amounts& prices) {
  std::int64_t bound = 0;
  for (std::size_t d = 0; d < knapsack.dimensions; ++d) bound += prices[d] * knapsack.capacity[d];
  for (const KnapsackItem& item : knapsack.items) {
    bound += std::max<std::int64_t>(0, compute_surplus(item, prices, knapsack.dimensions)) * item.copies;
  }
  return bound;
}

/// Leaves out the copies that no filling of more than the target can hold, as each costs more than it brings.
void drop_hopeless(Knapsack& knapsack, const Amounts& prices, std::int64_t target) {
  const std::int64_t slack = fractional_bound(knapsack, prices) - target;
  for (KnapsackItem& item : knapsack.items) {
    const std::int64_t loss = -compute_surplus(item, prices, knapsack.dimensions);
    if (loss > 0) item.copies = std::min(item.copies, std::max<std::int64_t>(0, slack - 1) / loss);
  }
  std::erase_if(knapsack.items, [](const KnapsackItem& item) { return item.copies == 0; });
}

/// Rooms seen so far, for labels that come in the order of falling value: is a new one no better than one of them?
/// Rooms that differ only in the first two resources are on one front, as a staircase. Looks at few fronts only: it
/// may say no where yes were true.
class ParetoFronts {
 public:
  explicit ParetoFronts(std::size_t dimensions) : dimensions_(dimensions) {}

  /// True when another has at least this room and forbids no more tokens; else the room is kept.
  bool is_dominated(const Amounts& room, std::uint64_t tokens);

 private:
  struct Step {
    std::int64_t first = 0;
    std::int64_t second = 0;
  };
  struct ParetoFront {
    Amounts rest{};  ///< Resources from the third on.
    std::uint64_t tokens = 0;
    std::vector<Step> steps;  ///< `first` rises, `second` falls.
  };

  bool covers(const ParetoFront& pareto_front, const Amounts& room, std::uint64_t tokens) const;
  static bool has_above(const ParetoFront& pareto_front, const Amounts& room);
  static void put(ParetoFront& pareto_front, const Amounts& room);

  std::size_t dimensions_;
  std::vector<ParetoFront> fronts_;
};

constexpr std::size_t kMaxParetoFronts = 64;

bool ParetoFronts::is_dominated(const Amounts& room, std::uint64_t tokens) {
  ParetoFront* own = nullptr;
  for (ParetoFront& pareto_front : fronts_) {
    if (!covers(pareto_front, room, tokens)) continue;
    if (has_above(pareto_front, room)) return true;
    if (pareto_front.tokens == tokens &&
        std::equal(pareto_front.rest.begin() + 2, pareto_front.rest.end(), room.begin() + 2))
      own = &pareto_front;
  }
  if (own == nullptr) {
    if (fronts_.size() == kMaxParetoFronts) return false;
    own = &fronts_.emplace_back(ParetoFront{room, tokens, {}});
  }
  put(*own, room);
  return false;
}

bool ParetoFronts::covers(const ParetoFront& pareto_front, const Amounts& room, std::uint64_t tokens) const {
  if ((pareto_front.tokens & ~tokens) != 0) return false;
  for (std::size_t d = 2; d < dimensions_; ++d) {
    if (pareto_front.rest[d] < room[d]) return false;
  }
  return true;
}

bool ParetoFronts::has_above(const ParetoFront& pareto_front, const Amounts& room) {
  const auto step = std::lower_bound(pareto_front.steps.begin(), pareto_front.steps.end(), room[0],
                                     [](const Step& a, std::int64_t first) { return a.first < first; });
  return step != pareto_front.steps.end() && step->second >= room[1];
}

void ParetoFronts::put(ParetoFront& pareto_front, const Amounts& room) {
  auto end = std::upper_bound(pareto_front.steps.begin(), pareto_front.steps.end(), room[0],
                              [](std::int64_t first, const Step& a) { return first < a.first; });
  auto begin = end;
  while (begin != pareto_front.steps.begin() && std::prev(begin)->second <= room[1]) --begin;
  if (begin == end) {
    pareto_front.steps.insert(end, {room[0], room[1]});
  } else {
    *begin = {room[0], room[1]};
    pareto_front.steps.erase(std::next(begin), end);
  }
}

/// The most that the items from one on can add to a bin with so much room left: each resource has a price, and what an
/// item is worth above the price of its size comes on top. Valid for any prices; several sets, the best of them counts.
class CompletionBound {
 public:
  CompletionBound(const Knapsack& knapsack, const ResourcePrices& prices, std::size_t cells);

  std::int64_t operator()(std::size_t first, const Amounts& room) const {
    std::int64_t best = kUnlimited;
    for (const Prices& prices : sets_) {
      std::int64_t bound = prices.surplus[first];
      for (std::size_t d = 0; d < dimensions_; ++d) bound += prices.of[d] * room[d];
      if (bound < best) best = bound;
    }
    for (const LevelBound& level : levels_) best = std::min(best, level(first, room));
    return grid_ ? std::min(best, (*grid_)(first, room)) : best;
  }

  /// What it took to make the bound; in the unit of Effort.
  std::int64_t work() const { return work_; }

 private:
  struct Prices {
    Amounts of{};
    std::vector<std::int64_t> surplus;  ///< Surplus of the items from each on.
  };

  void add(const Knapsack& knapsack, const Amounts& prices);

  std::size_t dimensions_;
  std::int64_t work_ = 0;
  std::vector<Prices> sets_;
  std::vector<LevelBound> levels_;  ///< One a resource, at the prices of the whole bin.
  std::optional<GridBound> grid_;
};

CompletionBound::CompletionBound(const Knapsack& knapsack, const ResourcePrices& prices, std::size_t cells)
    : dimensions_(knapsack.dimensions) {
  for (const Amounts& set : prices.sets) add(knapsack, set);
  for (std::size_t d = 0; d < dimensions_; ++d) {
    levels_.emplace_back(knapsack, d, prices.sets.front());
    work_ += levels_.back().work();
  }
  if (cells == 0) return;
  grid_.emplace(knapsack, cells);
  work_ += grid_->work();
}

void CompletionBound::add(const Knapsack& knapsack, const Amounts& prices) {
  Prices set{prices, std::vector<std::int64_t>(knapsack.items.size() + 1)};
  for (std::size_t item = knapsack.items.size(); item-- > 0;) {
    const std::int64_t surplus = compute_surplus(knapsack.items[item], prices, dimensions_);
    set.surplus[item] = set.surplus[item + 1] + std::max<std::int64_t>(0, surplus) * knapsack.items[item].copies;
  }
  sets_.push_back(std::move(set));
}

constexpr std::uint32_t kRoot = std::numeric_limits<std::uint32_t>::max();

struct Label {
  std::int64_t value = 0;
  std::int64_t bound = 0;  ///< Value with the best completion.
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

/// Large items first: the remaining decisions are fine grained, and the bound on it nearly exact.
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
  // Where a bin is nearly full, the rest of a resource may be worth an item a unit.
  for (std::size_t d = 0; d < knapsack.dimensions; ++d) all += dearest * static_cast<double>(knapsack.capacity[d]);
  int digits = 0;
  while (digits < 20 && all * static_cast<double>(2LL << digits) < kMost) ++digits;
  return digits;
}

std::int64_t shared_tasks(const Filling& a, const Filling& b) {
  std::int64_t shared = 0;
  for (auto i = a.copies.begin(), j = b.copies.begin(); i != a.copies.end() && j != b.copies.end();) {
    if (i->shape == j->shape) shared += std::min(i->count, j->count);
    const bool is_first = i->shape <= j->shape;
    if (j->shape <= i->shape) ++j;
    if (is_first) ++i;
  }
  return shared;
}

/// Whether a filling shares at most half of its tasks with each of the others.
bool is_unlike(const Filling& filling, const std::vector<Filling>& others) {
  std::int64_t tasks = 0;
  for (const Copies& copies : filling.copies) tasks += copies.count;
  return std::all_of(others.begin(), others.end(),
                     [&](const Filling& other) { return 2 * shared_tasks(filling, other) <= tasks; });
}

/// How many fillings are compared, at most, for each that is returned.
constexpr std::size_t kLooksPerAnswer = 32;

/// Maximum number of labels of a layer, about 100 MB. An item with many copies can exceed it; the layer is then pruned
/// while it is being built.
constexpr std::size_t kMostLabels = 1'000'000;

/// A search by labels: the layer of labels and the steps that led to them grow item by item.
class LabelSearch {
 public:
  LabelSearch(const Knapsack& knapsack, const ResourcePrices& prices, const KnapsackLimits& limits, Effort& effort)
      : knapsack_(knapsack),
        limits_(limits),
        effort_(effort),
        bound_(knapsack, prices, limits.cells),
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
    root_bound_ = root.bound;
    for (std::size_t item = 0; item < knapsack_.items.size() && !layer_.empty(); ++item) {
      extend(item);
      drop_dominated(layer_);
      drop_to(layer_, effort_.is_exhausted() ? 0 : limits_.width);
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
      if (next_.size() < kMostLabels) continue;
      drop_dominated(next_);
      drop_to(next_, std::min(kMostLabels / 2, limits_.width));
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

  void drop_dominated(std::vector<Label>& labels) {
    if (labels.size() < 2) return;
    std::sort(labels.begin(), labels.end(),
              [](const Label& a, const Label& b) { return a.value != b.value ? a.value > b.value : a.room > b.room; });
    ParetoFronts fronts(knapsack_.dimensions);
    std::erase_if(labels, [&](const Label& label) { return fronts.is_dominated(label.room, label.tokens); });
  }

  void drop_to(std::vector<Label>& labels, std::size_t width) {
    if (labels.size() <= width) return;
    const auto kept = labels.begin() + static_cast<std::ptrdiff_t>(width);
    std::nth_element(labels.begin(), kept, labels.end(), [](const Label& a, const Label& b) {
      if (a.bound != b.bound) return a.bound > b.bound;
      if (a.value != b.value) return a.value > b.value;
      return a.room > b.room;
    });
    for (auto label = kept; label != labels.end(); ++label) upper_ = std::max(upper_, label->bound);
    labels.erase(kept, labels.end());
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
    const std::size_t looks = limits_.is_varied ? kLooksPerAnswer * limits_.answers : limits_.answers;
    const std::size_t count = std::min(looks, layer_.size());
    std::partial_sort(
        layer_.begin(), layer_.begin() + static_cast<std::ptrdiff_t>(count), layer_.end(),
        [](const Label& a, const Label& b) { return a.value != b.value ? a.value > b.value : a.room > b.room; });
    for (std::size_t i = 0; i < count && layer_[i].value > limits_.target; ++i) {
      if (answer.fillings.size() == limits_.answers) break;
      Filling one = filling(layer_[i]);
      if (!limits_.is_varied || is_unlike(one, answer.fillings)) answer.fillings.push_back(std::move(one));
    }
    if (count > 0) upper_ = std::max(upper_, layer_.front().value);
    answer.upper_bound = std::max(limits_.target, std::min(upper_, root_bound_));
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
  std::int64_t root_bound_ = 0;
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
  KnapsackLimits scaled = limits;
  scaled.target = target;
  KnapsackAnswer answer = LabelSearch(knapsack, prices, scaled, effort).run();
  answer.upper_bound >>= digits;
  for (Filling& filling : answer.fillings) filling.value >>= digits;
  return answer;
}

}  // namespace bayplan::packing

#include "packing/check_bin.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

namespace bayplan::packing {

namespace {

/// The knapsack with items in parts, each resource as a share of the capacity: a tableau with a row a resource, whose
/// columns are the items, then a slack a resource.
class Tableau {
 public:
  explicit Tableau(const CheckedBin& bin) : items_(bin.items.size()), rows_(bin.dimensions), gain_(items_ + rows_) {
    for (const CheckedItem& item : bin.items) upper_.push_back(static_cast<double>(item.most));
    upper_.resize(items_ + rows_, kNoLimit);
    for (std::size_t i = 0; i < items_; ++i) gain_[i] = static_cast<double>(bin.items[i].worth);
    is_full_.resize(gain_.size());
    for (std::size_t d = 0; d < rows_; ++d) {
      std::vector<double>& row = shares_.emplace_back(gain_.size());
      for (std::size_t i = 0; i < items_; ++i) {
        row[i] = static_cast<double>(bin.items[i].size[d]) / static_cast<double>(bin.capacity[d]);
      }
      row[items_ + d] = 1;
      basic_.push_back(items_ + d);
      value_.push_back(1);
    }
  }

  void solve() {
    for (std::size_t round = 0; round < kRounds * gain_.size(); ++round) {
      const std::size_t entering = best_column();
      if (entering == gain_.size()) return;
      move(entering);
    }
  }

  /// What a whole capacity of the resource is worth.
  double price(std::size_t resource) const { return std::max(0.0, -gain_[items_ + resource]); }

 private:
  static constexpr double kNoLimit = 1e300;
  static constexpr double kTiny = 1e-11;
  static constexpr std::size_t kRounds = 4;

  std::size_t best_column() const {
    std::size_t best = gain_.size();
    double most = 0;
    for (std::size_t j = 0; j < gain_.size(); ++j) {
      const double gain = (is_full_[j] ? -gain_[j] : gain_[j]) * std::min(upper_[j], 1e6);
      if (gain > std::max(most, 1e-3) && !is_basic(j)) {
        most = gain;
        best = j;
      }
    }
    return best;
  }

  bool is_basic(std::size_t column) const { return std::find(basic_.begin(), basic_.end(), column) != basic_.end(); }

  void move(std::size_t entering) {
    const double way = is_full_[entering] ? -1 : 1;
    double step = upper_[entering];
    std::size_t leaving = rows_;
    for (std::size_t r = 0; r < rows_; ++r) {
      const double fall = way * shares_[r][entering];
      double most = kNoLimit;
      if (fall > kTiny) most = value_[r] / fall;
      if (fall < -kTiny && upper_[basic_[r]] < kNoLimit) most = (value_[r] - upper_[basic_[r]]) / fall;
      if (most >= step) continue;
      step = std::max(most, 0.0);
      leaving = r;
    }
    if (step >= kNoLimit) return;
    for (std::size_t r = 0; r < rows_; ++r) value_[r] -= way * step * shares_[r][entering];
    if (leaving == rows_) {
      is_full_[entering] = !is_full_[entering];
      return;
    }
    const double fall = way * shares_[leaving][entering];
    is_full_[basic_[leaving]] = fall < 0;
    value_[leaving] = is_full_[entering] ? upper_[entering] - step : step;
    is_full_[entering] = false;
    pivot(leaving, entering);
  }

  void pivot(std::size_t row, std::size_t column) {
    const double by = shares_[row][column];
    for (double& share : shares_[row]) share /= by;
    const auto clear = [&](std::vector<double>& other) {
      const double times = other[column];
      if (times == 0) return;
      for (std::size_t j = 0; j < other.size(); ++j) other[j] -= times * shares_[row][j];
    };
    for (std::size_t r = 0; r < rows_; ++r) {
      if (r != row) clear(shares_[r]);
    }
    clear(gain_);
    basic_[row] = column;
  }

  std::size_t items_;
  std::size_t rows_;
  std::vector<double> gain_;  ///< Sorted by how much the worth grows with each column.
  std::vector<double> upper_;
  std::vector<bool> is_full_;  ///< Columns outside the basis that are at their upper limit.
  std::vector<std::vector<double>> shares_;
  std::vector<std::size_t> basic_;  ///< A column a row.
  std::vector<double> value_;       ///< Values of the basic columns.
};

/// What a unit of each resource is worth in a bin filled with parts of items, from a simplex of a few rows. A valid
/// bound follows from any prices, so nothing rests on its arithmetic.
Amounts unit_prices(const CheckedBin& bin) {
  Tableau tableau(bin);
  tableau.solve();
  double all = 0;  // no sensible price is higher, and the check's sums never overflow
  for (const CheckedItem& item : bin.items) all += static_cast<double>(item.worth) * static_cast<double>(item.most);
  Amounts unit{};
  for (std::size_t d = 0; d < bin.dimensions; ++d) {
    unit[d] = std::llround(std::min(all, tableau.price(d)) / static_cast<double>(bin.capacity[d]));
  }
  return unit;
}

/// The most that the items from each on can be worth in a room: resources have prices, and what an item is worth above
/// the price of its size is added in full. One resource may be distinguished by its levels instead, with a table of the
/// best worth for each; sizes are rounded down to whole levels.
class CheckBound {
 public:
  explicit CheckBound(const CheckedBin& bin);

  std::int64_t operator()(std::size_t first, const Amounts& room) const {
    std::int64_t least = kUnlimited;
    for (const Priced& priced : priced_)
      least = std::min(least, priced.beyond[first] + compute_price(priced.unit, room));
    for (const Leveled& leveled : leveled_) {
      const auto level = static_cast<std::size_t>(room[leveled.resource] / leveled.step);
      least = std::min(least, leveled.table[first * leveled.levels + level] + compute_price(leveled.unit, room));
    }
    return least;
  }

 private:
  struct Priced {
    Amounts unit{};
    std::vector<std::int64_t> beyond;  ///< Value of the items from each on, above the resources' prices.
  };
  struct Leveled {
    std::size_t resource = 0;
    std::int64_t step = 1;
    std::size_t levels = 0;
    Amounts unit{};                   ///< 0 for the resource itself.
    std::vector<std::int64_t> table;  ///< A row an item and one past the last; an entry a level.
  };

  std::int64_t compute_price(const Amounts& unit, const Amounts& room) const {
    std::int64_t price = 0;
    for (std::size_t d = 0; d < dimensions_; ++d) price += unit[d] * room[d];
    return price;
  }

  void add_prices(const CheckedBin& bin, const Amounts& unit);
  void add_levels(const CheckedBin& bin, std::size_t resource, const Amounts& unit);
  void fill_row(const CheckedItem& item, std::size_t index, Leveled& leveled) const;

  std::size_t dimensions_;
  std::vector<Priced> priced_;
  std::vector<Leveled> leveled_;
};

constexpr std::int64_t kMaxLevels = 2048;

/// Beyond this many copies, the table allows any number.
constexpr std::int64_t kCountedCopies = 4;

/// The items from one on, in a bin that is a little emptier for each that went before.
CheckedBin rest_of(const CheckedBin& bin, std::size_t part, std::size_t parts) {
  CheckedBin rest = bin;
  const std::size_t first = bin.items.size() * part / parts;
  rest.items.erase(rest.items.begin(), rest.items.begin() + static_cast<std::ptrdiff_t>(first));
  const auto left = static_cast<std::int64_t>(parts - part);
  for (std::int64_t& capacity : rest.capacity) {
    if (capacity > 0) capacity = std::max<std::int64_t>(1, capacity / static_cast<std::int64_t>(parts) * left);
  }
  return rest;
}

/// What a copy is worth above the price of its size; below 0 when it costs more than it brings.
std::int64_t compute_gain(const CheckedItem& item, const Amounts& unit, std::size_t dimensions) {
  std::int64_t gain = item.worth;
  for (std::size_t d = 0; d < dimensions; ++d) gain -= unit[d] * item.size[d];
  return gain;
}

CheckBound::CheckBound(const CheckedBin& bin) : dimensions_(bin.dimensions) {
  constexpr std::size_t kParts = 4;
  for (std::size_t part = 0; part < kParts; ++part) add_prices(bin, unit_prices(rest_of(bin, part, kParts)));
  add_prices(bin, {});
  for (std::size_t d = 0; d < dimensions_; ++d) add_levels(bin, d, priced_.front().unit);
}

void CheckBound::add_prices(const CheckedBin& bin, const Amounts& unit) {
  Priced priced{unit, std::vector<std::int64_t>(bin.items.size() + 1)};
  for (std::size_t i = bin.items.size(); i-- > 0;) {
    const std::int64_t gain = std::max<std::int64_t>(0, compute_gain(bin.items[i], unit, dimensions_));
    priced.beyond[i] = priced.beyond[i + 1] + gain * bin.items[i].most;
  }
  priced_.push_back(std::move(priced));
}

void CheckBound::add_levels(const CheckedBin& bin, std::size_t resource, const Amounts& unit) {
  std::int64_t divisor = 0;
  for (const CheckedItem& item : bin.items) divisor = std::gcd(divisor, item.size[resource]);
  Leveled leveled{resource, std::max(divisor, bin.capacity[resource] / kMaxLevels + 1), 0, unit, {}};
  leveled.unit[resource] = 0;
  leveled.levels = static_cast<std::size_t>(bin.capacity[resource] / leveled.step) + 1;
  leveled.table.resize((bin.items.size() + 1) * leveled.levels);
  for (std::size_t i = bin.items.size(); i-- > 0;) fill_row(bin.items[i], i, leveled);
  leveled_.push_back(std::move(leveled));
}

void CheckBound::fill_row(const CheckedItem& item, std::size_t index, Leveled& leveled) const {
  const std::size_t levels = leveled.levels;
  const std::int64_t* after = &leveled.table[(index + 1) * levels];
  std::int64_t* row = &leveled.table[index * levels];
  std::copy(after, after + levels, row);
  const std::int64_t gain = compute_gain(item, leveled.unit, dimensions_);
  if (gain <= 0) return;
  const auto size = static_cast<std::size_t>(item.size[leveled.resource] / leveled.step);
  if (size == 0) {
    for (std::size_t level = 0; level < levels; ++level) row[level] += gain * item.most;
  } else if (item.most > kCountedCopies) {
    for (std::size_t level = size; level < levels; ++level) row[level] = std::max(row[level], row[level - size] + gain);
  } else {
    for (std::int64_t copy = 0; copy < item.most; ++copy) {
      for (std::size_t level = levels; level-- > size;) row[level] = std::max(row[level], row[level - size] + gain);
    }
  }
}

/// A way to have filled a bin.
struct State {
  std::int64_t worth = 0;
  Amounts room{};
  std::uint64_t tokens = 0;
};

/// Counts worths in a smaller unit, so that rounding a price for each unit of a resource costs nearly nothing.
void refine_worths(CheckedBin& bin) {
  constexpr double kMost = 1e17;
  double all = static_cast<double>(bin.most_worth);
  for (const CheckedItem& item : bin.items) all += static_cast<double>(item.worth) * static_cast<double>(item.most);
  const auto factor = static_cast<std::int64_t>(std::min(1e6, kMost / std::max(1.0, all)));
  if (factor < 2) return;
  bin.most_worth *= factor;
  for (CheckedItem& item : bin.items) item.worth *= factor;
}

/// Leaves out resources of which all items together cannot take too much.
void keep_scarce(CheckedBin& bin) {
  std::size_t kept = 0;
  for (std::size_t d = 0; d < bin.dimensions; ++d) {
    std::int64_t left = bin.capacity[d];
    for (const CheckedItem& item : bin.items) left = std::max<std::int64_t>(-1, left - item.size[d] * item.most);
    if (left >= 0) continue;
    bin.capacity[kept] = bin.capacity[d];
    for (CheckedItem& item : bin.items) item.size[kept] = item.size[d];
    ++kept;
  }
  for (std::size_t d = kept; d < kMaxDimensions; ++d) {
    bin.capacity[d] = 0;
    for (CheckedItem& item : bin.items) item.size[d] = 0;
  }
  bin.dimensions = kept;
}

/// The most that the bin can be worth, when each resource has a price.
std::int64_t most_at(const CheckedBin& bin, const Amounts& unit) {
  std::int64_t most = 0;
  for (std::size_t d = 0; d < bin.dimensions; ++d) most += unit[d] * bin.capacity[d];
  for (const CheckedItem& item : bin.items) {
    most += std::max<std::int64_t>(0, compute_gain(item, unit, bin.dimensions)) * item.most;
  }
  return most;
}

/// Each copy of an item that costs more than it brings takes its loss from what the bin could be worth above the
/// allowed: of a filling that breaks the certificate there are only that many.
void drop_losses(CheckedBin& bin, const Amounts& unit, std::int64_t excess) {
  for (CheckedItem& item : bin.items) {
    const std::int64_t loss = -compute_gain(item, unit, bin.dimensions);
    if (loss > 0) item.most = std::min(item.most, (excess - 1) / loss);
  }
  std::erase_if(bin.items, [](const CheckedItem& item) { return item.most == 0; });
}

/// The large first: what is open then is nearly a matter of prices alone.
void order_by_share(CheckedBin& bin) {
  const auto share = [&](const CheckedItem& item) {
    double most = 0;
    for (std::size_t d = 0; d < bin.dimensions; ++d) {
      most = std::max(most, static_cast<double>(item.size[d]) / static_cast<double>(bin.capacity[d]));
    }
    return most;
  };
  std::stable_sort(bin.items.begin(), bin.items.end(),
                   [&](const CheckedItem& a, const CheckedItem& b) { return share(a) > share(b); });
}

/// States of falling worth that no other is better than. Those alike in all but the first two resources are
/// together: of two, the one with more of the first has less of the second.
class BestStates {
 public:
  explicit BestStates(std::size_t dimensions) : dimensions_(dimensions) {}

  /// False when one that came before has as much room and no other token.
  bool add(const State& state) {
    Steps* own = nullptr;
    for (Group& group : groups_) {
      if (!may_cover(group, state)) continue;
      const auto above = group.steps.lower_bound(state.room[0]);
      if (above != group.steps.end() && above->second >= state.room[1]) return false;
      if (is_alike(group, state)) own = &group.steps;
    }
    if (own == nullptr) {
      if (groups_.size() == kMaxGroups) return true;
      own = &groups_.emplace_back(Group{state, {}}).steps;
    }
    put(*own, state.room);
    return true;
  }

 private:
  static constexpr std::size_t kMaxGroups = 128;
  using Steps = std::map<std::int64_t, std::int64_t>;  ///< Amount of the first resource, to that of the second.
  struct Group {
    State alike;
    Steps steps;
  };

  bool may_cover(const Group& group, const State& state) const {
    if ((group.alike.tokens & ~state.tokens) != 0) return false;
    for (std::size_t d = 2; d < dimensions_; ++d) {
      if (group.alike.room[d] < state.room[d]) return false;
    }
    return true;
  }

  bool is_alike(const Group& group, const State& state) const {
    return group.alike.tokens == state.tokens &&
           std::equal(state.room.begin() + 2, state.room.end(), group.alike.room.begin() + 2);
  }

  static void put(Steps& steps, const Amounts& room) {
    auto below = steps.upper_bound(room[0]);
    while (below != steps.begin() && std::prev(below)->second <= room[1]) below = steps.erase(std::prev(below));
    steps.emplace_hint(below, room[0], room[1]);
  }

  std::size_t dimensions_;
  std::vector<Group> groups_;
};

/// Searches all fillings of a bin, item by item, for one that is worth more than is allowed. Fillings that cannot
/// become worth more, and those that another one is better than, are dropped.
Verdict search_fillings(const CheckedBin& bin, std::size_t most_states) {
  constexpr std::size_t kBeforeDropping = 4;  // states of one item, of the limit
  const CheckBound bound(bin);
  if (bound(0, bin.capacity) <= bin.most_worth) return Verdict::kHolds;
  std::vector<State> states = {{0, bin.capacity, 0}};
  std::vector<State> next;
  for (std::size_t i = 0; i < bin.items.size() && !states.empty(); ++i) {
    const CheckedItem& item = bin.items[i];
    const auto keep = [&](const State& state) {
      if (state.worth + bound(i + 1, state.room) > bin.most_worth) next.push_back(state);
    };
    const auto take_one = [&](Amounts& room) {
      for (std::size_t d = 0; d < bin.dimensions; ++d) {
        room[d] -= item.size[d];
        if (room[d] < 0) return false;
      }
      return true;
    };
    next.clear();
    for (State state : states) {
      keep(state);
      if ((state.tokens & item.tokens) != 0) continue;
      state.tokens |= item.tokens;
      for (std::int64_t count = 1; count <= item.most && take_one(state.room); ++count) {
        state.worth += item.worth;
        if (state.worth > bin.most_worth) return Verdict::kFails;
        keep(state);
      }
      if (next.size() > most_states * kBeforeDropping) return Verdict::kTooHard;
    }
    std::swap(states, next);
    std::sort(states.begin(), states.end(),
              [](const State& a, const State& b) { return a.worth != b.worth ? a.worth > b.worth : a.room > b.room; });
    BestStates best(bin.dimensions);
    std::erase_if(states, [&](const State& state) { return !best.add(state); });
    if (states.size() > most_states) return Verdict::kTooHard;
  }
  return Verdict::kHolds;
}

}  // namespace

Verdict check_bin(CheckedBin bin, std::size_t most_states) {
  keep_scarce(bin);
  refine_worths(bin);
  const Amounts unit = unit_prices(bin);
  const std::int64_t most = most_at(bin, unit);
  if (most <= bin.most_worth) return Verdict::kHolds;
  drop_losses(bin, unit, most - bin.most_worth);
  order_by_share(bin);
  return search_fillings(bin, most_states);
}

}  // namespace bayplan::packing

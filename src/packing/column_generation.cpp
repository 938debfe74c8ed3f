#include "packing/column_generation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "base/ordered_parallel_for.hpp"
#include "packing/certificate.hpp"
#include "packing/grid_bound.hpp"
#include "packing/linear_program.hpp"
#include "packing/packing_problem.hpp"
#include "packing/safe_bound.hpp"

namespace bayplan::packing {

namespace {

constexpr double kUsdPerMicroUsd = 1.0 / static_cast<double>(kMicroUsdPerUsd);

/// Less than no filling could make good.
constexpr NanoUsd kForbidden = -1'000'000 * kNanoUsdPerUsd;

NanoUsd to_nano(double usd) {
  return static_cast<NanoUsd>(std::floor(usd * static_cast<double>(kNanoUsdPerUsd)));
}

}  // namespace

RestrictedMaster::RestrictedMaster(const PackingProblem& problem, MicroUsd joker)
    : problem_(problem), rest_(all_of(problem)), limit_row_(problem.types.size(), -1) {
  for (const Shape& shape : problem.shapes) {
    program_.add_row(static_cast<double>(shape.count), LinearProgram::kInfinity);
  }
  int row = static_cast<int>(problem.shapes.size());
  for (std::size_t type = 0; type < problem.types.size(); ++type) {
    if (problem.types[type].limit == kUnlimited) continue;
    program_.add_row(-LinearProgram::kInfinity, static_cast<double>(problem.types[type].limit));
    limit_row_[type] = row++;
  }
  budget_row_ = row;
  for (const Budget& budget : problem.budgets) {
    program_.add_row(-LinearProgram::kInfinity, static_cast<double>(budget.limit));
  }
  rule_row_ = budget_row_ + static_cast<int>(problem.budgets.size());
  if (joker == 0) return;
  std::vector<LinearProgram::Entry> entries;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
    entries.push_back({static_cast<int>(s), static_cast<double>(problem.shapes[s].count)});
  }
  program_.add_column(static_cast<double>(joker) * kUsdPerMicroUsd, LinearProgram::kInfinity, entries);
  jokers_ = 1;
}

std::vector<double> RestrictedMaster::bins() const {
  std::vector<double> values = program_.values();
  values.erase(values.begin(), values.begin() + std::min<std::ptrdiff_t>(jokers_, std::ssize(values)));
  return values;
}

void RestrictedMaster::add_rule(const PatternRule& rule) {
  std::vector<LinearProgram::ColumnEntry> entries;
  if (jokers_ > 0 && rule.is_at_least) entries.push_back({0, static_cast<double>(rule.limit)});
  for (std::size_t p = 0; p < patterns_.size(); ++p) {
    if (has_property(rule, patterns_[p])) entries.push_back({column_of(p), 1});
  }
  const auto limit = static_cast<double>(rule.limit);
  program_.add_row(rule.is_at_least ? limit : -LinearProgram::kInfinity,
                   rule.is_at_least ? LinearProgram::kInfinity : limit, entries);
  rules_.push_back(rule);
}

bool RestrictedMaster::add(const Pattern& pattern) {
  if (!known_.emplace(pattern, patterns_.size()).second) return false;
  std::vector<LinearProgram::Entry> entries;
  for (const Copies& copies : pattern.copies) {
    entries.push_back({static_cast<int>(copies.shape), static_cast<double>(copies.count)});
  }
  if (limit_row_[pattern.type] >= 0) entries.push_back({limit_row_[pattern.type], 1});
  for (std::size_t b = 0; b < problem_.budgets.size(); ++b) {
    const std::int64_t weight = problem_.budgets[b].weights[pattern.type];
    if (weight > 0) entries.push_back({budget_row_ + static_cast<int>(b), static_cast<double>(weight)});
  }
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    if (has_property(rules_[r], pattern)) entries.push_back({rule_row_ + static_cast<int>(r), 1});
  }
  const double price = static_cast<double>(problem_.types[pattern.type].price) * kUsdPerMicroUsd;
  program_.add_column(price, is_proper(pattern) ? LinearProgram::kInfinity : 0, entries);
  patterns_.push_back(pattern);
  return true;
}

void RestrictedMaster::set_rest(const RemainingDemand& rest) {
  const std::vector<double> used = bins();
  rest_ = rest;
  for (std::size_t s = 0; s < rest.counts.size(); ++s) {
    program_.set_row(static_cast<int>(s), static_cast<double>(rest.counts[s]), LinearProgram::kInfinity);
  }
  const auto at_most = [&](int row, std::int64_t limit) {
    program_.set_row(row, -LinearProgram::kInfinity, static_cast<double>(limit));
  };
  for (std::size_t t = 0; t < rest.limits.size(); ++t) {
    if (limit_row_[t] >= 0) at_most(limit_row_[t], rest.limits[t]);
  }
  for (std::size_t b = 0; b < rest.budgets.size(); ++b) at_most(budget_row_ + static_cast<int>(b), rest.budgets[b]);
  for (std::size_t p = 0; p < used.size(); ++p) {
    const bool proper = is_proper(patterns_[p]);
    program_.set_upper(column_of(p), proper ? LinearProgram::kInfinity : 0);
    if (proper || used[p] <= 0) continue;
    const Pattern less = cut(patterns_[p]);
    if (!less.copies.empty()) add(less);
  }
}

bool RestrictedMaster::is_proper(const Pattern& pattern) const {
  return std::all_of(pattern.copies.begin(), pattern.copies.end(),
                     [&](const Copies& copies) { return copies.count <= rest_.counts[copies.shape]; });
}

Pattern RestrictedMaster::cut(const Pattern& pattern) const {
  Pattern less{pattern.type, {}};
  for (const Copies& copies : pattern.copies) {
    const std::int64_t count = std::min(copies.count, rest_.counts[copies.shape]);
    if (count > 0) less.copies.push_back({copies.shape, count});
  }
  return less;
}

Duals RestrictedMaster::duals() const {
  const std::vector<double> rows = program_.duals();
  Duals duals;
  for (std::size_t s = 0; s < rest_.counts.size(); ++s) duals.worth.push_back(std::max<NanoUsd>(0, to_nano(rows[s])));
  const auto charge = [&](int row) { return std::max<NanoUsd>(0, to_nano(-rows[static_cast<std::size_t>(row)])); };
  for (int row : limit_row_) duals.charge.push_back(row < 0 ? 0 : charge(row));
  for (std::size_t b = 0; b < rest_.budgets.size(); ++b) {
    duals.budget_charge.push_back(charge(budget_row_ + static_cast<int>(b)));
  }
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    const NanoUsd worth = to_nano(rows[static_cast<std::size_t>(rule_row_) + r]);
    duals.rule_worth.push_back(rules_[r].is_at_least ? std::max<NanoUsd>(0, worth) : std::min<NanoUsd>(0, worth));
    // What may never be has no price: the LP says one only once it has seen such a pattern.
    if (!rules_[r].is_at_least && rules_[r].limit == 0) duals.rule_worth.back() = kForbidden;
  }
  return duals;
}

namespace {

/// Duals of which one resource decides: what fits a bin by this resource alone is the most that it can be worth.
struct ResourceDuals {
  std::size_t resource = 0;
  Duals duals;
};

__extension__ using Wide = __int128;

/// NanoUsd a unit of each resource, for these shapes on the types that they allow.
std::vector<double> resource_costs(const PackingProblem& problem, const std::vector<std::size_t>& shapes) {
  LinearProgram program;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    double demand = 0;
    for (std::size_t s : shapes) {
      demand += static_cast<double>(problem.shapes[s].size[d]) * static_cast<double>(problem.shapes[s].count);
    }
    program.add_row(demand, LinearProgram::kInfinity);
  }
  for (std::size_t t = 0; t < problem.types.size(); ++t) {
    if (!is_allowed(problem.shapes[shapes.front()], t)) continue;
    std::vector<LinearProgram::Entry> entries;
    for (std::size_t d = 0; d < problem.dimensions; ++d) {
      entries.push_back({static_cast<int>(d), static_cast<double>(problem.types[t].capacity[d])});
    }
    const std::int64_t limit = problem.types[t].limit;
    program.add_column(static_cast<double>(problem.types[t].price),
                       limit == kUnlimited ? LinearProgram::kInfinity : static_cast<double>(limit), entries);
  }
  if (!program.solve()) return std::vector<double>(problem.dimensions);
  std::vector<double> costs = program.duals();
  for (double& cost : costs) cost = std::max(0.0, cost * static_cast<double>(kNanoUsdPerMicroUsd));
  return costs;
}

/// An amount of money for an amount of one resource.
struct Rate {
  MicroUsd price = 0;
  std::int64_t amount = 1;

  bool is_below(const Rate& other) const { return Wide{price} * other.amount < Wide{other.price} * amount; }
  NanoUsd of(std::int64_t size) const {
    return static_cast<NanoUsd>(Wide{price} * kNanoUsdPerMicroUsd * size / amount);
  }
};

/// At a rate above that of a type without a limit, every bin of it would be worth too much. Where all types are
/// limited, the dearest: `best_certificate` finds the part of it that proves most.
std::optional<Rate> find_rate(const PackingProblem& problem, std::size_t resource) {
  std::optional<Rate> cheapest_unlimited;
  std::optional<Rate> dearest_limited;
  for (const BinType& type : problem.types) {
    if (type.capacity[resource] == 0) continue;
    const Rate rate{type.price, type.capacity[resource]};
    if (type.limit == kUnlimited) {
      if (!cheapest_unlimited || rate.is_below(*cheapest_unlimited)) cheapest_unlimited = rate;
    } else if (!dearest_limited || dearest_limited->is_below(rate)) {
      dearest_limited = rate;
    }
  }
  return cheapest_unlimited ? cheapest_unlimited : dearest_limited;
}

Duals no_duals(const PackingProblem& problem) {
  return {std::vector<NanoUsd>(problem.shapes.size()),
          std::vector<NanoUsd>(problem.types.size()),
          std::vector<NanoUsd>(problem.budgets.size()),
          {}};
}

/// Larger counts of parts hardly ever prove more.
constexpr std::int64_t kMaxParts = 12;

/// Each looks at every shape.
constexpr std::size_t kMaxThresholds = 256;

/// A size as a bin of this capacity has to see it.
class DualFeasible {
 public:
  static DualFeasible from(std::int64_t capacity, std::int64_t least) { return DualFeasible(capacity, least, 0); }
  static DualFeasible parts(std::int64_t capacity, std::int64_t count) { return DualFeasible(capacity, 0, count); }

  std::int64_t operator()(std::int64_t size) const {
    if (parts_ > 0) {
      const Wide scaled = Wide{size} * (parts_ + 1);
      return scaled % capacity_ == 0 ? size : static_cast<std::int64_t>(scaled / capacity_ * capacity_ / parts_);
    }
    if (size > capacity_ - least_) return std::max(size, capacity_);
    return size < least_ ? 0 : size;
  }

 private:
  DualFeasible(std::int64_t capacity, std::int64_t least, std::int64_t parts)
      : capacity_(capacity), least_(least), parts_(parts) {}

  std::int64_t capacity_;
  std::int64_t least_;  ///< Smaller sizes count nothing, and what leaves less next to it takes the whole bin.
  std::int64_t parts_;
};

std::vector<DualFeasible> list_dual_feasible_functions(const PackingProblem& problem, std::size_t resource,
                                                       std::int64_t capacity) {
  std::set<std::int64_t> least;
  for (const Shape& shape : problem.shapes) {
    const std::int64_t size = shape.size[resource];
    if (size > 0 && size <= capacity / 2) least.insert(size);
    if (size < capacity && size > capacity / 2) least.insert(capacity - size + 1);
  }
  least.erase(least.upper_bound(capacity / 2), least.end());
  std::vector<DualFeasible> functions;
  const std::size_t step = least.size() / kMaxThresholds + 1;
  std::size_t index = 0;
  for (const std::int64_t size : least) {
    if (index++ % step == 0) functions.push_back(DualFeasible::from(capacity, size));
  }
  for (std::int64_t count = 1; count <= kMaxParts; ++count) functions.push_back(DualFeasible::parts(capacity, count));
  return functions;
}

Wide compute_sum(const PackingProblem& problem, std::size_t resource, const DualFeasible& function) {
  Wide sum = 0;
  for (const Shape& shape : problem.shapes) sum += Wide{function(shape.size[resource])} * shape.count;
  return sum;
}

/// For each resource that tasks take: the worth of a size is the price of the amount that a function makes of it.
/// `function_of(resource, capacity)` gives that function.
template <class FunctionOf>
std::vector<ResourceDuals> duals_of_each(const PackingProblem& problem, FunctionOf function_of) {
  std::vector<ResourceDuals> all;
  for (std::size_t d = 0; d < problem.dimensions; ++d) {
    const auto rate = find_rate(problem, d);
    const bool is_taken = std::any_of(problem.shapes.begin(), problem.shapes.end(),
                                      [&](const Shape& shape) { return shape.size[d] > 0; });
    if (!rate || !is_taken) continue;
    const auto function = function_of(d, rate->amount);
    Duals& duals = all.emplace_back(ResourceDuals{d, no_duals(problem)}).duals;
    for (std::size_t s = 0; s < problem.shapes.size(); ++s)
      duals.worth[s] = rate->of(function(problem.shapes[s].size[d]));
  }
  return all;
}

/// Tasks are worth the price of each resource times their size, as if they could be cut to fill every bin. Shapes with
/// other bin types have other prices. The search starts here; nothing is proven until these are priced.
Duals volume_duals(const PackingProblem& problem) {
  std::map<std::vector<bool>, std::vector<std::size_t>> alike;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) alike[problem.shapes[s].allowed].push_back(s);
  Duals duals = no_duals(problem);
  for (const auto& [allowed, shapes] : alike) {
    const std::vector<double> costs = resource_costs(problem, shapes);
    for (std::size_t s : shapes) {
      double worth = 0;
      for (std::size_t d = 0; d < problem.dimensions; ++d) {
        worth += costs[d] * static_cast<double>(problem.shapes[s].size[d]);
      }
      duals.worth[s] = static_cast<NanoUsd>(worth);
    }
  }
  return duals;
}

/// Each resource alone, at the price a unit of the dearest type that is limited or the cheapest that is not: no bin
/// holds more than its capacity, whatever is allowed in it. One entry a resource of which tasks take something.
std::vector<ResourceDuals> resource_duals(const PackingProblem& problem) {
  return duals_of_each(problem, [](std::size_t, std::int64_t) { return [](std::int64_t size) { return size; }; });
}

/// Each resource alone, seen through the dual-feasible function that leaves the tasks worth most: tasks above half of a
/// bin count as whole bins where nothing fits next to them, and sizes go up to the next part of a bin that they waste.
/// Functions f_0 and u of Fekete and Schepers, "New classes of fast lower bounds for bin packing problems",
/// Mathematical Programming 91 (2001). One entry a resource of which tasks take something.
std::vector<ResourceDuals> dual_feasible_duals(const PackingProblem& problem) {
  return duals_of_each(problem, [&](std::size_t resource, std::int64_t capacity) {
    const auto functions = list_dual_feasible_functions(problem, resource, capacity);
    return *std::max_element(functions.begin(), functions.end(), [&](const auto& a, const auto& b) {
      return compute_sum(problem, resource, a) < compute_sum(problem, resource, b);
    });
  });
}

/// Adds up what all tasks are worth; no certificate of these duals proves more.
NanoUsd worth_of_all(const PackingProblem& problem, const Duals& duals) {
  NanoUsd sum = 0;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) sum += duals.worth[s] * problem.shapes[s].count;
  return sum;
}

constexpr std::size_t kFirstWidth = 64;
constexpr std::size_t kWidening = 8;
constexpr std::size_t kAnswers = 4;

/// A round for bins of one type solves a single knapsack, so that it can afford more answers.
constexpr std::size_t kAnswersOfOneType = 12;

/// Width from which a table over all resources may bound the labels, and its cells for each label of a layer.
constexpr std::size_t kTableWidth = 512;
constexpr std::size_t kCellsPerLabel = 32;

/// Types whose knapsacks are solved at the same time.
constexpr std::size_t kTypesAtOnce = 32;

/// Threads share a round if the one before took longer, about 10 ms: in a shorter one they cost more than they save.
constexpr std::int64_t kSharedRound = 100'000;
constexpr NanoUsd kSmoothing = 3;
constexpr std::uint32_t kNoType = std::numeric_limits<std::uint32_t>::max();

/// Nearer to the duals of the best bound than to the LP's own, which leap from round to round.
Duals between(const Duals& center, const Duals& own) {
  const auto mix = [](std::vector<NanoUsd>& to, const std::vector<NanoUsd>& from) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += (from[i] - to[i]) / kSmoothing;
  };
  Duals mixed = center;
  mix(mixed.worth, own.worth);
  mix(mixed.charge, own.charge);
  mix(mixed.budget_charge, own.budget_charge);
  mix(mixed.rule_worth, own.rule_worth);
  return mixed;
}

}  // namespace

ColumnGeneration::ColumnGeneration(const PackingProblem& problem, Effort& effort, MicroUsd joker)
    : problem_(problem),
      step_(price_step(problem)),
      effort_(effort),
      master_(problem, joker),
      rest_(all_of(problem)),
      certificate_(no_certificate(problem)) {
  for (std::size_t type = 0; type < problem.types.size(); ++type) {
    std::vector<std::int64_t>& most = most_.emplace_back();
    for (std::uint32_t s = 0; s < problem.shapes.size(); ++s) {
      most.push_back(most_copies(problem, problem.shapes[s], type));
    }
  }
  add_plain_patterns();
}

void ColumnGeneration::add_plain_patterns() {
  const bool limited = is_limited(problem_);
  for (std::uint32_t s = 0; s < problem_.shapes.size(); ++s) {
    std::uint32_t best = kNoType;
    for (std::uint32_t type = 0; type < problem_.types.size(); ++type) {
      if (most_[type][s] == 0) continue;
      if (limited) master_.add({type, {{s, most_[type][s]}}});
      if (best == kNoType || rate(type, s) < rate(best, s)) best = type;
    }
    if (best != kNoType) master_.add({best, {{s, most_[best][s]}}});
  }
}

double ColumnGeneration::rate(std::size_t type, std::size_t shape) const {
  return static_cast<double>(problem_.types[type].price) / static_cast<double>(most_[type][shape]);
}

void ColumnGeneration::set_rest(const RemainingDemand& rest) {
  rest_ = rest;
  is_whole_ = rest == all_of(problem_);
  master_.set_rest(rest);
}

void ColumnGeneration::set_certificate(const Certificate& certificate) {
  certificate_ = certificate;
  certificate_.duals.rule_worth.resize(rules_.size());
  center_ = certificate_.duals;
}

void ColumnGeneration::add_rule(const PatternRule& rule) {
  rules_.push_back(rule);
  master_.add_rule(rule);
  certificate_.duals.rule_worth.push_back(0);
  center_.rule_worth.push_back(0);
}

NanoUsd ColumnGeneration::worth_of_type(std::uint32_t type, const Duals& duals) const {
  NanoUsd worth = 0;
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    if (rules_[r].property == PatternRule::Property::kType && rules_[r].type == type) worth += duals.rule_worth[r];
  }
  return worth;
}

std::vector<bool> ColumnGeneration::useless_types(MicroUsd cost, std::size_t width) {
  std::vector<bool> useless(problem_.types.size());
  const NanoUsd gap = cost * kNanoUsdPerMicroUsd - certificate_.bound;
  for (std::uint32_t type = 0; type < problem_.types.size(); ++type) {
    if (!left_out_.empty() && left_out_[type]) continue;
    const NanoUsd least =
        charged_price(problem_, certificate_.duals, type) - worth_of_type(type, certificate_.duals) - gap;
    if (least <= 0) continue;
    const KnapsackAnswer answer = solve_knapsack(make_knapsack(type, certificate_.duals), {least, width, 1}, effort_);
    useless[type] = answer.fillings.empty() && answer.upper_bound <= least;
  }
  if (!left_out_.empty()) {
    for (std::size_t t = 0; t < useless.size(); ++t) useless[t] = useless[t] || left_out_[t];
  }
  return useless;
}

Knapsack ColumnGeneration::make_knapsack(std::size_t type, const Duals& duals) const {
  Knapsack knapsack{problem_.dimensions, problem_.types[type].capacity, {}};
  std::vector<bool> gains(problem_.shapes.size());  // a task worth nothing may still make a rule gain
  for (std::size_t r = 0; r < rules_.size() && is_whole_; ++r) {
    if (duals.rule_worth[r] == 0) continue;
    knapsack.rules.push_back({rules_[r], duals.rule_worth[r]});
    for (std::uint32_t s : rules_[r].shapes) gains[s] = gains[s] || duals.rule_worth[r] > 0;
  }
  for (std::uint32_t s = 0; s < problem_.shapes.size(); ++s) {
    const Shape& shape = problem_.shapes[s];
    const std::int64_t copies = std::min(rest_.counts[s], most_[type][s]);
    if (copies > 0 && (duals.worth[s] > 0 || gains[s])) {
      knapsack.items.push_back({shape.size, duals.worth[s], copies, shape.tokens, s});
    }
  }
  return knapsack;
}

ColumnGeneration::Round ColumnGeneration::price(const Duals& duals, std::size_t width) {
  Round round;
  std::vector<std::uint32_t> types;
  for (std::uint32_t type = 0; type < problem_.types.size(); ++type) {
    round.upper_bounds.push_back(charged_price(problem_, duals, type));
    if (left_out_.empty() || !left_out_[type]) types.push_back(type);
  }
  const std::int64_t before = effort_.spent();
  for (std::size_t begin = 0; begin < types.size(); begin += kTypesAtOnce) {
    const auto first = types.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto end = types.begin() + static_cast<std::ptrdiff_t>(std::min(types.size(), begin + kTypesAtOnce));
    price_types({first, end}, duals, width, [&](std::uint32_t type, KnapsackAnswer answer) {
      for (Filling& filling : answer.fillings) round.patterns.push_back({type, std::move(filling.copies)});
      round.upper_bounds[type] = answer.upper_bound + worth_of_type(type, duals);
    });
  }
  last_round_ = effort_.spent() - before;
  return round;
}

/// Labels alone find most fillings, but prove little of a bin whose resources both run out exactly, such as one of 8
/// vCPUs for tasks of odd memory. Where they find none, a table over all resources decides.
KnapsackAnswer ColumnGeneration::price_type(const Knapsack& knapsack, NanoUsd target, std::size_t width,
                                            Effort& effort) const {
  const bool is_wide = width >= kTableWidth;
  if (problem_.types.size() == 1) {
    return solve_knapsack(knapsack, {target, width, kAnswersOfOneType, is_wide ? GridBound::kMostCells : 0, is_wide},
                          effort);
  }
  if (!is_wide || !is_whole_) return solve_knapsack(knapsack, {target, width, kAnswers}, effort);
  KnapsackAnswer answer = solve_knapsack(knapsack, {target, kFirstWidth, kAnswers}, effort);
  if (!answer.fillings.empty() || answer.upper_bound <= target) return answer;
  return solve_knapsack(knapsack, {target, width, kAnswers, std::min(GridBound::kMostCells, kCellsPerLabel * width)},
                        effort);
}

/// Each knapsack may spend the effort left before the first of them: what it finds does not depend on how many threads
/// there are.
void ColumnGeneration::price_types(const std::vector<std::uint32_t>& types, const Duals& duals, std::size_t width,
                                   const std::function<void(std::uint32_t, KnapsackAnswer)>& take) {
  struct Priced {
    std::uint32_t type = 0;
    KnapsackAnswer answer;
    std::int64_t effort = 0;
  };
  std::mutex mutex;
  const std::int64_t left = effort_.left();
  const auto go_on = [&] {
    const std::lock_guard lock(mutex);
    return effort_.ask();
  };
  const auto price = [&](std::size_t index) {
    const std::uint32_t type = types[index];
    const NanoUsd own = charged_price(problem_, duals, type);
    const NanoUsd target = own + own / precision_ - worth_of_type(type, duals);
    Effort effort(left, go_on);
    KnapsackAnswer answer = price_type(make_knapsack(type, duals), target, width, effort);
    return Priced{type, std::move(answer), effort.spent()};
  };
  const auto spend = [&](Priced priced) {
    {
      const std::lock_guard lock(mutex);
      effort_.spend(priced.effort);
    }
    take(priced.type, std::move(priced.answer));
  };
  const unsigned threads = last_round_ >= kSharedRound ? effort_.threads() : 1;
  OrderedParallelFor<Priced>(types.size(), price, spend).run(threads);
}

bool ColumnGeneration::helps(const Pattern& pattern, const Duals& duals) const {
  NanoUsd worth = 0;
  for (const Copies& copies : pattern.copies) worth += copies.count * duals.worth[copies.shape];
  for (std::size_t r = 0; r < rules_.size(); ++r) {
    if (has_property(rules_[r], pattern)) worth += duals.rule_worth[r];
  }
  return worth > charged_price(problem_, duals, pattern.type);
}

bool ColumnGeneration::solve_master() {
  const std::int64_t before = master_.work();
  const bool solved = master_.solve();
  effort_.spend(master_.work() - before);
  return solved;
}

void ColumnGeneration::begin() {
  Duals by_volume = volume_duals(problem_);
  by_volume.rule_worth.resize(rules_.size());
  const Round round = price(by_volume, kFirstWidth);
  note_bound(by_volume, round.upper_bounds);
  for (const Pattern& pattern : round.patterns) master_.add(pattern);
  for (ResourceDuals& one : resource_duals(problem_)) note_bound_of(one.resource, std::move(one.duals));
  for (ResourceDuals& one : dual_feasible_duals(problem_)) note_bound_of(one.resource, std::move(one.duals));
}

void ColumnGeneration::note_bound_of(std::size_t resource, Duals duals) {
  if (worth_of_all(problem_, duals) <= certificate_.bound) return;
  duals.rule_worth.resize(rules_.size());
  std::vector<NanoUsd> upper_bounds;
  for (std::uint32_t type = 0; type < problem_.types.size(); ++type) {
    const NanoUsd price = charged_price(problem_, duals, type);
    Knapsack knapsack = make_knapsack(type, duals);  // of the resource alone
    knapsack.dimensions = 1;
    knapsack.capacity = {knapsack.capacity[resource]};
    for (KnapsackItem& item : knapsack.items) item.size = {item.size[resource]};
    upper_bounds.push_back(solve_knapsack(knapsack, {price, kFirstWidth, 1}, effort_).upper_bound);
  }
  note_bound(duals, upper_bounds);
}

bool ColumnGeneration::converge(std::size_t width, NanoUsd precision) {
  precision_ = precision;
  if (certificate_.bound == 0 && is_whole_) begin();
  std::size_t narrow = std::min(width, kFirstWidth);
  bool smooth = true;
  while (solve_master()) {
    const Duals own = master_.duals();
    const bool is_smooth = smooth && is_whole_ && certificate_.bound > 0;
    const Duals duals = is_smooth ? between(center_, own) : own;
    const Round round = price(duals, narrow);
    if (is_whole_) note_bound(duals, round.upper_bounds);
    bool helped = false;
    for (const Pattern& pattern : round.patterns) {
      if (master_.add(pattern) && helps(pattern, own)) helped = true;
    }
    if (effort_.is_exhausted() || (is_whole_ && is_bound_sharp())) return true;
    if (!helped && !is_smooth && narrow == width) return true;
    if (!helped && !is_smooth) narrow = std::min(width, narrow * kWidening);
    smooth = helped;
  }
  return false;
}

bool ColumnGeneration::is_bound_sharp() const {
  const auto of_lp = static_cast<NanoUsd>(master_.cost() * static_cast<double>(kNanoUsdPerUsd) * (1 - 1e-9));
  return round_up(certificate_.bound, step_) >= round_up(of_lp, step_);
}

void ColumnGeneration::note_bound(const Duals& duals, const std::vector<std::int64_t>& upper_bounds) {
  Certificate candidate = best_certificate(problem_, duals, upper_bounds, rules_);
  if (candidate.bound <= certificate_.bound) return;
  certificate_ = std::move(candidate);
  center_ = duals;
}

}  // namespace bayplan::packing

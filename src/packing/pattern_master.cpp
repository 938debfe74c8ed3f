#include "packing/pattern_master.hpp"

#include <algorithm>
#include <cmath>

namespace bayplan::packing {
namespace {

constexpr double kUsdPerMicroUsd = 1.0 / static_cast<double>(kMicroUsdPerUsd);

/// Less than no filling could make good.
constexpr NanoUsd kForbidden = -1'000'000 * kNanoUsdPerUsd;

NanoUsd to_nano(double usd) {
  return static_cast<NanoUsd>(std::floor(usd * static_cast<double>(kNanoUsdPerUsd)));
}

}  // namespace

PatternMaster::PatternMaster(const PackingProblem& problem, MicroUsd joker)
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

std::vector<double> PatternMaster::bins() const {
  std::vector<double> values = program_.values();
  values.erase(values.begin(), values.begin() + std::min<std::ptrdiff_t>(jokers_, std::ssize(values)));
  return values;
}

void PatternMaster::add_rule(const PatternRule& rule) {
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

bool PatternMaster::add(const Pattern& pattern) {
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

void PatternMaster::set_rest(const Rest& rest) {
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

bool PatternMaster::is_proper(const Pattern& pattern) const {
  return std::all_of(pattern.copies.begin(), pattern.copies.end(),
                     [&](const Copies& copies) { return copies.count <= rest_.counts[copies.shape]; });
}

Pattern PatternMaster::cut(const Pattern& pattern) const {
  Pattern less{pattern.type, {}};
  for (const Copies& copies : pattern.copies) {
    const std::int64_t count = std::min(copies.count, rest_.counts[copies.shape]);
    if (count > 0) less.copies.push_back({copies.shape, count});
  }
  return less;
}

Duals PatternMaster::duals() const {
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

}  // namespace bayplan::packing

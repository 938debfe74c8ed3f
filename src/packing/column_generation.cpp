#include "packing/column_generation.hpp"

#include <algorithm>
#include <cmath>

#include "packing/first_duals.hpp"
#include "packing/safe_bound.hpp"

namespace bayplan::packing {
namespace {

constexpr std::size_t kFirstWidth = 64;
constexpr std::size_t kWidening = 8;
constexpr std::size_t kAnswers = 4;
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

/// The bin as if nothing else were scarce: an upper bound of it is one of the bin as it is.
Knapsack with_one_resource(Knapsack knapsack, std::size_t resource) {
  knapsack.dimensions = 1;
  knapsack.capacity = {knapsack.capacity[resource]};
  for (KnapsackItem& item : knapsack.items) item.size = {item.size[resource]};
  return knapsack;
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

void ColumnGeneration::set_rest(const Rest& rest) {
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
    const KnapsackAnswer answer = solve_knapsack(knapsack_of(type, certificate_.duals), {least, width, 1}, effort_);
    useless[type] = answer.fillings.empty() && answer.upper_bound <= least;
  }
  if (!left_out_.empty()) {
    for (std::size_t t = 0; t < useless.size(); ++t) useless[t] = useless[t] || left_out_[t];
  }
  return useless;
}

Knapsack ColumnGeneration::knapsack_of(std::size_t type, const Duals& duals) const {
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
  for (std::uint32_t type = 0; type < problem_.types.size(); ++type) {
    const NanoUsd price = charged_price(problem_, duals, type);
    if (!left_out_.empty() && left_out_[type]) {
      round.upper_bounds.push_back(price);
      continue;
    }
    const NanoUsd of_type = worth_of_type(type, duals);
    const KnapsackLimits limits{price + price / precision_ - of_type, width, kAnswers};
    KnapsackAnswer answer = solve_knapsack(knapsack_of(type, duals), limits, effort_);
    for (Filling& filling : answer.fillings) round.patterns.push_back({type, std::move(filling.copies)});
    round.upper_bounds.push_back(answer.upper_bound + of_type);
  }
  return round;
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
    const Knapsack knapsack = with_one_resource(knapsack_of(type, duals), resource);
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

#pragma once
#include <functional>
#include <map>
#include <vector>

#include "packing/certificate.hpp"
#include "packing/effort.hpp"
#include "packing/knapsack.hpp"
#include "packing/linear_program.hpp"
#include "packing/pattern_rule.hpp"
#include "packing/remaining_demand.hpp"

namespace bayplan::packing {

/// The LP over the patterns known so far: every shape covered, limits and budgets kept, least price.
class RestrictedMaster {
 public:
  /// `joker`: 0, or the price of packing all tasks and keeping all rules at once, so that there always is a solution.
  explicit RestrictedMaster(const PackingProblem& problem, MicroUsd joker = 0);

  /// False when it is known already.
  bool add(const Pattern& pattern);

  /// A rule that holds as long as all tasks are to be packed.
  void add_rule(const PatternRule& rule);

  /// What is still to pack; patterns that hold more of a shape than that are barred, and those of the last solution
  /// return cut down.
  void set_rest(const RemainingDemand& rest);

  bool solve() { return program_.solve(); }
  double cost() const { return program_.objective(); }  ///< Returns the cost in USD.
  Duals duals() const;
  std::vector<double> bins() const;  ///< One a pattern.

  const std::vector<Pattern>& patterns() const { return patterns_; }
  std::int64_t work() const { return program_.work(); }  ///< Returns the work so far, in the unit of Effort.

 private:
  bool is_proper(const Pattern& pattern) const;
  Pattern cut(const Pattern& pattern) const;

  int column_of(std::size_t pattern) const { return static_cast<int>(pattern) + jokers_; }

  const PackingProblem& problem_;
  int jokers_ = 0;
  LinearProgram program_;
  RemainingDemand rest_;
  std::vector<int> limit_row_;  ///< One a type; -1: no limit.
  int budget_row_ = 0;          ///< Row of the first budget.
  int rule_row_ = 0;            ///< Row of the first rule.
  std::vector<PatternRule> rules_;
  std::vector<Pattern> patterns_;
  std::map<Pattern, std::size_t> known_;
};

/// The LP over all patterns, of which only those are made that may better it.
class ColumnGeneration {
 public:
  /// `joker`: see RestrictedMaster.
  ColumnGeneration(const PackingProblem& problem, Effort& effort, MicroUsd joker = 0);

  void add(const Pattern& pattern) { master_.add(pattern); }

  /// Packings that break the rule are looked for no more; for the search of all tasks only, not of a rest.
  void add_rule(const PatternRule& rule);

  /// Types that none of the packings looked for needs.
  void leave_out(const std::vector<bool>& types) { left_out_ = types; }

  /// The types of which no bin comes near enough to its price for a packing that costs less than `cost`, by the
  /// certificate.
  std::vector<bool> useless_types(MicroUsd cost, std::size_t width);

  void set_rest(const RemainingDemand& rest);  ///< What is still to pack.

  /// First bounds and patterns, of all tasks: by volume, by each resource alone, by dual-feasible functions. The bounds
  /// hold, and none is below the volume of a resource, even when the effort is spent.
  void begin();

  /// Begins with a bound found elsewhere.
  void set_certificate(const Certificate& certificate);

  /// A pattern that helps by less than this part of its price is not worth a round.
  static constexpr NanoUsd kExact = 1'000'000'000;

  /// Makes patterns until a search of this width finds none that helps, none by more than the price / `precision`.
  /// False when the LP has no solution. With all tasks of the problem to pack each round gives a bound too, and ends it
  /// once that meets the LP's own value, both rounded up to a sum of prices.
  bool converge(std::size_t width, NanoUsd precision = kExact);

  const Certificate& certificate() const { return certificate_; }
  const RestrictedMaster& master() const { return master_; }
  double cost() const { return master_.cost(); }  ///< Returns the cost in USD.

 private:
  struct Round {
    std::vector<Pattern> patterns;
    std::vector<std::int64_t> upper_bounds;  ///< One a type: the most that a bin can be worth.
  };

  /// Bins full of one shape, so that the LP has a solution.
  void add_plain_patterns();
  double rate(std::size_t type, std::size_t shape) const;  ///< Price a copy, in bins of that shape alone.

  /// Priced as if nothing but the resource were scarce.
  void note_bound_of(std::size_t resource, Duals duals);
  bool solve_master();
  Round price(const Duals& duals, std::size_t width);
  void price_types(const std::vector<std::uint32_t>& types, const Duals& duals, std::size_t width,
                   const std::function<void(std::uint32_t, KnapsackAnswer)>& take);
  KnapsackAnswer price_type(const Knapsack& knapsack, NanoUsd target, std::size_t width, Effort& effort) const;
  NanoUsd worth_of_type(std::uint32_t type, const Duals& duals) const;  ///< Computes the worth that the rules allow.
  Knapsack make_knapsack(std::size_t type, const Duals& duals) const;
  bool helps(const Pattern& pattern, const Duals& duals) const;
  bool is_bound_sharp() const;
  void note_bound(const Duals& duals, const std::vector<std::int64_t>& upper_bounds);

  const PackingProblem& problem_;
  MicroUsd step_;
  Effort& effort_;
  RestrictedMaster master_;
  RemainingDemand rest_;
  std::vector<std::vector<std::int64_t>> most_;  ///< Copies a bin: a list a type, one entry a shape.
  bool is_whole_ = true;                         ///< All tasks of the problem are to be packed.
  NanoUsd precision_ = kExact;
  std::int64_t last_round_ = 0;  ///< Effort of the last round of pricing.
  std::vector<PatternRule> rules_;
  std::vector<bool> left_out_;
  Certificate certificate_;
  Duals center_;  ///< Duals of the certificate before they were scaled.
};

}  // namespace bayplan::packing

#pragma once
#include <map>
#include <vector>

#include "packing/certificate.hpp"
#include "packing/linear_program.hpp"
#include "packing/pattern_rule.hpp"
#include "packing/rest.hpp"

namespace bayplan::packing {

/// The LP over the patterns known so far: every shape covered, limits and budgets kept, least price.
class PatternMaster {
 public:
  /// `joker`: 0, or the price of packing all tasks and keeping all rules at once, so that there always is a solution.
  explicit PatternMaster(const PackingProblem& problem, MicroUsd joker = 0);

  /// False when it is known already.
  bool add(const Pattern& pattern);

  /// A rule that holds as long as all tasks are to be packed.
  void add_rule(const PatternRule& rule);

  /// What is still to pack; patterns that hold more of a shape than that are barred, and those of the last solution
  /// return cut down.
  void set_rest(const Rest& rest);

  bool solve() { return program_.solve(); }
  double cost() const { return program_.objective(); }  ///< In USD.
  Duals duals() const;
  std::vector<double> bins() const;  ///< One a pattern.

  const std::vector<Pattern>& patterns() const { return patterns_; }
  std::int64_t work() const { return program_.work(); }  ///< So far; in the unit of Effort.

 private:
  bool is_proper(const Pattern& pattern) const;
  Pattern cut(const Pattern& pattern) const;

  int column_of(std::size_t pattern) const { return static_cast<int>(pattern) + jokers_; }

  const PackingProblem& problem_;
  int jokers_ = 0;
  LinearProgram program_;
  Rest rest_;
  std::vector<int> limit_row_;  ///< One a type; -1: no limit.
  int budget_row_ = 0;          ///< Of the first budget.
  int rule_row_ = 0;            ///< Of the first rule.
  std::vector<PatternRule> rules_;
  std::vector<Pattern> patterns_;
  std::map<Pattern, std::size_t> known_;
};

}  // namespace bayplan::packing

#pragma once
#include <map>
#include <span>
#include <vector>

#include "packing/certificate.hpp"
#include "packing/linear_program.hpp"
#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// The LP over the patterns known so far: every shape covered, limits kept, least price.
class PatternMaster {
 public:
  explicit PatternMaster(const PackingProblem& problem);

  /// False when it is known already.
  bool add(const Pattern& pattern);

  /// The tasks still to pack; patterns that hold more of a shape than that are barred, and those of the last
  /// solution return cut down.
  void set_counts(std::span<const std::int64_t> counts);

  bool solve() { return program_.solve(); }
  double cost() const { return program_.objective(); }  ///< In USD.
  Duals duals() const;
  std::vector<double> bins() const { return program_.values(); }  ///< One a pattern.

  const std::vector<Pattern>& patterns() const { return patterns_; }
  std::int64_t work() const { return program_.work(); }  ///< So far; in the unit of Effort.

 private:
  bool is_proper(const Pattern& pattern) const;
  Pattern cut(const Pattern& pattern) const;

  const PackingProblem& problem_;
  LinearProgram program_;
  std::vector<std::int64_t> counts_;
  std::vector<int> limit_row_;  ///< One a type; -1: no limit.
  std::vector<Pattern> patterns_;
  std::map<Pattern, std::size_t> known_;
};

}  // namespace bayplan::packing

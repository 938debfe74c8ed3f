#pragma once
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "packing/packing_problem.hpp"

namespace bayplan::packing {

/// A row of the LP beyond those of the tasks: how many patterns of a packing have some property.
struct PatternRule {
  enum class Property : std::uint8_t {
    kTogether,  ///< The pattern has at least `least` of each of one or two shapes.
    kType,      ///< The type.
  };

  Property property = Property::kTogether;
  std::vector<std::uint32_t> shapes;
  std::vector<std::int64_t> least;  ///< One a shape.
  std::uint32_t type = 0;
  bool is_at_least = false;  ///< False for an upper limit.
  std::int64_t limit = 0;

  bool operator==(const PatternRule&) const = default;
  bool operator<(const PatternRule& other) const {
    const auto key = [](const PatternRule& rule) {
      return std::tie(rule.property, rule.shapes, rule.least, rule.type, rule.is_at_least, rule.limit);
    };
    return key(*this) < key(other);
  }
};

bool has_property(const PatternRule& rule, const Pattern& pattern);

/// A rule by whose limit the packings can be distinguished, and what some bins have of its property: no whole number.
struct FractionalProperty {
  PatternRule rule;
  double value = 0;
};

/// What these bins, one number a pattern, leave the most undecided: the number of bins of a type, dear ones first, else
/// which tasks are together. Nothing when all is decided.
std::optional<FractionalProperty> most_fractional(const PackingProblem& problem, const std::vector<Pattern>& patterns,
                                                  const std::vector<double>& bins);

}  // namespace bayplan::packing

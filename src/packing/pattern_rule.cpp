#include "packing/pattern_rule.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace bayplan::packing {
namespace {

constexpr double kDecided = 1e-5;

std::int64_t copies_in(const Pattern& pattern, std::uint32_t shape) {
  for (const Copies& copies : pattern.copies) {
    if (copies.shape == shape) return copies.count;
  }
  return 0;
}

using Values = std::map<PatternRule, double>;

void note_together(const Pattern& pattern, double bins, Values& values) {
  const auto note = [&](std::vector<std::uint32_t> shapes, std::vector<std::int64_t> least) {
    values[{PatternRule::Property::kTogether, std::move(shapes), std::move(least), 0, false, 0}] += bins;
  };
  const std::vector<Copies>& copies = pattern.copies;
  for (std::size_t a = 0; a < copies.size(); ++a) {
    for (std::int64_t k = 1; k <= copies[a].count; ++k) {
      note({copies[a].shape}, {k});
      for (std::size_t b = a + 1; b < copies.size(); ++b) {
        for (std::int64_t l = 1; l <= copies[b].count; ++l) note({copies[a].shape, copies[b].shape}, {k, l});
      }
    }
  }
}

/// How many bins have each property that some have.
Values list_values(const std::vector<Pattern>& patterns, const std::vector<double>& bins) {
  Values values;
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    if (bins[p] < kDecided) continue;
    note_together(patterns[p], bins[p], values);
    values[{PatternRule::Property::kType, {}, {}, patterns[p].type, false, 0}] += bins[p];
  }
  return values;
}

}  // namespace

bool has_property(const PatternRule& rule, const Pattern& pattern) {
  if (rule.property == PatternRule::Property::kType) return pattern.type == rule.type;
  for (std::size_t i = 0; i < rule.shapes.size(); ++i) {
    if (copies_in(pattern, rule.shapes[i]) < rule.least[i]) return false;
  }
  return true;
}

std::optional<FractionalProperty> most_fractional(const PackingProblem& problem, const std::vector<Pattern>& patterns,
                                                  const std::vector<double>& bins) {
  std::optional<FractionalProperty> best;
  double farthest = 0;
  for (const auto& [rule, value] : list_values(patterns, bins)) {
    const double part = value - std::floor(value);
    const double away = std::min(part, 1 - part);
    if (away < kDecided) continue;
    const bool is_type = rule.property == PatternRule::Property::kType;
    const double weight = is_type ? 1.0 + static_cast<double>(problem.types[rule.type].price) : 1.0;
    if (away * weight <= farthest) continue;
    farthest = away * weight;
    best = {rule, value};
  }
  return best;
}

}  // namespace bayplan::packing

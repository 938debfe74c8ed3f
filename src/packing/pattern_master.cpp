#include "packing/pattern_master.hpp"

#include <algorithm>
#include <cmath>

namespace bayplan::packing {
namespace {

constexpr double kUsdPerMicroUsd = 1.0 / static_cast<double>(kMicroUsdPerUsd);

NanoUsd to_nano(double usd) {
  return static_cast<NanoUsd>(std::floor(usd * static_cast<double>(kNanoUsdPerUsd)));
}

}  // namespace

PatternMaster::PatternMaster(const PackingProblem& problem) : problem_(problem), limit_row_(problem.types.size(), -1) {
  for (const Shape& shape : problem.shapes) {
    counts_.push_back(shape.count);
    program_.add_row(static_cast<double>(shape.count), LinearProgram::kInfinity);
  }
  int row = static_cast<int>(problem.shapes.size());
  for (std::size_t type = 0; type < problem.types.size(); ++type) {
    if (problem.types[type].limit == kUnlimited) continue;
    program_.add_row(-LinearProgram::kInfinity, static_cast<double>(problem.types[type].limit));
    limit_row_[type] = row++;
  }
}

bool PatternMaster::add(const Pattern& pattern) {
  if (!known_.emplace(pattern, patterns_.size()).second) return false;
  std::vector<LinearProgram::Entry> entries;
  for (const Copies& copies : pattern.copies) {
    entries.push_back({static_cast<int>(copies.shape), static_cast<double>(copies.count)});
  }
  if (limit_row_[pattern.type] >= 0) entries.push_back({limit_row_[pattern.type], 1});
  const double price = static_cast<double>(problem_.types[pattern.type].price) * kUsdPerMicroUsd;
  program_.add_column(price, is_proper(pattern) ? LinearProgram::kInfinity : 0, entries);
  patterns_.push_back(pattern);
  return true;
}

void PatternMaster::set_counts(std::span<const std::int64_t> counts) {
  const std::vector<double> used = bins();
  counts_.assign(counts.begin(), counts.end());
  for (std::size_t s = 0; s < counts_.size(); ++s) {
    program_.set_row(static_cast<int>(s), static_cast<double>(counts_[s]), LinearProgram::kInfinity);
  }
  for (std::size_t p = 0; p < used.size(); ++p) {
    const bool proper = is_proper(patterns_[p]);
    program_.set_upper(static_cast<int>(p), proper ? LinearProgram::kInfinity : 0);
    if (proper || used[p] <= 0) continue;
    const Pattern less = cut(patterns_[p]);
    if (!less.copies.empty()) add(less);
  }
}

bool PatternMaster::is_proper(const Pattern& pattern) const {
  return std::all_of(pattern.copies.begin(), pattern.copies.end(),
                     [&](const Copies& copies) { return copies.count <= counts_[copies.shape]; });
}

Pattern PatternMaster::cut(const Pattern& pattern) const {
  Pattern less{pattern.type, {}};
  for (const Copies& copies : pattern.copies) {
    const std::int64_t count = std::min(copies.count, counts_[copies.shape]);
    if (count > 0) less.copies.push_back({copies.shape, count});
  }
  return less;
}

Duals PatternMaster::duals() const {
  const std::vector<double> rows = program_.duals();
  Duals duals;
  for (std::size_t s = 0; s < counts_.size(); ++s) duals.worth.push_back(std::max<NanoUsd>(0, to_nano(rows[s])));
  for (int row : limit_row_) {
    duals.charge.push_back(row < 0 ? 0 : std::max<NanoUsd>(0, to_nano(-rows[static_cast<std::size_t>(row)])));
  }
  return duals;
}

}  // namespace bayplan::packing

#include "packing/parts.hpp"

#include <map>

#include "packing/column_generation.hpp"
#include "packing/consolidation.hpp"
#include "packing/diving.hpp"

namespace bayplan::packing {
namespace {

constexpr std::size_t kWidth = 64;
constexpr int kNodes = 12;
constexpr std::size_t kBranches = 2;

/// Some bins, as a problem of their own.
struct Part {
  PackingProblem problem;
  std::vector<std::uint32_t> shapes;  ///< Shapes of the whole problem, one for each shape of the part.
  Packing packing;
};

/// Takes bins out of a packing, drawn one at a time, as long as they hold few enough tasks together.
Packing take_out(Packing& packing, std::int64_t most_tasks, std::mt19937_64& random) {
  Packing taken;
  std::int64_t tasks = 0;
  for (int misses = 0; misses < 4 && !packing.empty();) {
    FilledBins& filled = packing[static_cast<std::size_t>(random() % packing.size())];
    const std::int64_t held = tasks_of(filled.pattern);
    if (tasks + held > most_tasks && taken.size() >= 2) {
      ++misses;
      continue;
    }
    tasks += held;
    taken.push_back({filled.pattern, 1});
    if (--filled.bins == 0) packing.erase(packing.begin() + (&filled - packing.data()));
  }
  tidy(taken);
  return taken;
}

/// The bins taken, which may use what the others leave of limits and budgets.
Part part_of(const PackingProblem& problem, const Packing& taken, const Packing& others) {
  RemainingDemand rest = all_of(problem);
  for (const FilledBins& filled : others) pack(problem, filled.pattern, filled.bins, rest);
  std::map<std::uint32_t, std::int64_t> counts;
  for (const FilledBins& filled : taken) {
    for (const Copies& copies : filled.pattern.copies) counts[copies.shape] += filled.bins * copies.count;
  }
  Part part{{problem.dimensions, problem.types, {}, problem.budgets}, {}, taken};
  for (std::size_t t = 0; t < rest.limits.size(); ++t) part.problem.types[t].limit = rest.limits[t];
  for (std::size_t b = 0; b < rest.budgets.size(); ++b) part.problem.budgets[b].limit = rest.budgets[b];
  std::map<std::uint32_t, std::uint32_t> index;
  for (const auto& [shape, count] : counts) {
    index[shape] = static_cast<std::uint32_t>(part.shapes.size());
    part.shapes.push_back(shape);
    part.problem.shapes.push_back(problem.shapes[shape]);
    part.problem.shapes.back().count = count;
  }
  for (FilledBins& filled : part.packing) {
    for (Copies& copies : filled.pattern.copies) copies.shape = index[copies.shape];
  }
  return part;
}

}  // namespace

void improve_parts(const PackingProblem& problem, const PartLimits& limits, std::mt19937_64& random, Effort& effort,
                   Packing& packing) {
  for (int round = 0; round < limits.rounds; ++round) {
    if (effort.is_exhausted() || packing.size() < 2 || compute_cost(problem, packing) <= limits.good_enough) return;
    Packing others = packing;
    const Packing taken = take_out(others, limits.tasks, random);
    const Part part = part_of(problem, taken, others);

    // The part is packed again, from the patterns that it has.
    Packing again = part.packing;
    ColumnGeneration generation(part.problem, effort);
    for (const FilledBins& filled : again) generation.add(filled.pattern);
    dive(part.problem, generation, {kWidth, kNodes, kBranches, random(), 0}, effort, again);

    for (FilledBins& filled : again) {
      for (Copies& copies : filled.pattern.copies) copies.shape = part.shapes[copies.shape];
    }
    others.insert(others.end(), again.begin(), again.end());
    tidy(others);
    packing = std::move(others);
  }
}

}  // namespace bayplan::packing

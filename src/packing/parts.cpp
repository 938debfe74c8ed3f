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

class Improvement {
 public:
  Improvement(const PackingProblem& problem, const PartLimits& limits, std::mt19937_64& random, Effort& effort,
              Packing& packing)
      : problem_(problem), limits_(limits), random_(random), effort_(effort), packing_(packing) {}

  void run() {
    for (int round = 0; round < limits_.rounds && !is_over(); ++round) {
      Packing others = packing_;
      const Part part = part_of(take_out(others), others);
      const Packing anew = whole(part, packed_anew(part));
      others.insert(others.end(), anew.begin(), anew.end());
      tidy(others);
      packing_ = std::move(others);
    }
  }

 private:
  bool is_over() const {
    return effort_.is_exhausted() || packing_.size() < 2 || compute_cost(problem_, packing_) <= limits_.good_enough;
  }

  std::size_t draw(std::size_t end) { return static_cast<std::size_t>(random_() % end); }

  /// One bin at a time of an entry, as long as they hold few enough tasks.
  Packing take_out(Packing& packing) {
    Packing taken;
    std::int64_t tasks = 0;
    for (int misses = 0; misses < 4 && !packing.empty();) {
      FilledBins& filled = packing[draw(packing.size())];
      const std::int64_t held = tasks_of(filled.pattern);
      if (tasks + held > limits_.tasks && taken.size() >= 2) {
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
  Part part_of(const Packing& taken, const Packing& others) const {
    RemainingDemand rest = all_of(problem_);
    for (const FilledBins& filled : others) pack(problem_, filled.pattern, filled.bins, rest);
    std::map<std::uint32_t, std::int64_t> counts;
    for (const FilledBins& filled : taken) {
      for (const Copies& copies : filled.pattern.copies) counts[copies.shape] += filled.bins * copies.count;
    }
    Part part{{problem_.dimensions, problem_.types, {}, problem_.budgets}, {}, taken};
    for (std::size_t t = 0; t < rest.limits.size(); ++t) part.problem.types[t].limit = rest.limits[t];
    for (std::size_t b = 0; b < rest.budgets.size(); ++b) part.problem.budgets[b].limit = rest.budgets[b];
    std::map<std::uint32_t, std::uint32_t> index;
    for (const auto& [shape, count] : counts) {
      index[shape] = static_cast<std::uint32_t>(part.shapes.size());
      part.shapes.push_back(shape);
      part.problem.shapes.push_back(problem_.shapes[shape]);
      part.problem.shapes.back().count = count;
    }
    for (FilledBins& filled : part.packing) {
      for (Copies& copies : filled.pattern.copies) copies.shape = index[copies.shape];
    }
    return part;
  }

  Packing packed_anew(const Part& part) {
    Packing best = part.packing;
    ColumnGeneration generation(part.problem, effort_);
    for (const FilledBins& filled : best) generation.add(filled.pattern);
    dive(part.problem, generation, {kWidth, kNodes, kBranches, random_(), 0}, effort_, best);
    return best;
  }

  static Packing whole(const Part& part, Packing packing) {
    for (FilledBins& filled : packing) {
      for (Copies& copies : filled.pattern.copies) copies.shape = part.shapes[copies.shape];
    }
    return packing;
  }

  const PackingProblem& problem_;
  const PartLimits& limits_;
  std::mt19937_64& random_;
  Effort& effort_;
  Packing& packing_;
};

}  // namespace

void improve_parts(const PackingProblem& problem, const PartLimits& limits, std::mt19937_64& random, Effort& effort,
                   Packing& packing) {
  Improvement(problem, limits, random, effort, packing).run();
}

}  // namespace bayplan::packing

// A packing, changed until placement accepts each of its bins.
#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "fleet/ideal/assignments.hpp"
#include "fleet/ideal/empty_bins.hpp"
#include "fleet/recommended/start_rank.hpp"

namespace bayplan::fleet {

using packing::Copies;
using packing::FilledBins;
using packing::Packing;
using packing::Pattern;
using placement::InstanceState;
using placement::Scenario;
using placement::Workload;

namespace {

using Counts = std::vector<std::int64_t>;  // by shape

/// An instance on its way to holding a pattern.
struct Filling {
  InstanceState state;
  std::set<std::string> distinct_groups;
  Counts held;
};

/// Fills single instances of the question's bin types, shape after shape in the order in which ECS is to start them.
class ShapeFiller {
 public:
  ShapeFiller(const Scenario& scenario, const Market& market, const Question& question)
      : question_(question), bins_(empty_bins(scenario, market, question.bins)) {
    for (std::uint32_t shape = 0; shape < question.shapes.size(); ++shape) order_.push_back(shape);
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return start_rank(workload_of(a)) < start_rank(workload_of(b));
    });
  }

  Filling empty(std::uint32_t type) const { return {bins_.states[type], {}, Counts(question_.shapes.size())}; }

  /// Adds as many tasks of each shape as exist and fit.
  void fill(const Counts& wanted, std::uint32_t type, Filling& filling) const {
    for (const std::uint32_t shape : order_) {
      const Workload& workload = workload_of(shape);
      for (std::int64_t i = 0; i < wanted[shape]; ++i) {
        if (!packing::is_allowed(question_.problem.shapes[shape], type) ||
            !placement::resources_fit(filling.state, workload.requirement))
          break;
        if (is_distinct(workload) && !filling.distinct_groups.insert(workload.group).second) break;
        placement::take(filling.state, workload.requirement, 0);
        ++filling.held[shape];
      }
    }
  }

  /// The tasks that one new instance takes of these.
  Counts held_of(const Counts& wanted, std::uint32_t type) const {
    Filling filling = empty(type);
    fill(wanted, type, filling);
    return std::move(filling.held);
  }

 private:
  const Workload& workload_of(std::uint32_t shape) const {
    return bins_.scenario.workloads[question_.shapes[shape].workloads.front()];
  }

  const Question& question_;
  const EmptyBins bins_;
  std::vector<std::uint32_t> order_;  ///< Shapes in the order in which they are packed.
};

Counts counts_of(const Pattern& pattern, std::size_t shapes) {
  Counts counts(shapes);
  for (const Copies& copies : pattern.copies) counts[copies.shape] = copies.count;
  return counts;
}

Pattern pattern_of(std::uint32_t type, const Counts& held) {
  Pattern pattern{type, {}};
  for (std::uint32_t shape = 0; shape < held.size(); ++shape) {
    if (held[shape] > 0) pattern.copies.push_back({shape, held[shape]});
  }
  return pattern;
}

/// How many bins can each take `held` of the rest.
std::int64_t rounds(const Counts& left, const Counts& held) {
  std::int64_t most = packing::kUnlimited;
  for (std::size_t shape = 0; shape < held.size(); ++shape) {
    if (held[shape] > 0) most = std::min(most, left[shape] / held[shape]);
  }
  return most == packing::kUnlimited ? 0 : most;
}

/// More bins of the type that the limits allow. `used`: bins by type.
std::int64_t room_for(const packing::PackingProblem& problem, const Counts& used, std::uint32_t type) {
  const std::int64_t limit = problem.types[type].limit;
  std::int64_t room = limit == packing::kUnlimited ? limit : limit - used[type];
  for (const packing::Budget& budget : problem.budgets) {
    if (budget.weights[type] == 0) continue;
    std::int64_t left = budget.limit;
    for (std::size_t other = 0; other < used.size(); ++other) left -= budget.weights[other] * used[other];
    room = std::min(room, left / budget.weights[type]);
  }
  return room;
}

}  // namespace

Repaired repaired(const Scenario& scenario, const Market& market, const Question& question, const Packing& packing) {
  const packing::PackingProblem& problem = question.problem;
  const std::size_t shapes = question.shapes.size();
  const ShapeFiller filler(scenario, market, question);
  Counts left(shapes);                // tasks that are not placed yet
  Counts used(problem.types.size());  // bins by type
  Packing result;
  const auto has_left = [&] {
    return std::any_of(left.begin(), left.end(), [](std::int64_t count) { return count > 0; });
  };
  const auto take_from_left = [&](const Counts& held, std::int64_t bins) {
    for (std::size_t shape = 0; shape < shapes; ++shape) left[shape] -= held[shape] * bins;
  };

  // Each bin keeps what placement lets it take of its pattern.
  for (const FilledBins& filled : packing) {
    const std::uint32_t type = filled.pattern.type;
    const Counts wanted = counts_of(filled.pattern, shapes);
    const Counts held = filler.held_of(wanted, type);
    for (std::size_t shape = 0; shape < shapes; ++shape) left[shape] += (wanted[shape] - held[shape]) * filled.bins;
    used[type] += filled.bins;
    result.push_back({pattern_of(type, held), filled.bins});
  }
  if (!has_left()) return {packing, std::move(left)};

  // The rest goes to bins that have room, if all of their tasks fit together in the order in which ECS starts them.
  for (std::size_t i = 0; i < result.size() && has_left(); ++i) {
    const std::uint32_t type = result[i].pattern.type;
    const Counts before = counts_of(result[i].pattern, shapes);
    Filling filling = filler.empty(type);
    filler.fill(before, type, filling);
    filler.fill(left, type, filling);
    Counts more = filling.held;
    for (std::size_t shape = 0; shape < shapes; ++shape) more[shape] -= before[shape];
    const std::int64_t bins = std::min(rounds(left, more), result[i].bins);
    if (bins == 0 || filler.held_of(filling.held, type) != filling.held) continue;
    take_from_left(more, bins);
    result[i].bins -= bins;
    result.push_back({pattern_of(type, filling.held), bins});
  }

  // Then bins are added: each time of the type that holds the remaining tasks at the lowest cost per task.
  while (has_left()) {
    std::optional<std::uint32_t> best;
    Counts best_held;
    std::int64_t best_tasks = 0;
    for (std::uint32_t type = 0; type < problem.types.size(); ++type) {
      if (room_for(problem, used, type) <= 0) continue;
      Counts held = filler.held_of(left, type);
      const std::int64_t tasks = std::accumulate(held.begin(), held.end(), std::int64_t{0});
      if (tasks == 0) continue;
      if (best && problem.types[type].price * best_tasks >= problem.types[*best].price * tasks) continue;
      best = type;
      best_held = std::move(held);
      best_tasks = tasks;
    }
    if (!best) break;
    const std::int64_t bins = std::min(rounds(left, best_held), room_for(problem, used, *best));
    take_from_left(best_held, bins);
    used[*best] += bins;
    result.push_back({pattern_of(*best, best_held), bins});
  }
  packing::tidy(result);
  return {std::move(result), std::move(left)};
}

}  // namespace bayplan::fleet

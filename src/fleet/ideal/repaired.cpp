// What a packing promises, held against what placement takes.
#include <algorithm>
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

class Repair {
 public:
  Repair(const Scenario& scenario, const Market& market, const Question& question)
      : question_(question), problem_(question.problem), bins_(empty_bins(scenario, market, question.bins)) {
    for (std::uint32_t shape = 0; shape < question.shapes.size(); ++shape) order_.push_back(shape);
    std::stable_sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return start_rank(workload_of(a)) < start_rank(workload_of(b));
    });
    left_.resize(question.shapes.size());
    used_.resize(problem_.types.size());
  }

  Repaired run(const Packing& packing) {
    for (const FilledBins& filled : packing) check(filled);
    if (!has_left()) return {packing, std::move(left_)};
    for (std::size_t i = 0; i < result_.size() && has_left(); ++i) top_up(i);
    while (has_left() && add_bins()) {
    }
    packing::tidy(result_);
    return {std::move(result_), std::move(left_)};
  }

 private:
  const Workload& workload_of(std::uint32_t shape) const {
    return bins_.scenario.workloads[question_.shapes[shape].workloads.front()];
  }

  bool has_left() const {
    return std::any_of(left_.begin(), left_.end(), [](std::int64_t count) { return count > 0; });
  }

  Filling empty(std::uint32_t type) const { return {bins_.states[type], {}, Counts(left_.size())}; }

  bool put(std::uint32_t shape, std::uint32_t type, Filling& filling) const {
    const Workload& workload = workload_of(shape);
    if (!packing::is_allowed(problem_.shapes[shape], type) ||
        !placement::resources_fit(filling.state, workload.requirement))
      return false;
    if (is_distinct(workload) && !filling.distinct_groups.insert(workload.group).second) return false;
    placement::take(filling.state, workload.requirement, 0);
    ++filling.held[shape];
    return true;
  }

  /// Adds as many of each shape as exist and fit.
  void fill(const Counts& wanted, std::uint32_t type, Filling& filling) const {
    for (const std::uint32_t shape : order_) {
      for (std::int64_t i = 0; i < wanted[shape] && put(shape, type, filling); ++i) {
      }
    }
  }

  static Counts counts_of(const Pattern& pattern, std::size_t shapes) {
    Counts counts(shapes);
    for (const Copies& copies : pattern.copies) counts[copies.shape] = copies.count;
    return counts;
  }

  void keep(std::uint32_t type, const Counts& held, std::int64_t bins) {
    Pattern pattern{type, {}};
    for (std::uint32_t shape = 0; shape < held.size(); ++shape) {
      if (held[shape] > 0) pattern.copies.push_back({shape, held[shape]});
    }
    result_.push_back({std::move(pattern), bins});
  }

  void check(const FilledBins& filled) {
    const std::uint32_t type = filled.pattern.type;
    const Counts wanted = counts_of(filled.pattern, left_.size());
    Filling filling = empty(type);
    fill(wanted, type, filling);
    for (std::size_t shape = 0; shape < wanted.size(); ++shape)
      left_[shape] += (wanted[shape] - filling.held[shape]) * filled.bins;
    used_[type] += filled.bins;
    keep(type, filling.held, filled.bins);
  }

  /// How many bins can each take `held` of what is left.
  std::int64_t rounds(const Counts& held) const {
    std::int64_t most = packing::kUnlimited;
    for (std::size_t shape = 0; shape < held.size(); ++shape) {
      if (held[shape] > 0) most = std::min(most, left_[shape] / held[shape]);
    }
    return most == packing::kUnlimited ? 0 : most;
  }

  void take_from_left(const Counts& held, std::int64_t bins) {
    for (std::size_t shape = 0; shape < held.size(); ++shape) left_[shape] -= held[shape] * bins;
  }

  bool fits_in_order(const Counts& wanted, std::uint32_t type) const {
    Filling filling = empty(type);
    fill(wanted, type, filling);
    return filling.held == wanted;
  }

  /// Puts what is left into bins that have room.
  void top_up(std::size_t index) {
    const std::uint32_t type = result_[index].pattern.type;
    Filling filling = empty(type);
    const Counts before = counts_of(result_[index].pattern, left_.size());
    fill(before, type, filling);
    fill(left_, type, filling);
    Counts more = filling.held;
    for (std::size_t shape = 0; shape < more.size(); ++shape) more[shape] -= before[shape];
    const std::int64_t bins = std::min(rounds(more), result_[index].bins);
    if (bins == 0 || !fits_in_order(filling.held, type)) return;
    take_from_left(more, bins);
    result_[index].bins -= bins;
    keep(type, filling.held, bins);
  }

  /// More bins that the limits allow.
  std::int64_t room_for(std::uint32_t type) const {
    const std::int64_t limit = problem_.types[type].limit;
    std::int64_t room = limit == packing::kUnlimited ? limit : limit - used_[type];
    for (const packing::Budget& budget : problem_.budgets) {
      if (budget.weights[type] == 0) continue;
      std::int64_t left = budget.limit;
      for (std::size_t other = 0; other < used_.size(); ++other) left -= budget.weights[other] * used_[other];
      room = std::min(room, left / budget.weights[type]);
    }
    return room;
  }

  /// Adds bins of the type that holds the remaining tasks at the lowest cost a task.
  bool add_bins() {
    std::optional<std::uint32_t> best;
    Counts best_held;
    std::int64_t best_tasks = 0;
    for (std::uint32_t type = 0; type < problem_.types.size(); ++type) {
      if (room_for(type) <= 0) continue;
      Filling filling = empty(type);
      fill(left_, type, filling);
      std::int64_t tasks = 0;
      for (const std::int64_t count : filling.held) tasks += count;
      if (tasks == 0) continue;
      if (best && problem_.types[type].price * best_tasks >= problem_.types[*best].price * tasks) continue;
      best = type;
      best_held = filling.held;
      best_tasks = tasks;
    }
    if (!best) return false;
    const std::int64_t bins = std::min(rounds(best_held), room_for(*best));
    take_from_left(best_held, bins);
    used_[*best] += bins;
    keep(*best, best_held, bins);
    return true;
  }

  const Question& question_;
  const packing::PackingProblem& problem_;
  const EmptyBins bins_;
  std::vector<std::uint32_t> order_;  ///< Shapes in the order in which they are packed.
  Counts left_;                       ///< Tasks that are not placed yet.
  Counts used_;                       ///< Bins by type.
  Packing result_;
};

}  // namespace

Repaired repaired(const Scenario& scenario, const Market& market, const Question& question, const Packing& packing) {
  return Repair(scenario, market, question).run(packing);
}

}  // namespace bayplan::fleet

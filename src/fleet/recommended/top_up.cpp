#include "fleet/recommended/top_up.hpp"

#include <algorithm>
#include <numeric>

#include "fleet/recommended/fleet_rank.hpp"
#include "packing/greedy.hpp"
#include "packing/remaining_demand.hpp"
#include "packing/solve.hpp"
#include "packing/undominated_types.hpp"
#include "placement/model/constraints.hpp"

namespace bayplan::fleet {

using packing::PackingProblem;

namespace {

/// Small leftovers are packed with care, others bin after bin.
constexpr std::size_t kShapesWithCare = 8;
constexpr std::int64_t kLeftoverEffort = 1'000'000;
constexpr std::int64_t kFleetEffort = 5'000'000;

/// Nothing when limits leave tasks over. Bin after bin where the effort is 0.
packing::Packing pack(const PackingProblem& problem, std::int64_t effort_limit, const std::function<bool()>& go_on,
                      packing::Effort& effort) {
  if (effort_limit > 0) {
    packing::SolveLimits limits;
    limits.effort = effort_limit;
    limits.go_on = [&go_on](const packing::Progress&) { return go_on(); };
    auto solution = packing::solve(problem, limits);
    effort.spend(solution.effort);
    return solution.is_complete() ? std::move(solution.packing) : packing::Packing{};
  }
  return packing::best_greedy(problem, packing::all_of(problem), packing::kAllFillRules, packing::plain_worth(problem),
                              effort);
}

}  // namespace

TopUp::TopUp(const Market& market, const Question& question, const FillRequest& request, const Policy& policy)
    : market_(market), question_(question), request_(request), policy_(policy) {
  for (std::uint32_t shape = 0; shape < question.shapes.size(); ++shape) {
    for (const std::uint32_t workload : question.shapes[shape].workloads) {
      if (workload >= shapes_of_.size()) shapes_of_.resize(workload + 1);
      shapes_of_[workload].push_back(shape);
    }
  }
}

/// Whether the constraints that the policy adds let tasks of the workload into such bins.
bool TopUp::allows(std::uint32_t workload, std::uint32_t bin) const {
  const placement::ProfileView view(market_.offers[question_.bins[bin].offer].profile, nullptr, nullptr);
  return std::all_of(policy_.constraints.begin(), policy_.constraints.end(), [&](const auto& added) {
    return added.first != workload || added.second.expression == nullptr || added.second.expression->holds(view);
  });
}

std::size_t TopUp::bin_of(std::uint32_t offer) const {
  const auto is_bin_of = [&](const BinOrigin& bin) { return bin.offer == offer; };
  return static_cast<std::size_t>(std::find_if(question_.bins.begin(), question_.bins.end(), is_bin_of) -
                                  question_.bins.begin());
}

std::optional<Purchases> TopUp::packed(const std::vector<std::int64_t>& tasks, const std::vector<std::int64_t>& room,
                                       const Purchases& fleet, std::int64_t effort_limit,
                                       packing::Effort& effort) const {
  // The shapes of the tasks left over, one a workload: their numbers are not those of the question.
  packing::SubProblem sub{question_.problem, std::vector<std::uint32_t>(question_.bins.size()), {}};
  std::iota(sub.types.begin(), sub.types.end(), 0);
  PackingProblem& problem = sub.problem;
  problem.shapes.clear();
  for (std::size_t i = 0; i < problem.types.size(); ++i) {
    problem.types[i].limit = std::min(problem.types[i].limit, room[question_.bins[i].offer]);
  }
  for (packing::Budget& budget : problem.budgets) {
    for (const Purchase& one : fleet) budget.limit -= one.count * budget.weights[bin_of(one.offer)];
    budget.limit = std::max<std::int64_t>(0, budget.limit);
  }
  for (std::uint32_t workload = 0; workload < shapes_of_.size(); ++workload) {
    if (shapes_of_[workload].empty() || tasks[workload] == 0) continue;
    packing::Shape shape = question_.problem.shapes[shapes_of_[workload].front()];
    shape.count = tasks[workload];
    const auto origin = shape;
    shape.allowed.resize(problem.types.size());
    for (std::uint32_t bin = 0; bin < problem.types.size(); ++bin)
      shape.allowed[bin] =
          packing::is_allowed(origin, bin) && room[question_.bins[bin].offer] > 0 && allows(workload, bin);
    bool has_place = false;
    for (std::size_t type = 0; type < problem.types.size() && !has_place; ++type)
      has_place = problem.types[type].limit > 0 && packing::most_copies(problem, shape, type) > 0;
    if (!has_place) return std::nullopt;
    problem.shapes.push_back(std::move(shape));
    sub.shapes.push_back(shapes_of_[workload].front());
  }
  const bool is_small = problem.shapes.size() <= kShapesWithCare;
  packing::Packing packing =
      pack(problem, is_small ? std::max(effort_limit, kLeftoverEffort) : effort_limit, request_.go_on, effort);
  if (packing.empty()) return std::nullopt;
  return compute_purchases(question_, market_, sub.in_whole({std::move(packing)}));
}

std::optional<Purchases> TopUp::for_tasks(const std::vector<std::int64_t>& tasks, const Purchases& fleet,
                                          packing::Effort& effort) const {
  return packed(tasks, room_for_more(market_, fleet, request_.most_types), fleet, 0, effort);
}

std::optional<Purchases> TopUp::for_all(const std::vector<bool>& is_offered) const {
  std::vector<std::int64_t> tasks(shapes_of_.size());
  for (const ShapeOrigin& shape : question_.shapes) {
    for (std::size_t i = 0; i < shape.workloads.size(); ++i) tasks[shape.workloads[i]] += shape.counts[i];
  }
  auto room = room_for_more(market_, {}, 0);
  for (std::size_t i = 0; i < room.size(); ++i) room[i] = is_offered[i] ? room[i] : 0;
  packing::Effort effort;
  return packed(tasks, room, {}, kFleetEffort, effort);
}

}  // namespace bayplan::fleet

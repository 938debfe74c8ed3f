#include "study/fleet/ideal_fleet.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "fleet/ideal/assignments.hpp"
#include "fleet/ideal/credit_steps.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "packing/undominated_types.hpp"
#include "packing/verify_packing.hpp"

namespace bayplan::study {

using fleet::Question;

namespace {

constexpr std::size_t kMaxNamed = 4;  ///< Workloads in a contradiction.
constexpr std::int64_t kMaxTasksToProve = 120;
constexpr std::size_t kMaxShapesBoundedSoon = 100;
constexpr std::int64_t kShareOfPacking = 4;

}  // namespace

fleet::BoundedPacking solve(const PlanInput& input, Watch& watch) {
  packing::SolveLimits limits;
  // Branch and price closes the gap of few tasks. Of more, the search after the bound is for parts of a per cent, while
  // launch orders cost several: the effort is better spent on these.
  const bool is_bounded_soon = packing::tasks_of(input.question.problem) > kMaxTasksToProve &&
                               input.question.problem.shapes.size() <= kMaxShapesBoundedSoon;
  limits.effort = is_bounded_soon ? input.request.effort / kShareOfPacking : input.request.effort;
  limits.gap = input.request.gap;
  limits.threads = input.request.threads;
  limits.go_on = [&](const packing::Progress& progress) { return watch.go_on(progress); };
  if (input.request.most_types > 0)
    return fleet::solve_few_types(input.market, input.question, input.request.most_types, limits);
  fleet::BoundedPacking bounded;
  bounded.solution = packing::solve(input.question.problem, limits);
  bounded.bins.resize(input.question.problem.types.size());
  std::iota(bounded.bins.begin(), bounded.bins.end(), 0);
  const auto& solution = bounded.solution;
  bounded.parts.push_back({bounded.bins, solution.certificate, solution.lower_bound, solution.bound_method});
  return bounded;
}

std::string contradiction_of(const PlanInput& input, const std::vector<std::uint32_t>& shapes) {
  if (shapes.empty()) return {};
  std::vector<std::string_view> names;
  for (const std::uint32_t shape : shapes) {
    const std::string_view name = input.scenario.workloads[input.question.shapes[shape].workloads.front()].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  const std::string more = names.size() > kMaxNamed ? fmt::format("{} more", names.size() - kMaxNamed) : std::string();
  if (names.size() > kMaxNamed) names.resize(kMaxNamed);
  if (!more.empty()) names.push_back(more);
  const std::string list = one_of(names, "and");
  const auto most_types = input.request.most_types;
  if (most_types == 1) return fmt::format("no single type holds {}{}", names.size() == 2 ? "both " : "", list);
  return fmt::format("no {} types hold {} between them", most_types, list);
}

IdealFleet ideal_fleet(const PlanInput& input, const fleet::BoundedPacking& bounded) {
  const auto& question = input.question;
  IdealFleet ideal;
  ideal.packing = bounded.solution.packing;
  if (bounded.solution.is_complete()) {
    Question of_chosen = question;
    for (std::uint32_t bin = 0; bin < of_chosen.bins.size(); ++bin) {
      if (!std::binary_search(bounded.bins.begin(), bounded.bins.end(), bin)) of_chosen.problem.types[bin].limit = 0;
    }
    const auto [packing, left_over] = fleet::repaired(input.scenario, input.market, of_chosen, ideal.packing);
    ideal.is_true = std::all_of(left_over.begin(), left_over.end(), [](std::int64_t count) { return count == 0; });
    if (ideal.is_true) ideal.packing = fleet::dealt_to_zones(question, fleet::in_cheapest_steps(question, packing));
  }
  ideal.purchases = fleet::compute_purchases(question, input.market, ideal.packing);
  ideal.hourly_cost = fleet::cost_of(input.market, question, ideal.packing);
  ideal.use = use_of(input.market, question, ideal.packing);
  return ideal;
}

std::vector<std::string> faults_of(const PlanInput& input, const IdealFleet& ideal) {
  std::vector<std::string> faults;
  if (const auto fault = packing::fault_of(input.question.problem, ideal.packing))
    faults.push_back("the ideal packing: " + *fault);
  if (!fleet::is_allowed(input.market, ideal.purchases, input.request.most_types))
    faults.emplace_back("the ideal fleet breaks a limit");
  return faults;
}

BoundCheck check_bound(const Question& question, const fleet::BoundedPacking& bounded) {
  BoundCheck checked;
  for (const auto& part : bounded.parts) {
    const auto problem = packing::with_types(question.problem, part.bins);
    const auto verdict = packing::check(problem, part.certificate);
    if (verdict == packing::Verdict::kFails) checked.refuted.emplace_back("the certificate of the bound does not hold");
    if (verdict == packing::Verdict::kTooHard) checked.proof = Proof::kNotChecked;
    const bool is_by_certificate = part.method == packing::BoundMethod::kCertificate;
    if (is_by_certificate && part.lower_bound > packing::least_cost(problem, part.certificate))
      checked.refuted.emplace_back("the bound does not follow from its certificate");
  }
  const bool needs_tree = bounded.solution.bound_method == packing::BoundMethod::kBranchAndPrice;
  if (checked.proof == Proof::kChecked && needs_tree) checked.proof = Proof::kSearchTree;
  return checked;
}

}  // namespace bayplan::study

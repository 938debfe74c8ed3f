#include "study/payment/hourly_fleets.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include <fmt/core.h>

#include "fleet/ideal/assignments.hpp"
#include "fleet/ideal/credit_steps.hpp"
#include "fleet/ideal/packing_question.hpp"
#include "fleet/ideal/task_groups.hpp"
#include "fleet/ideal/zone_loss.hpp"
#include "fleet/recommended/fill_search.hpp"
#include "fleet/recommended/fleet_rank.hpp"
#include "fleet/recommended/launch_trials.hpp"
#include "packing/greedy.hpp"
#include "packing/money.hpp"
#include "packing/solve.hpp"
#include "packing/undominated_types.hpp"
#include "packing/verify_packing.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Purchases;
using fleet::Question;
using packing::NanoUsd;
using placement::Scenario;

namespace {

/// Work on all simulated levels together, and on each of them at least and at most: of the packing search, and of
/// placements.
constexpr std::int64_t kPackingEffort = 12'000'000;
constexpr std::int64_t kLeastPackingEffort = 500'000;
constexpr std::int64_t kMostPackingEffort = 2'000'000;
constexpr std::int64_t kPlacementEffort = 1'000'000;
constexpr std::int64_t kLeastPlacementEffort = 40'000;
constexpr std::int64_t kMostPlacementEffort = 150'000;

using Counts = std::vector<std::int64_t>;

/// What the parts of a bound prove of any smaller number of tasks.
class DualBound {
 public:
  DualBound(const Question& question, const std::vector<fleet::BoundPart>& bound_parts)
      : step_(packing::price_step(question.problem)) {
    for (const auto& part : bound_parts) {
      const auto problem = packing::with_types(question.problem, part.bins);
      parts_.push_back(part_of(question, problem, part.certificate));
    }
  }

  MicroUsd of(const Counts& counts) const {
    std::optional<NanoUsd> least;
    for (const auto& part : parts_) {
      NanoUsd sum = -part.charges;
      for (std::size_t i = 0; i < counts.size() && i < part.worth.size(); ++i) sum += counts[i] * part.worth[i];
      least = std::min(least.value_or(sum), sum);
    }
    return packing::round_up(std::max<NanoUsd>(0, least.value_or(0)), step_);
  }

 private:
  struct Part {
    std::vector<NanoUsd> worth;  ///< By workload: of a task, the least of its shapes.
    NanoUsd charges = 0;         ///< Of all limits and budgets.
  };

  static Part part_of(const Question& question, const packing::PackingProblem& problem,
                      const packing::Certificate& certificate) {
    Part part;
    const auto& duals = certificate.duals;
    std::vector<std::optional<NanoUsd>> worth;
    for (std::size_t s = 0; s < question.shapes.size(); ++s) {
      for (const auto workload : question.shapes[s].workloads) {
        if (workload >= worth.size()) worth.resize(workload + 1);
        worth[workload] = std::min(worth[workload].value_or(duals.worth[s]), duals.worth[s]);
      }
    }
    for (const auto& one : worth) part.worth.push_back(one.value_or(0));
    for (std::size_t t = 0; t < problem.types.size(); ++t) {
      if (problem.types[t].limit != packing::kUnlimited) part.charges += duals.charge[t] * problem.types[t].limit;
    }
    for (std::size_t b = 0; b < problem.budgets.size(); ++b)
      part.charges += duals.budget_charge[b] * problem.budgets[b].limit;
    return part;
  }

  std::vector<Part> parts_;
  MicroUsd step_;
};

/// What the fleets of all levels have in common.
struct Search {
  const Scenario& scenario;
  const Market& market;
  const FleetRequest& request;
  const std::optional<fleet::FilledFleet>& recommended;  ///< Of the peak: its strategy fills the fleets of all levels.
  const std::vector<std::string>& types;                 ///< With --max-types: those that a fleet may have.
  std::int64_t packing_effort = kMostPackingEffort;      ///< On one level.
  std::int64_t placement_effort = kMostPlacementEffort;

  bool go_on() const { return !request.stop({FleetProgress::Phase::kComparing, {}}); }

  void share_effort(std::int64_t levels) {
    const auto count = std::max<std::int64_t>(1, levels);
    packing_effort = std::clamp(kPackingEffort / count, kLeastPackingEffort, kMostPackingEffort);
    placement_effort = std::clamp(kPlacementEffort / count, kLeastPlacementEffort, kMostPlacementEffort);
  }
};

/// What the bounds of all levels rest on: the certificates of the plan. With --max-types these are of sets of types,
/// without those that are too small or too expensive for the peak, and one of these may be the cheapest of a smaller
/// hour. Then it is a certificate of fleets of any number of types.
std::vector<fleet::BoundPart> bound_parts_of_levels(const Search& search, const FleetPlan& plan, HourlyFleets& fleets) {
  const auto& question = plan.question;
  const auto& parts = plan.bounded.parts;
  const bool is_of_all_types = parts.size() == 1 && parts.front().bins.size() == question.bins.size();
  if (is_of_all_types || parts.empty()) return parts;
  packing::SolveLimits limits;
  limits.effort = std::min(search.packing_effort, search.request.effort);
  limits.go_on = [&search](const packing::Progress&) { return search.go_on(); };
  const auto solution = packing::solve(question.problem, limits);
  const auto verdict = packing::check(question.problem, solution.certificate);
  if (verdict == packing::Verdict::kFails) fleets.withdrawn.push_back("the bound of all hours does not hold");
  if (verdict != packing::Verdict::kHolds) return {};
  std::vector<std::uint32_t> bins(question.bins.size());
  std::iota(bins.begin(), bins.end(), 0);
  return {{std::move(bins), solution.certificate, solution.lower_bound, solution.bound_method}};
}

Question question_of(const Search& search, const Scenario& tasks) {
  auto question =
      fleet::make_packing_question(tasks, search.market, {search.request.headroom_percent, search.request.zones});
  if (search.request.most_types == 0) return question;
  for (std::size_t bin = 0; bin < question.bins.size(); ++bin) {
    const auto& type = search.market.offers[question.bins[bin].offer].profile.instance_type;
    if (!std::binary_search(search.types.begin(), search.types.end(), type)) question.problem.types[bin].limit = 0;
  }
  return question;
}

fleet::FillRequest fill_request(const Search& search) {
  fleet::FillRequest filling;
  filling.orders = search.request.orders;
  filling.zones = search.request.zones;
  filling.most_types = search.request.most_types;
  filling.survives_zone_loss = search.request.survives_zone_loss;
  filling.effort = search.placement_effort;
  filling.go_on = [&search] { return search.go_on(); };
  return filling;
}

/// `cost`: with surplus CPU credits.
HourlyFleet fleet_of(const Search& search, const Purchases& purchases, MicroUsd cost, FleetEvidence evidence,
                     std::int64_t orders) {
  return {fleet::dealt(purchases, search.request.zones), cost, 0, evidence, orders};
}

/// The fleet that the strategy of the recommended fleet fills; nothing when the effort ends before.
std::optional<HourlyFleet> filled_fleet(const Search& search, const Scenario& tasks, const Question& question,
                                        const Purchases& start, MicroUsd lower_bound) {
  const auto& recommended = search.recommended;
  if (!recommended) return std::nullopt;
  const auto request = fill_request(search);
  fleet::FillEffort effort;
  effort.limit = request.effort;
  effort.go_on = &request.go_on;
  const Scenario launched = fleet::with_policy(fleet::tasks_of(tasks, question), recommended->policy);
  fleet::LaunchTrials trials(launched, search.market, request, effort);
  fleet::FillSearch fill({search.market, question, request, recommended->policy, lower_bound}, trials);
  fill.begin_at(start);
  if (fill.best()) fill.exchange();
  if (fill.best()) return fleet_of(search, *fill.best(), *fill.best_cost(), FleetEvidence::kSimulated, trials.orders());
  if (effort.is_exhausted() || !trials.fills(recommended->purchases)) return std::nullopt;
  const auto cost = fleet::hourly_cost(search.market, recommended->purchases) + trials.credits(recommended->purchases);
  return fleet_of(search, recommended->purchases, cost, FleetEvidence::kSimulated, trials.orders());
}

/// Packs one level from scratch and has simulated ECS placement fill it. Nothing where neither comes to a fleet.
std::optional<HourlyFleet> planned_level(const Search& search, const Counts& counts, HourlyFleets& fleets) {
  const Scenario tasks = with_counts(search.scenario, counts);
  const auto question = question_of(search, tasks);
  if (packing::tasks_of(question.problem) == 0) return HourlyFleet{};
  packing::SolveLimits limits;
  limits.effort = std::min(search.packing_effort, search.request.effort);
  limits.go_on = [&search](const packing::Progress&) { return search.go_on(); };
  const auto solution = packing::solve(question.problem, limits);
  if (!solution.is_complete()) return std::nullopt;
  MicroUsd bound = 0;
  if (search.request.most_types == 0 && solution.bound_method == packing::BoundMethod::kCertificate) {
    const auto verdict = packing::check(question.problem, solution.certificate);
    if (verdict == packing::Verdict::kFails) fleets.withdrawn.push_back("the bound of some hours does not hold");
    if (verdict == packing::Verdict::kHolds)
      bound = std::min(solution.lower_bound, packing::least_cost(question.problem, solution.certificate));
  }
  const auto [packing, left_over] = fleet::repaired(search.scenario, search.market, question, solution.packing);
  if (std::any_of(left_over.begin(), left_over.end(), [](std::int64_t count) { return count > 0; }))
    return std::nullopt;
  const auto start = fleet::compute_purchases(question, search.market, packing);
  auto found = filled_fleet(search, tasks, question, start, bound);
  // A packing says nothing of the rest after a loss: those hours get a fleet of which that is known.
  if (!found && search.request.survives_zone_loss) return std::nullopt;
  if (!found)
    found = fleet_of(search, start, fleet::cost_of(search.market, question, packing), FleetEvidence::kPacked, 0);
  found->lower_bound = bound;
  return found;
}

/// Whether a packing by the plan's question is one that placement can have: nothing that it ignores is in the way,
/// and each workload is one shape.
bool may_be_packed(const FleetPlan& plan, const FleetRequest& request) {
  std::set<std::uint32_t> seen;
  for (const auto& shape : plan.question.shapes) {
    for (const auto workload : shape.workloads) {
      if (!seen.insert(workload).second) return false;
    }
  }
  return !request.survives_zone_loss && std::all_of(plan.question.relaxed.begin(), plan.question.relaxed.end(),
                                                    [](const auto& one) { return one.id == "spread"; });
}

/// Packs levels fast, with the types that the fleets of other levels have.
class LevelPacker {
 public:
  LevelPacker(const Search& search, const FleetPlan& plan, const std::set<std::uint32_t>& offers)
      : search_(search), question_(plan.question) {
    std::vector<std::uint32_t> bins;
    for (std::uint32_t bin = 0; bin < question_.bins.size(); ++bin) {
      if (offers.contains(question_.bins[bin].offer)) bins.push_back(bin);
    }
    sub_ = packing::sub_problem(question_.problem, std::move(bins));
    for (const auto worth : plan.bounded.solution.certificate.duals.worth)
      worth_.push_back(static_cast<double>(std::max<NanoUsd>(1, worth)));
  }

  /// `counts`: by workload, with headroom.
  std::optional<HourlyFleet> packed(const Counts& counts, HourlyFleets& fleets) {
    packing::PackingProblem& problem = sub_.problem;
    for (std::size_t s = 0; s < problem.shapes.size(); ++s) {
      problem.shapes[s].count = 0;
      for (const auto workload : question_.shapes[s].workloads) problem.shapes[s].count += counts[workload];
    }
    packing::Effort effort;
    auto packing = packing::best_greedy(problem, packing::all_of(problem), kRules, worth_, effort);
    if (packing.empty() && packing::tasks_of(problem) > 0) return std::nullopt;
    if (const auto fault = packing::fault_of(problem, packing)) {
      fleets.mistakes.push_back("the packing of some hours: " + *fault);
      return std::nullopt;
    }
    const auto in_whole = sub_.in_whole({std::move(packing)});
    const auto purchases = fleet::compute_purchases(question_, search_.market, in_whole);
    const auto cost = fleet::cost_of(search_.market, question_, in_whole);
    return fleet_of(search_, purchases, cost, FleetEvidence::kPacked, 0);
  }

 private:
  static constexpr packing::FillRule kRules[] = {packing::FillRule::kWorth};

  const Search& search_;
  const Question& question_;
  packing::SubProblem sub_;
  std::vector<double> worth_;
};

/// Levels to simulate: all of few, else at even steps of the order by bound.
std::vector<std::uint32_t> levels_to_simulate(const std::vector<HourlyFleet>& levels) {
  std::vector<std::uint32_t> order(levels.size());
  std::iota(order.begin(), order.end(), 0);
  if (levels.size() <= kFewLevels) return order;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return levels[a].lower_bound > levels[b].lower_bound; });
  std::vector<std::uint32_t> chosen;
  for (std::size_t i = 0; i < kMostSimulated; ++i)
    chosen.push_back(order[i * (order.size() - 1) / (kMostSimulated - 1)]);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

/// The fleet of the plan itself.
HourlyFleet peak_fleet(const Search& search, const FleetPlan& plan) {
  if (!plan.fill.recommended)
    return fleet_of(search, plan.ideal.purchases, plan.ideal.hourly_cost, FleetEvidence::kPacked, 0);
  const auto& filled = *plan.fill.recommended;
  return fleet_of(search, filled.purchases, filled.hourly_cost, FleetEvidence::kSimulated,
                  filled.orders + filled.confirmed);
}

/// The cheapest fleet of the peak and of planned levels that have at least as many tasks.
HourlyFleet larger_fleet(const HourlyFleet& peak, const LoadCurve& curve, const std::vector<HourlyFleet>& fleets,
                         const std::vector<std::uint32_t>& planned, std::uint32_t level) {
  HourlyFleet best = peak;
  const Counts& counts = curve.levels[level].counts;
  for (const auto other : planned) {
    const Counts& more = curve.levels[other].counts;
    const bool is_larger =
        std::equal(counts.begin(), counts.end(), more.begin(), [](auto a, auto b) { return a <= b; });
    if (fleets[other].hourly_cost < best.hourly_cost && is_larger) best = fleets[other];
  }
  best.evidence = FleetEvidence::kLarger;
  best.orders = 0;
  best.lower_bound = 0;
  return best;
}

}  // namespace

HourlyFleets plan_hourly_fleets(const Scenario& scenario, const Market& market, const FleetRequest& request,
                                const FleetPlan& plan, const LoadCurve& curve) {
  const auto types = fleet::list_types(market, plan.purchases());
  Search search{scenario, market, request, plan.fill.recommended, types};
  const HourlyFleet of_plan = peak_fleet(search, plan);
  HourlyFleets fleets;
  // The fleets of all hours survive the loss of any zone. Without a recommended fleet none is known that does: the
  // hours are packed, and their bounds are of packings too.
  const bool survives_zone_loss = request.survives_zone_loss && plan.fill.recommended;
  // The rest after the loss of any zone costs the bound, so the whole fleet costs more.
  const auto raised = [&](MicroUsd bound) {
    return survives_zone_loss ? fleet::bound_with_zone_loss(bound, plan.question, market, request.zones) : bound;
  };

  const DualBound bound(plan.question, bound_parts_of_levels(search, plan, fleets));
  Scenario scratch = scenario;
  std::vector<Counts> with_headroom;  // by level
  for (const auto& level : curve.levels) {
    scratch = with_counts(std::move(scratch), level.counts);
    Counts& counts = with_headroom.emplace_back(level.counts.size());
    for (const auto& group : fleet::group_tasks(scratch, request.headroom_percent))
      counts[group.workload] += group.count;
    fleets.levels.emplace_back().lower_bound = raised(bound.of(with_headroom.back()));
  }
  std::vector<bool> is_planned(curve.levels.size());
  const auto keep = [&](std::uint32_t level, HourlyFleet fleet) {
    fleet.lower_bound = std::max(raised(fleet.lower_bound), fleets.levels[level].lower_bound);
    if (fleet.evidence == FleetEvidence::kSimulated) ++fleets.simulated;
    fleets.levels[level] = std::move(fleet);
    is_planned[level] = true;
  };

  // The peak has the fleet of the plan; other levels are simulated as far as the effort goes.
  if (const auto peak = curve.peak_level()) {
    auto fleet = of_plan;
    fleet.lower_bound = plan.bounded.solution.lower_bound;
    keep(*peak, std::move(fleet));
  }
  const auto chosen = levels_to_simulate(fleets.levels);
  search.share_effort(std::ssize(chosen));
  for (const auto level : chosen) {
    if (is_planned[level] || !search.go_on()) continue;
    if (auto fleet = planned_level(search, curve.levels[level].counts, fleets)) keep(level, std::move(*fleet));
  }

  // The rest is packed with the types of the fleets so far, or has the fleet of a level with more tasks.
  std::vector<std::uint32_t> planned;
  for (std::uint32_t i = 0; i < is_planned.size(); ++i) {
    if (is_planned[i]) planned.push_back(i);
  }
  if (planned.size() < is_planned.size()) {
    std::set<std::uint32_t> offers;
    for (const auto& purchase : of_plan.purchases) offers.insert(purchase.offer);
    for (const auto level : planned) {
      for (const auto& purchase : fleets.levels[level].purchases) offers.insert(purchase.offer);
    }
    std::optional<LevelPacker> packer;
    if (may_be_packed(plan, request)) packer.emplace(search, plan, offers);
    for (std::uint32_t i = 0; i < is_planned.size(); ++i) {
      if (is_planned[i]) continue;
      auto fleet = larger_fleet(of_plan, curve, fleets.levels, planned, i);
      if (packer) {
        if (auto packed = packer->packed(with_headroom[i], fleets); packed && packed->hourly_cost < fleet.hourly_cost)
          fleet = std::move(*packed);
      }
      keep(i, std::move(fleet));
    }
  }

  fleets.lacks_zone_loss = request.survives_zone_loss && !survives_zone_loss;
  for (std::size_t i = 0; i < fleets.levels.size(); ++i) {
    if (fleets.levels[i].hourly_cost < fleets.levels[i].lower_bound)
      fleets.withdrawn.push_back(
          fmt::format("the fleet of {} tasks costs less than its bound", curve.levels[i].tasks()));
  }
  return fleets;
}

std::vector<std::optional<HourlyFleet>> fill_hourly_fleets(const Scenario& scenario, const Market& market,
                                                           const FleetRequest& request,
                                                           const fleet::FilledFleet& recommended,
                                                           const LoadCurve& curve) {
  const std::optional<fleet::FilledFleet> filler = recommended;
  const auto types = fleet::list_types(market, recommended.purchases);
  Search search{scenario, market, request, filler, types};
  search.share_effort(std::ssize(curve.levels));
  HourlyFleets checks;
  std::vector<std::optional<HourlyFleet>> fleets;
  for (const auto& level : curve.levels) {
    auto fleet = search.go_on() ? planned_level(search, level.counts, checks) : std::nullopt;
    if (fleet && fleet->evidence != FleetEvidence::kSimulated) fleet.reset();
    fleets.push_back(std::move(fleet));
  }
  return fleets;
}

}  // namespace bayplan::study

#include "study/fleet/trunking.hpp"

#include <algorithm>

#include "fleet/ideal/credit_steps.hpp"
#include "study/scenario_change.hpp"

namespace bayplan::study {

using fleet::Market;
using placement::Scenario;

namespace {

/// To see whether network interfaces decide, and then to plan.
constexpr std::int64_t kTrialEffort = 2'000'000;
constexpr std::int64_t kPlanEffort = 10'000'000;

bool counts_interfaces(const FleetPlan& plan) {
  const auto& names = plan.question.dimensions;
  return std::any_of(names.begin(), names.end(), [](const auto& name) { return name == "ENI" || name == "EBS_ENI"; });
}

/// By the clock or by somebody.
bool is_stopped(const FleetPlan& plan) {
  return plan.stopped_by == FleetStop::kTime || plan.stopped_by == FleetStop::kInterrupt;
}

bool can_be_trunked(const fleet::Offer& offer) {
  return offer.standing.empty() && trunked_interfaces(offer.profile).has_value();
}

/// The cost of the best packing that a short search finds; nothing where some task has no place.
std::optional<MicroUsd> packed_cost(const Scenario& scenario, const Market& market, const FleetRequest& request) {
  const auto question = fleet::make_packing_question(scenario, market, {request.headroom_percent, request.zones});
  packing::SolveLimits limits;
  limits.effort = std::min(kTrialEffort, request.effort);
  limits.go_on = [&request](const packing::Progress& progress) {
    return !request.stop({FleetProgress::Phase::kComparing, progress});
  };
  const auto solution = packing::solve(question.problem, limits);
  const auto& left = solution.left_over;
  if (std::any_of(left.begin(), left.end(), [](std::int64_t count) { return count > 0; })) return std::nullopt;
  return fleet::cost_of(market, question, solution.packing);
}

}  // namespace

std::optional<TrunkedFleet> compare_trunking(const Scenario& scenario, const Market& market,
                                             const FleetRequest& request, const FleetPlan& plan, bool always) {
  if (plan.tasks == 0 || plan.left_over() > 0 || is_stopped(plan)) return std::nullopt;
  const bool may_help = std::any_of(market.offers.begin(), market.offers.end(), can_be_trunked);
  if (!may_help || !counts_interfaces(plan)) return std::nullopt;
  const Market trunked = fleet::with_trunking(true, market);
  if (!always) {
    const auto cost = packed_cost(scenario, trunked, request);
    if (!cost || *cost >= plan.ideal.hourly_cost) return std::nullopt;
  }
  FleetRequest asked = request;
  if (!always) asked.effort = std::min(request.effort, kPlanEffort);
  const auto other = plan_fleet(scenario, trunked, asked);
  if (other.left_over() > 0 || is_stopped(other)) return std::nullopt;
  const auto& filled = other.fill.recommended;
  TrunkedFleet found{other.purchases(), other.hourly_cost(), filled.has_value()};
  const auto own = plan.hourly_cost();
  if (!always && found.hourly_cost >= own) return std::nullopt;
  return found;
}

std::vector<Assumption> trunking_assumptions(const Market& market, const FleetPlan& plan) {
  if (!counts_interfaces(plan)) return {};
  if (std::any_of(market.offers.begin(), market.offers.end(), can_be_trunked))
    return {{"trunking-off", {}, "awsvpcTrunking is off for what is bought (--trunking on allows more awsvpc tasks)"}};
  const bool is_on = std::any_of(market.offers.begin(), market.offers.end(),
                                 [](const auto& offer) { return offer.profile.awsvpc_trunking; });
  if (!is_on) return {};
  return {
      {"trunking-on",
       {},
       "awsvpcTrunking is on: an account setting that instances launched afterwards have, on types that support it"}};
}

}  // namespace bayplan::study

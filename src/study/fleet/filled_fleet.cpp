#include "study/fleet/filled_fleet.hpp"

#include "fleet/offers/purchase.hpp"
#include "fleet/recommended/launch_trials.hpp"
#include "placement/engine/engine.hpp"

namespace bayplan::study {

using placement::Scenario;

Scenario on_fleet(const Scenario& scenario, const fleet::Market& market, const FleetRequest& request,
                  const fleet::Question& question, const fleet::Purchases& purchases, const fleet::Policy& policy) {
  return fleet::with_policy(fleet::with_purchases(fleet::tasks_of(scenario, question), market,
                                                  fleet::dealt(purchases, request.zones), request.keeps_cluster),
                            policy);
}

std::optional<FilledCluster> fill_recommended_fleet(const Scenario& scenario, const fleet::Market& market,
                                                    const FleetRequest& request, const FleetPlan& plan) {
  const auto& filled = plan.fill.recommended;
  if (!filled || plan.tasks > kMaxReplayed) return std::nullopt;
  FilledCluster cluster{on_fleet(scenario, market, request, plan.question, filled->purchases, filled->policy), {}};
  cluster.outcome = placement::place(cluster.scenario);
  return cluster;
}

}  // namespace bayplan::study

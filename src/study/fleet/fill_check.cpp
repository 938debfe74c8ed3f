#include "study/fleet/fill_check.hpp"

#include <algorithm>
#include <cstdint>

#include "study/fleet/filled_fleet.hpp"

namespace bayplan::study {

namespace {

constexpr std::int64_t kPlacementsWhenStopped = 300'000;

}  // namespace

fleet::FillRequest fill_request(const FleetRequest& request, Watch& watch) {
  fleet::FillRequest filling;
  filling.orders = request.orders;
  filling.zones = request.zones;
  filling.most_types = request.most_types;
  filling.keeps_cluster = request.keeps_cluster;
  filling.effort = std::max<std::int64_t>(1, request.effort / fleet::kPackingEffortOfPlacement);
  filling.survives_zone_loss = request.survives_zone_loss;
  filling.go_on = [&watch] { return watch.go_on(FleetProgress::Phase::kFilling); };
  if (watch.stopped()) {
    filling.effort = std::min(filling.effort, kPlacementsWhenStopped);
    filling.go_on = request.grace;
  }
  return filling;
}

FillCheck::FillCheck(const PlanInput& input, const fleet::Policy& policy, Watch& watch, FleetProgress::Phase phase)
    : request_(fill_request(input.request, watch)),
      tasks_(fleet::with_policy(fleet::tasks_of(input.scenario, input.question), policy)),
      trials_(tasks_, input.market, request_, effort_) {
  request_.survives_zone_loss = false;
  request_.go_on = [&watch, phase] { return watch.go_on(phase); };
  effort_.limit = request_.effort;
  effort_.go_on = &request_.go_on;
}

std::optional<bool> FillCheck::is_filled(const fleet::Purchases& purchases) {
  if (effort_.is_exhausted()) return std::nullopt;
  const bool is_filled = trials_.fills(purchases);
  return effort_.is_interrupted ? std::nullopt : std::optional(is_filled);
}

placement::Scenario on_fleet(const PlanInput& input, const fleet::FilledFleet& fleet) {
  return on_fleet(input.scenario, input.market, input.request, input.question, fleet.purchases, fleet.policy);
}

}  // namespace bayplan::study

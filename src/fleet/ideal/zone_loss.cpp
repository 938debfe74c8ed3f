#include "fleet/ideal/zone_loss.hpp"

#include <algorithm>

#include "packing/money.hpp"

namespace bayplan::fleet {

using placement::InstanceProfile;
using placement::Outcome;
using placement::Scenario;
using placement::WorkloadKind;

namespace {

/// One call a run of equal tasks.
void add_turn(std::vector<placement::Call>& calls, std::uint32_t workload) {
  if (!calls.empty() && calls.back().workload == workload) {
    ++calls.back().count;
  } else {
    calls.push_back({workload, 1, 0, std::nullopt});
  }
}

}  // namespace

std::optional<MicroUsd> zone_loss_bound(MicroUsd bound, std::size_t zones) {
  if (zones < 2) return std::nullopt;
  const auto count = static_cast<MicroUsd>(zones);
  return bound + (bound + count - 2) / (count - 1);
}

MicroUsd bound_with_zone_loss(MicroUsd bound, const Question& question, const Market& market,
                              const std::vector<std::string>& zones) {
  if (question.has_credit_steps) return bound;
  const auto can_be_lost = [&](const BinOrigin& bin) {
    const Offer& offer = market.offers[bin.offer];
    const std::string& zone = offer.profile.availability_zone;  // empty: dealt to the zones
    return offer.hourly_price == 0 || zone.empty() || std::find(zones.begin(), zones.end(), zone) != zones.end();
  };
  const auto raised = zone_loss_bound(bound, zones.size());
  if (!raised || !std::all_of(question.bins.begin(), question.bins.end(), can_be_lost)) return bound;
  const auto step = packing::price_step(question.problem);
  return std::max(bound, packing::round_up(*raised * packing::kNanoUsdPerMicroUsd, step));
}

LostZone lose_zone(const Scenario& scenario, const Outcome& outcome, const std::string& zone) {
  LostZone lost{scenario, {}};
  for (InstanceProfile& profile : lost.scenario.profiles) {
    if (profile.availability_zone != zone) continue;
    profile.status = placement::InstanceStatus::kInactive;
    profile.agent_connected = false;
  }
  lost.scenario.order = placement::TaskOrder::kGiven;
  auto& calls = lost.scenario.calls;
  calls.clear();
  std::vector<std::uint32_t> anew;
  for (const auto& placement : outcome.placements) {
    const std::uint32_t workload = placement.attempt.workload;
    if (scenario.workloads[workload].kind == WorkloadKind::kDaemon) continue;
    const auto profile = scenario.instances[placement.instance].profile;
    if (scenario.profiles[profile].availability_zone == zone) {
      anew.push_back(workload);
      continue;
    }
    add_turn(calls, workload);
    lost.standing.push_back(placement.instance);
  }
  for (const std::uint32_t workload : anew) add_turn(calls, workload);
  for (auto& workload : lost.scenario.workloads) workload.all_or_nothing = false;
  return lost;
}

}  // namespace bayplan::fleet

#include "timeline/deployment_stages.hpp"

#include <algorithm>
#include <array>

namespace bayplan::timeline {

using model::DeploymentController;
using model::DeploymentSettings;
using model::DeploymentStage;
using model::TrafficRouting;
using placement::Seconds;
using placement::Timing;

namespace {

constexpr Seconds kMinute = 60;
// blue-green-deployment-how-it-works, of November 2026: what the routing needs at each change of the traffic, and what
// VPC Lattice needs until new targets receive any.
constexpr Seconds kNetworkLoadBalancerShift = 10 * kMinute;
constexpr Seconds kLatticeShift = 90;
constexpr Seconds kLatticeTargets = 3 * kMinute;

Seconds time_of_change(TrafficRouting routing) {
  switch (routing) {
    case TrafficRouting::kNetworkLoadBalancer:
      return kNetworkLoadBalancerShift;
    case TrafficRouting::kVpcLattice:
      return kLatticeShift;
    default:
      return 0;
  }
}

/// Hooks of PRE_PRODUCTION_TRAFFIC_SHIFT run before each step of PRODUCTION_TRAFFIC_SHIFT, and count to it.
bool is_at(const model::LifecycleHook& hook, DeploymentStage stage) {
  const bool is_production = stage == DeploymentStage::kProductionTrafficShift;
  return std::any_of(hook.stages.begin(), hook.stages.end(), [&](const std::string& own) {
    return own == name_of(stage) || (is_production && own == "PRE_PRODUCTION_TRAFFIC_SHIFT");
  });
}

/// The stages that ECS itself runs.
std::vector<StageTime> ecs_stages(const DeploymentSettings& settings, const Timing& timing) {
  using enum DeploymentStage;
  // Hooks of a stage run at once, and all must end. A pause that goes on by itself at an earlier time-out takes less.
  const auto hook_time = [&](DeploymentStage stage) {
    Seconds longest = 0;
    for (const auto& hook : settings.hooks) {
      if (!is_at(hook, stage)) continue;
      const bool ends_early = hook.is_pause && hook.continues;
      longest = std::max(longest, ends_early ? std::min(timing.lifecycle_hook, hook.timeout_minutes * kMinute)
                                             : timing.lifecycle_hook);
    }
    return longest;
  };
  // A pause that is not answered in time, and does not go on, rolls the deployment back.
  const auto hook_limit = [&](DeploymentStage stage) {
    std::optional<Seconds> first;
    for (const auto& hook : settings.hooks) {
      if (!is_at(hook, stage) || !hook.is_pause || hook.continues) continue;
      const Seconds limit = hook.timeout_minutes * kMinute;
      if (limit < timing.lifecycle_hook) first = std::min(first.value_or(limit), limit);
    }
    return first;
  };
  std::vector<StageTime> stages;
  const auto add = [&](DeploymentStage stage, Seconds lasts) {
    const StageTime made{stage, lasts + hook_time(stage), hook_limit(stage)};
    if (made.lasts > 0) stages.push_back(made);
  };

  const Seconds change = time_of_change(settings.routing);
  const bool is_lattice = settings.routing == TrafficRouting::kVpcLattice;
  add(kPreScaleUp, 0);
  stages.push_back({kScaleUp, 0, timing.stage_limit});
  add(kPostScaleUp, is_lattice ? kLatticeTargets : 0);
  add(kTestTrafficShift, settings.has_test_traffic ? change : 0);
  add(kPostTestTrafficShift, 0);
  // Hooks of the shift run at each of its steps, and VPC Lattice takes its time at each; a network load balancer takes
  // its time once a stage.
  const Seconds each = hook_time(kProductionTrafficShift) + (is_lattice ? change : 0);
  stages.push_back({kProductionTrafficShift,
                    settings.shift_minutes() * kMinute + settings.traffic_steps() * each + (is_lattice ? 0 : change),
                    hook_limit(kProductionTrafficShift)});
  add(kPostProductionTrafficShift, 0);
  stages.push_back({kBakeTime, settings.bake_minutes.value_or(0) * kMinute, std::nullopt});
  stages.push_back({kCleanUp, 0, std::nullopt});
  return stages;
}

}  // namespace

std::vector<StageTime> stage_times(const DeploymentSettings& settings, const Timing& timing) {
  using enum DeploymentStage;
  switch (settings.controller) {
    case DeploymentController::kCodeDeploy:
      return {{kScaleUp, 0, timing.code_deploy_limit},
              {kProductionTrafficShift, 0, std::nullopt},
              {kBakeTime, timing.code_deploy_termination, std::nullopt},
              {kCleanUp, 0, std::nullopt}};
    case DeploymentController::kExternal:
      return {{kScaleUp, 0, std::nullopt},
              {kProductionTrafficShift, 0, std::nullopt},
              {kBakeTime, 0, std::nullopt},
              {kCleanUp, 0, std::nullopt}};
    case DeploymentController::kEcs:
      break;
  }
  return ecs_stages(settings, timing);
}

Seconds time_of_both(const std::vector<StageTime>& stages) {
  Seconds all = 0;
  bool is_after = false;
  for (const auto& one : stages) {
    if (is_after && is_timed(one.stage)) all += one.lasts;
    is_after |= one.stage == DeploymentStage::kScaleUp;
  }
  return all;
}

}  // namespace bayplan::timeline

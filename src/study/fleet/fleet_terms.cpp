#include "study/fleet/fleet_terms.hpp"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "base/strings.hpp"

#include "placement/engine/not_placeable.hpp"

namespace bayplan::study {

using placement::Scenario;

namespace {

constexpr std::int64_t kMaxOrders = 10'000;
constexpr std::int64_t kMaxHeadroom = 1'000;  ///< Per cent.

}  // namespace

bool has_only_task_times(const Scenario& scenario) {
  constexpr std::string_view kTimes[] = {"startAt", "startDelay", "duration"};
  return std::all_of(scenario.over_time.begin(), scenario.over_time.end(),
                     [&](const Error& one) { return is_among(one.subject, kTimes); });
}

std::vector<Error> not_plannable(const Scenario& scenario) {
  if (!scenario.not_simulated.empty()) return scenario.not_simulated;
  if (scenario.timetable.has_time && !has_only_task_times(scenario))
    return placement::refuse_over_time(scenario, "fleet");
  std::vector<Error> errors;
  for (const auto& workload : scenario.workloads) {
    if (workload.count) continue;
    errors.push_back(
        {.message = fmt::format("{}: a fleet is for a number of tasks, not for as many as fit", workload.name),
         .file = workload.origin.file,
         .line = workload.origin.line,
         .column = workload.origin.column,
         .help = "bayplan place --task TASKDEF=max shows how many fit on given instances"});
  }
  return errors;
}

std::vector<std::string> list_zones(const Scenario& scenario) {
  std::set<std::string> zones;
  for (const auto& profile : scenario.profiles) {
    if (!profile.availability_zone.empty()) zones.insert(profile.availability_zone);
  }
  for (const auto& workload : scenario.workloads) {
    if (workload.availability_zones)
      zones.insert(workload.availability_zones->begin(), workload.availability_zones->end());
  }
  return {zones.begin(), zones.end()};
}

std::vector<std::string> first_zones(std::int64_t count, Scenario& scenario) {
  auto zones = list_zones(scenario);
  const auto known = zones.size();
  for (char letter = 'a'; static_cast<std::int64_t>(zones.size()) < count; ++letter) {
    const auto zone = scenario.region + letter;
    if (std::find(zones.begin(), zones.end(), zone) == zones.end()) zones.push_back(zone);
  }
  zones.resize(static_cast<std::size_t>(count));
  if (zones.size() > known)
    scenario.assumptions.push_back(
        {"zones-named", {}, "zones are not named: the region's name with a letter is used for each"});
  return zones;
}

std::optional<Error> refuse_request(const FleetRequest& request) {
  if (request.orders < 1 || request.orders > kMaxOrders)
    return Error{.message = fmt::format("--orders must be a number from 1 to {}, not {}", kMaxOrders, request.orders)};
  if (request.effort < 1)
    return Error{.message = fmt::format("--effort must be a number above 0, not {}", request.effort)};
  if (request.headroom_percent < Percent{} || request.headroom_percent > Percent::of(kMaxHeadroom))
    return Error{.message = fmt::format("--headroom must be a percentage from 0 to {}", kMaxHeadroom)};
  if (request.survives_zone_loss && request.zones.size() < 2)
    return Error{.message = "--survive-zone-loss requires at least two zones", .help = "for example --zones 3"};
  return std::nullopt;
}

}  // namespace bayplan::study

#include "placement/explain/subnet_addresses.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "base/strings.hpp"

namespace bayplan::placement {
namespace {

using Subnets = std::set<std::string>;

/// The subnets in which a task on an instance of the zone can start; nothing if that is not known.
std::optional<Subnets> subnets_in(const Scenario& scenario, const Workload& workload, const std::string& zone) {
  if (workload.requirement.network_interfaces == 0 || workload.subnets.empty() || zone.empty()) return std::nullopt;
  Subnets in_zone;
  for (const auto& id : workload.subnets) {
    const auto known = scenario.subnets.find(id);
    if (known == scenario.subnets.end()) return std::nullopt;
    if (known->second.availability_zone == zone) in_zone.insert(id);
  }
  return in_zone;
}

/// The free addresses of the subnets together; nothing if those of one are not known.
std::optional<std::int64_t> free_addresses(const Scenario& scenario, const Subnets& subnets) {
  std::int64_t sum = 0;
  for (const auto& id : subnets) {
    const auto& available = scenario.subnets.at(id).available_addresses;
    if (!available) return std::nullopt;
    sum += *available;
  }
  return sum;
}

}  // namespace

std::vector<ClusterFinding> short_subnets(const Scenario& scenario, const Outcome& outcome) {
  if (scenario.timetable.has_time) return {};
  std::map<Subnets, std::int64_t> tasks_of;
  for (const auto& placement : outcome.placements) {
    const auto& profile = scenario.profiles[scenario.instances[placement.instance].profile];
    const auto& workload = scenario.workloads[placement.attempt.workload];
    if (auto subnets = subnets_in(scenario, workload, profile.availability_zone)) ++tasks_of[std::move(*subnets)];
  }
  // Smallest first: what is short of a part of the subnets is no matter of all of them.
  std::vector<std::pair<Subnets, std::int64_t>> sets(tasks_of.begin(), tasks_of.end());
  std::stable_sort(sets.begin(), sets.end(),
                   [](const auto& a, const auto& b) { return a.first.size() < b.first.size(); });
  std::vector<ClusterFinding> findings;
  std::vector<std::pair<Subnets, std::int64_t>> known_short;
  for (const auto& [subnets, own] : sets) {
    const auto available = free_addresses(scenario, subnets);
    if (!available) continue;
    const auto is_part = [&whole = subnets](const auto& part) {
      return std::includes(whole.begin(), whole.end(), part.first.begin(), part.first.end());
    };
    std::int64_t tasks = 0;
    for (const auto& one : sets) tasks += is_part(one) ? one.second : 0;
    std::int64_t reported = 0;
    for (const auto& one : known_short) reported += is_part(one) ? one.second : 0;
    const std::int64_t missing = tasks - *available - reported;
    if (missing <= 0) continue;
    known_short.emplace_back(subnets, missing);
    const std::vector<std::string> names(subnets.begin(), subnets.end());
    findings.push_back(
        {"subnet-addresses-short", join(names, ", "),
         fmt::format("{} placed in {}, which {} {}: ECS does not check this, and {} cannot start",
                     tasks == 1 ? "1 task is" : fmt::format("{} tasks are", tasks),
                     names.size() == 1 ? "this subnet" : "these subnets", names.size() == 1 ? "has" : "have",
                     *available == 0 ? "no free address" : count_of(*available, "free address", "free addresses"),
                     missing)});
  }
  return findings;
}

}  // namespace bayplan::placement

#include "fleet/unplaceable.hpp"

#include <algorithm>
#include <map>

#include "fleet/contradictions.hpp"
#include "placement/filters.hpp"
#include "placement/nearest.hpp"

namespace bayplan::fleet {

namespace {

/// Nothing but a need that ECS does not look at is the nearest of all.
bool is_nearer(const TypeRejection& a, const TypeRejection& b, const capacity::TaskRequirement& task) {
  const auto as_rejection = [](const TypeRejection& one) { return placement::Rejection{0, one.failed, one.shortfall}; };
  if (a.failed.empty() || b.failed.empty()) return a.failed.empty() && !b.failed.empty();
  return placement::is_nearer(placement::nearness(as_rejection(a), task), placement::nearness(as_rejection(b), task));
}

}  // namespace

Unplaceable unplaceable_lot(const EmptyBins& bins, const UnseenNeeds& needs, const Lot& lot) {
  const placement::Workload& workload = bins.scenario.workloads[lot.workload];
  const auto& task = workload.requirement;
  placement::Groups groups = bins.groups;
  const placement::Filter filter(bins.scenario, groups, workload, groups.number(workload.group));
  Unplaceable result{lot.workload, lot.count, contradiction_of(bins, needs, lot), {}};
  std::map<std::string, std::size_t> known;
  for (std::uint32_t bin = 0; bin < bins.origins.size(); ++bin) {
    auto rejection = filter.reject(bin, bins.states[bin], lot.capacity_provider);
    TypeRejection own{bins.scenario.profiles[bin].instance_type, rejection.failed, std::move(rejection.shortfall),
                      needs.unmet(lot.workload, bin)};
    const auto [entry, is_new] = known.emplace(own.instance_type, result.rejections.size());
    if (is_new) {
      result.rejections.push_back(std::move(own));
    } else if (is_nearer(own, result.rejections[entry->second], task)) {
      result.rejections[entry->second] = std::move(own);
    }
  }
  std::stable_sort(result.rejections.begin(), result.rejections.end(),
                   [&](const TypeRejection& a, const TypeRejection& b) { return is_nearer(a, b, task); });
  return result;
}

}  // namespace bayplan::fleet

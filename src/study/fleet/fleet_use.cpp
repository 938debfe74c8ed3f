#include "study/fleet/fleet_use.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "fleet/ideal/credit_steps.hpp"
#include "fleet/offers/cpu_credits.hpp"
#include "fleet/offers/vcpu_quota.hpp"
#include "placement/model/instance_state.hpp"

namespace bayplan::study {

using fleet::Market;
using fleet::Purchase;
using fleet::Purchases;
using fleet::Question;
using placement::Outcome;
using placement::Scenario;
using placement::Share;

namespace {

void add(Share& share, const Share& more) {
  share.reserved += more.reserved;
  share.registered += more.registered;
}

void add(Use& use, const Use& more) {
  use.instances += more.instances;
  add(use.cpu, more.cpu);
  add(use.memory, more.memory);
  add(use.gpu, more.gpu);
  add(use.neuron, more.neuron);
  add(use.ebs, more.ebs);
  add(use.interfaces, more.interfaces);
  use.credits += more.credits;
}

FleetUse gathered(const std::map<std::uint32_t, Use>& by_offer) {
  FleetUse fleet;
  for (const auto& [offer, use] : by_offer) {
    fleet.offers.push_back({offer, use});
    add(fleet.all, use);
  }
  return fleet;
}

Share share_in(const Question& question, const packing::FilledBins& filled, std::string_view dimension) {
  const auto found = std::find(question.dimensions.begin(), question.dimensions.end(), dimension);
  if (found == question.dimensions.end()) return {};
  const auto d = static_cast<std::size_t>(found - question.dimensions.begin());
  std::int64_t used = 0;
  for (const auto& copies : filled.pattern.copies) used += copies.count * question.problem.shapes[copies.shape].size[d];
  // A bin type may be a part of the CPU of its instance.
  const auto type = filled.pattern.type;
  const auto capacity = dimension == "CPU" ? question.bins[type].cpu_room : question.problem.types[type].capacity[d];
  return {used * filled.bins, capacity * filled.bins};
}

/// Volumes and the interfaces that share their limit, else volumes alone; nothing on types without a known limit.
Share attachments_in(const Question& question, const packing::FilledBins& filled) {
  const std::int64_t unlimited = placement::kUnlimitedAttachments / 2 * filled.bins;
  for (const std::string_view dimension : {"EBS_ENI", "EBS"}) {
    const Share share = share_in(question, filled, dimension);
    if (share.registered > 0 && share.registered < unlimited) return share;
  }
  return {};
}

Share attachments_in(const Scenario& scenario, const Outcome& outcome, const std::vector<std::uint32_t>& instances) {
  Share share;
  if (!placement::attaches_volumes(scenario)) return share;
  for (const std::uint32_t instance : instances) {
    const auto& profile = scenario.profiles[scenario.instances[instance].profile];
    if (profile.ebs_attachments >= placement::kUnlimitedAttachments) continue;
    share.registered += profile.ebs_attachments;
    share.reserved += profile.ebs_attachments - placement::free_attachments(outcome.instances[instance]);
  }
  return share;
}

/// Nothing on instances whose limit is unknown.
Share interfaces_in(const Question& question, const packing::FilledBins& filled) {
  const Share share = share_in(question, filled, "ENI");
  return share.registered < placement::kUnlimitedInterfaces / 2 * filled.bins ? share : Share();
}

Share interfaces_in(const Scenario& scenario, const Outcome& outcome, const std::vector<std::uint32_t>& instances) {
  Share share;
  for (const std::uint32_t instance : instances) {
    const auto& profile = scenario.profiles[scenario.instances[instance].profile];
    if (profile.network_interfaces >= placement::kUnlimitedInterfaces / 2) continue;
    share.registered += profile.network_interfaces;
    share.reserved += profile.network_interfaces - outcome.instances[instance].network_interfaces;
  }
  return share;
}

Use use_of(const Market& market, const Scenario& scenario, const Outcome& outcome,
           const std::vector<std::uint32_t>& instances) {
  placement::Summary summary;
  placement::add_cluster(scenario, outcome.instances, instances, summary);
  Use use{static_cast<std::int64_t>(instances.size()),
          summary.cpu,
          summary.memory,
          summary.gpu_devices,
          summary.neuron_devices,
          attachments_in(scenario, outcome, instances),
          interfaces_in(scenario, outcome, instances)};
  for (const std::uint32_t instance : instances)
    use.credits += fleet::added_credits(market.credits, scenario, outcome, instance);
  return use;
}

/// a is in use to a larger part than b.
bool is_fuller(const Share& a, const Share& b) {
  if (a.registered == 0 || b.registered == 0) return a.registered != 0 && a.reserved > 0;
  return static_cast<double>(a.reserved) / static_cast<double>(a.registered) >
         static_cast<double>(b.reserved) / static_cast<double>(b.registered);
}

}  // namespace

std::pair<std::string_view, Share> FleetUse::binding() const {
  std::string_view name;
  Share fullest;
  const auto look = [&](const Share& share, std::string_view resource) {
    if (!is_fuller(share, fullest)) return;
    fullest = share;
    name = resource;
  };
  look(all.gpu, "GPU");
  look(all.neuron, "NEURON_DEVICE");
  look(all.ebs, "EBS");
  look(all.interfaces, "ENI");
  look(all.memory, "MEMORY");
  look(all.cpu, "CPU");
  return {name, fullest};
}

MicroUsd FleetUse::credits_of(const Purchase& purchase) const {
  const auto found = credits.find({purchase.offer, purchase.availability_zone});
  return found == credits.end() ? 0 : found->second;
}

FleetUse use_of(const Market& market, const Question& question, const packing::Packing& packing) {
  std::map<std::uint32_t, Use> by_offer;
  std::map<std::pair<std::uint32_t, std::string>, MicroUsd> credits;
  for (const auto& filled : packing) {
    const MicroUsd own = fleet::credits_of(market, question, {filled});
    credits[{question.bins[filled.pattern.type].offer, fleet::zone_of(question, filled.pattern)}] += own;
    add(by_offer[question.bins[filled.pattern.type].offer],
        {filled.bins, share_in(question, filled, "CPU"), share_in(question, filled, "MEMORY"),
         share_in(question, filled, "GPU"), share_in(question, filled, "NEURON_DEVICE"),
         attachments_in(question, filled), interfaces_in(question, filled), own});
  }
  auto use = gathered(by_offer);
  use.credits = std::move(credits);
  return use;
}

FleetUse use_of(const Market& market, const Scenario& scenario, const Outcome& outcome, const Purchases& purchases) {
  std::map<std::uint32_t, Use> by_offer;
  std::map<std::pair<std::uint32_t, std::string>, MicroUsd> credits;
  auto instance = static_cast<std::uint32_t>(scenario.instances.size()) -
                  static_cast<std::uint32_t>(fleet::instances_of(purchases));
  for (const Purchase& one : purchases) {
    std::vector<std::uint32_t> instances(static_cast<std::size_t>(one.count));
    std::iota(instances.begin(), instances.end(), instance);
    instance += static_cast<std::uint32_t>(one.count);
    const auto own = use_of(market, scenario, outcome, instances);
    credits[{one.offer, one.availability_zone}] += own.credits;
    add(by_offer[one.offer], own);
  }
  auto use = gathered(by_offer);
  use.credits = std::move(credits);
  return use;
}

std::vector<PlacedTasks> placed_tasks(const Scenario& scenario, const Outcome& outcome) {
  std::map<std::pair<std::uint32_t, std::string_view>, std::int64_t> counts;
  for (const auto& placement : outcome.placements) {
    const auto workload = placement.attempt.workload;
    if (scenario.workloads[workload].kind == placement::WorkloadKind::kDaemon) continue;
    ++counts[{workload, scenario.profiles[scenario.instances[placement.instance].profile].instance_type}];
  }
  std::vector<PlacedTasks> placed;
  for (const auto& [key, count] : counts) placed.push_back({key.first, std::string(key.second), count});
  return placed;
}

std::vector<std::pair<std::string, std::int64_t>> vcpus_by_quota(const Market& market, const Purchases& purchases) {
  std::map<std::string, std::int64_t> vcpus;
  for (const auto& limit : market.quotas) {
    if (limit.in_use > 0) vcpus[limit.quota] = limit.in_use;
  }
  for (const auto& offer : market.offers) {
    if (!offer.exists() || !offer.quota.empty()) continue;
    const auto quota = offer.profile.type == nullptr ? std::string() : fleet::vcpu_quota_name(*offer.profile.type);
    const bool is_counted = std::any_of(market.quotas.begin(), market.quotas.end(),
                                        [&](const auto& limit) { return limit.quota == quota; });
    if (!is_counted) vcpus[quota] += fleet::vcpus_of(offer.profile) * offer.limit;
  }
  for (const Purchase& one : purchases) {
    const auto& offer = market.offers[one.offer];
    if (!offer.exists() || !offer.quota.empty()) vcpus[offer.quota] += fleet::vcpus_of(offer.profile) * one.count;
  }
  return {vcpus.begin(), vcpus.end()};
}

}  // namespace bayplan::study

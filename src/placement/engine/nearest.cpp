#include "placement/engine/nearest.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace bayplan::placement {
namespace {

using capacity::GpuForm;
using capacity::TaskRequirement;

std::int64_t wanted_gpu(const TaskRequirement& task, const Shortfall& lacking) {
  switch (task.gpu_form) {
    case GpuForm::kCount:
      return task.gpu_count;
    case GpuForm::kFraction:
      return task.gpu_fraction_millionths;
    case GpuForm::kMps:
      return task.mps_memory;
    default:
      return lacking.gpus;  // ALL: what is wanted differs from instance to instance
  }
}

void count(RejectedCounts& counts, const Rejection& rejection, InstanceStatus status) {
  for (std::size_t i = 0; i < kCheckCount; ++i)
    counts.by_check[i] += rejection.failed.has(static_cast<Check>(i)) ? 1 : 0;
  if (rejection.failed.has(Check::kStatus)) ++counts.by_status[static_cast<std::size_t>(status)];
}

/// The nearest misses seen so far, nearest first; earlier instances win among equals.
class NearMisses {
 public:
  explicit NearMisses(const TaskRequirement& task) : task_(task) {}

  void offer(Rejection rejection) {
    const Nearness own = nearness(rejection, task_);
    const auto place = std::upper_bound(kept_.begin(), kept_.end(), own,
                                        [](const Nearness& a, const Entry& b) { return is_nearer(a, b.nearness); });
    if (place == kept_.end() && kept_.size() >= kNearMisses) return;
    kept_.insert(place, {own, std::move(rejection)});
    if (kept_.size() > kNearMisses) kept_.pop_back();
  }

  std::vector<Rejection> take() && {
    std::vector<Rejection> rejections;
    for (auto& entry : kept_) rejections.push_back(std::move(entry.rejection));
    return rejections;
  }

 private:
  struct Entry {
    Nearness nearness;
    Rejection rejection;
  };
  const TaskRequirement& task_;
  std::vector<Entry> kept_;
};

}  // namespace

Nearness nearness(const Rejection& rejection, const TaskRequirement& task) {
  const auto& lacking = rejection.shortfall;
  const Check first = rejection.failed.first();
  switch (first) {
    case Check::kCpu:
      return {first, lacking.cpu, task.cpu};
    case Check::kMemory:
      return {first, lacking.memory, task.memory};
    case Check::kPorts:
      return {first,
              static_cast<std::int64_t>(lacking.tcp_ports.size() + lacking.udp_ports.size()) + lacking.ports_over_limit,
              static_cast<std::int64_t>(task.tcp_ports.size() + task.udp_ports.size())};
    case Check::kGpu:
      return {first, lacking.gpus + lacking.gpu_fraction_millionths + lacking.mps_memory, wanted_gpu(task, lacking)};
    case Check::kNeuronDevice:
      return {first, lacking.neuron_devices, lacking.neuron_devices};  // ALL, as with GPUs
    case Check::kNetworkInterface:
      return {first, lacking.network_interfaces, task.network_interfaces};
    case Check::kEbsAttachment:
      return {first, lacking.ebs_attachments, task.ebs_volumes + task.network_interfaces};
    case Check::kAttribute:
      return {first, static_cast<std::int64_t>(lacking.attributes.size()), 1};
    default:
      return {first, 0, 1};
  }
}

bool is_nearer(const Nearness& a, const Nearness& b) {
  if (a.first != b.first) return a.first > b.first;
  // Sizes reach 10^12 (requirement.cpp): their product needs more than 64 bits.
  __extension__ using Wide = __int128;
  return static_cast<Wide>(a.missing) * b.wanted < static_cast<Wide>(b.missing) * a.wanted;
}

bool may_be_closest(const Nearness& nearness) {
  return nearness.first > Check::kCapacityProvider;
}

Failure explain_failure(const PlacementAttempt& attempt, const std::vector<std::uint32_t>& instances,
                        const std::vector<InstanceState>& states, const Filter& filter, const Scenario& scenario,
                        bool in_full) {
  const auto& task = scenario.workloads[attempt.workload].requirement;
  Failure failure{attempt, {}, {}, {}, {}};
  NearMisses misses(task);
  std::vector<Rejection> all;
  Nearness best;
  const auto provider = capacity_provider_of(scenario, attempt);
  for (const std::uint32_t instance : instances) {
    auto rejection = filter.reject(instance, states[instance], provider);
    assert(!rejection.failed.empty());
    count(failure.rejected, rejection, scenario.profiles[scenario.instances[instance].profile].status);
    const Nearness own = nearness(rejection, task);
    if (may_be_closest(own) && (!failure.closest || is_nearer(own, best))) {
      best = own;
      failure.closest = instance;
    }
    in_full ? all.push_back(std::move(rejection)) : misses.offer(std::move(rejection));
  }
  failure.instances = Rejections(in_full ? std::move(all) : std::move(misses).take());
  return failure;
}

Failure explain_failure(const PlacementAttempt& attempt, const std::vector<InstanceState>& states, const Filter& filter,
                        const Scenario& scenario, bool in_full) {
  std::vector<std::uint32_t> all(states.size());
  std::iota(all.begin(), all.end(), 0);
  return explain_failure(attempt, all, states, filter, scenario, in_full);
}

}  // namespace bayplan::placement

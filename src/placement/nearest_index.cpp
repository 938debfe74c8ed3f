#include "placement/nearest_index.hpp"

#include <algorithm>

namespace bayplan::placement {
namespace {

/// How much is missing fits below the check that failed first: sizes reach 10^12 (requirement.cpp).
constexpr unsigned kMissingBits = 56;

}  // namespace

NearestIndex::NearestIndex(const Occupancy& occupancy, const Filter& filter, std::uint32_t task_class)
    : occupancy_(occupancy),
      filter_(filter),
      task_(occupancy.scenario().workloads[occupancy.classes().workload_of(task_class)].requirement),
      provider_(occupancy.classes().provider_of(task_class)),
      distances_({}),
      seen_(occupancy.history().end()) {
  std::vector<std::uint64_t> distances;
  for (std::uint32_t instance = 0; instance < occupancy.states().size(); ++instance) {
    failed_.push_back(failing(instance));
    count(failed_.back(), instance, 1);
    distances.push_back(distance(instance, failed_.back()));
  }
  distances_ = Tournament(distances);
}

CheckSet NearestIndex::failing(std::uint32_t instance) const {
  return filter_.failing(instance, occupancy_.states()[instance], provider_);
}

/// As `nearness` has it, made of no more than the first check needs.
std::int64_t NearestIndex::missing(std::uint32_t instance, Check first) const {
  const Room& room = occupancy_.rooms()[instance];
  switch (first) {
    case Check::kCpu:
      return task_.cpu - room.cpu;
    case Check::kMemory:
      return task_.memory - room.memory;
    case Check::kNetworkInterface:
      return task_.network_interfaces - room.network_interfaces;
    case Check::kAttribute:
      return static_cast<std::int64_t>(filter_.missing_attributes(instance).size());
    case Check::kPorts:
    case Check::kGpu: {
      Rejection rejection{instance, {}, {}};
      check_resources(occupancy_.states()[instance], task_, rejection.failed, rejection.shortfall);
      return nearness(rejection, task_).missing;
    }
    default:
      return 0;
  }
}

// Of one class and one check the amount that is wanted is the same everywhere (but for all GPUs, of which all are
// missing): the missing amount orders like its share.
std::uint64_t NearestIndex::distance(std::uint32_t instance, CheckSet failed) const {
  if (failed.empty()) return 0;  // would be placed; never asked for then
  const Check first = failed.first();
  const bool all_gpus = first == Check::kGpu && task_.gpu_form == capacity::GpuForm::kAll;
  const auto from_last = static_cast<std::uint64_t>(kCheckCount) - static_cast<std::uint64_t>(first);
  return from_last << kMissingBits | static_cast<std::uint64_t>(all_gpus ? 1 : missing(instance, first));
}

void NearestIndex::count(CheckSet failed, std::uint32_t instance, std::int64_t change) {
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    if (failed.has(static_cast<Check>(i))) rejected_.by_check[i] += change;
  }
  if (!failed.has(Check::kStatus)) return;
  const auto& scenario = occupancy_.scenario();
  const auto status = scenario.profiles[scenario.instances[instance].profile].status;
  rejected_.by_status[static_cast<std::size_t>(status)] += change;
}

void NearestIndex::catch_up() {
  const auto& history = occupancy_.history();
  const auto instances = static_cast<std::uint32_t>(failed_.size());
  if (history.end() - seen_ > instances / 4) {  // one pass in order is faster than many leaps
    for (std::uint32_t instance = 0; instance < instances; ++instance) look_at(instance);
  } else {
    for (std::uint64_t i = seen_; i < history.end(); ++i) look_at(history[i].instance);
  }
  seen_ = history.end();
}

void NearestIndex::look_at(std::uint32_t instance) {
  // Nothing is ever freed: what failed goes on failing.
  CheckSet failed = failed_[instance];
  if (filter_.needs_room_only() && !filter_.is_distinct()) {
    failed.add(filter_.failing_room(occupancy_.rooms()[instance]));
  } else {
    failed = failing(instance);
  }
  if (!(failed == failed_[instance])) {
    count(failed_[instance], instance, -1);
    count(failed, instance, 1);
    failed_[instance] = failed;
  }
  const std::uint64_t own = distance(instance, failed);
  if (own != distances_.key(instance)) set_distance(instance, own);
}

void NearestIndex::set_distance(std::uint32_t instance, std::uint64_t distance) {
  if (!is_moved_) {
    const bool is_among = std::find(nearest_.begin(), nearest_.end(), instance) != nearest_.end();
    is_moved_ = is_among || nearest_.size() < kNearMisses || distance <= distances_.key(nearest_.back());
  }
  distances_.set(instance, distance);
}

Failure NearestIndex::explain(const Turn& turn) {
  catch_up();
  if (is_moved_) nearest_ = distances_.smallest(kNearMisses);
  is_moved_ = false;
  std::vector<Rejection> rejections;
  for (const std::uint32_t instance : nearest_) {
    rejections.push_back(filter_.reject(instance, occupancy_.states()[instance], provider_));
  }
  Failure failure{turn, {}, {}, Rejections(std::move(rejections)), rejected_};
  if (failure.instances == last_) failure.instances = last_;
  last_ = failure.instances;
  if (!failure.instances.empty() && may_be_closest(nearness(failure.instances.front(), task_))) {
    failure.closest = failure.instances.front().instance;
  }
  return failure;
}

}  // namespace bayplan::placement

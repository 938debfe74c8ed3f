#include "placement/index/nearest_index.hpp"

#include <algorithm>
#include <bit>
#include <queue>
#include <tuple>

namespace bayplan::placement {
namespace {

/// How much is missing fits below the check that failed first: sizes reach 10^12 (requirement.cpp).
constexpr unsigned kMissingBits = 56;

}  // namespace

NearestIndex::NearestIndex(const Occupancy& occupancy, const Filter& filter, std::uint32_t task_class)
    : occupancy_(occupancy),
      filter_(filter),
      task_(occupancy.scenario().workloads[occupancy.classes().workload_of(task_class)].requirement),
      group_(occupancy.group_of(occupancy.classes().workload_of(task_class))),
      provider_(occupancy.classes().find_provider(task_class)),
      distances_({}),
      seen_(occupancy.history().end()) {
  follow_cluster();
  for (std::uint32_t instance = 0; instance < standing_.size(); ++instance) look_at(instance);
}

void NearestIndex::follow_cluster() {
  const auto profiles = static_cast<std::uint32_t>(occupancy_.scenario().profiles.size());
  for (auto profile = static_cast<std::uint32_t>(lasting_.size()); profile < profiles; ++profile) {
    lasting_.push_back(filter_.failing_for_good(profile, provider_));
  }
  standing_.resize(occupancy_.states().size());
  distances_.grow(standing_.size());
}

CheckSet NearestIndex::failing(std::uint32_t instance) const {
  const bool is_unique = !filter_.is_distinct() || occupancy_.tasks_of(group_) == 0;
  if (!filter_.needs_room_only() || !is_unique) {
    return filter_.failing(instance, occupancy_.states()[instance], provider_);
  }
  CheckSet failed = lasting_[occupancy_.profile_of(instance)];
  failed.add(filter_.failing_room(occupancy_.rooms()[instance]));
  return failed;
}

NearestIndex::Standing NearestIndex::now(std::uint32_t instance) const {
  if (occupancy_.is_gone(instance)) return {};
  return {true, occupancy_.scenario().profiles[occupancy_.profile_of(instance)].status, failing(instance)};
}

/// Computes the same as `nearness`, limited to what the first check needs.
std::int64_t NearestIndex::missing(std::uint32_t instance, Check first) const {
  const Room& room = occupancy_.rooms()[instance];
  switch (first) {
    case Check::kCpu:
      return task_.cpu - room.cpu;
    case Check::kMemory:
      return task_.memory - room.memory;
    case Check::kNetworkInterface:
      return task_.network_interfaces - room.network_interfaces;
    case Check::kEbsAttachment:
      return std::max(task_.ebs_volumes - room.ebs_attachments,
                      task_.ebs_volumes + task_.network_interfaces - room.shared_attachments);
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

// Of one class and one check the amount that is wanted is the same everywhere (but for all GPUs or Neuron devices, of
// which all are missing): the missing amount orders like its share.
std::uint64_t NearestIndex::distance(std::uint32_t instance, CheckSet failed) const {
  if (failed.empty()) return 0;  // would be placed; never asked for then
  const Check first = failed.first();
  const bool all_gpus =
      first == Check::kNeuronDevice || (first == Check::kGpu && task_.gpu_form == capacity::GpuForm::kAll);
  const auto from_last = static_cast<std::uint64_t>(kCheckCount) - static_cast<std::uint64_t>(first);
  return from_last << kMissingBits | static_cast<std::uint64_t>(all_gpus ? 1 : missing(instance, first));
}

void NearestIndex::count(const Standing& standing, std::int64_t change) {
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    if (standing.failed.has(static_cast<Check>(i))) rejected_.by_check[i] += change;
  }
  if (standing.failed.has(Check::kStatus)) rejected_.by_status[static_cast<std::size_t>(standing.status)] += change;
}

void NearestIndex::catch_up() {
  follow_cluster();
  const auto& history = occupancy_.history();
  const auto instances = static_cast<std::uint32_t>(standing_.size());
  if (seen_ < history.begin() ||
      history.end() - seen_ > instances / 4) {  // one pass in order is faster than many leaps
    for (std::uint32_t instance = 0; instance < instances; ++instance) look_at(instance);
  } else {
    for (const InstanceChange& touch : history.since(seen_)) look_at(touch.instance);
  }
  seen_ = history.end();
}

void NearestIndex::look_at(std::uint32_t instance) {
  const Standing standing = now(instance);
  if (!(standing == standing_[instance])) {
    count(standing_[instance], -1);
    count(standing, 1);
    standing_[instance] = standing;
  }
  const std::uint64_t own = standing.counts ? distance(instance, standing.failed) : Tournament::kNone;
  if (own != distances_.key(instance)) set_distance(instance, own);
}

void NearestIndex::set_distance(std::uint32_t instance, std::uint64_t distance) {
  if (!is_moved_) {
    const bool is_among = std::find(nearest_.begin(), nearest_.end(), instance) != nearest_.end();
    is_moved_ = is_among || nearest_.size() < kNearMisses || distance <= distances_.key(nearest_.back());
  }
  distances_.set(instance, distance);
}

Failure NearestIndex::explain(const PlacementAttempt& attempt) {
  catch_up();
  if (is_moved_) nearest_ = distances_.smallest(kNearMisses);
  is_moved_ = false;
  std::vector<Rejection> rejections;
  for (const std::uint32_t instance : nearest_) {
    rejections.push_back(filter_.reject(instance, occupancy_.states()[instance], provider_));
  }
  Failure failure{attempt, {}, {}, Rejections(std::move(rejections)), rejected_};
  if (failure.instances == last_) failure.instances = last_;
  last_ = failure.instances;
  if (!failure.instances.empty() && may_be_closest(nearness(failure.instances.front(), task_))) {
    failure.closest = failure.instances.front().instance;
  }
  return failure;
}

Tournament::Tournament(const std::vector<std::uint64_t>& keys)
    : leaves_(std::bit_ceil(std::max<std::size_t>(1, keys.size()))), nodes_(2 * leaves_, kNone) {
  std::copy(keys.begin(), keys.end(), nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_));
  for (std::size_t node = leaves_ - 1; node > 0; --node)
    nodes_[node] = std::min(nodes_[2 * node], nodes_[2 * node + 1]);
}

void Tournament::grow(std::size_t entries) {
  if (entries <= leaves_) return;
  std::vector<std::uint64_t> keys(nodes_.begin() + static_cast<std::ptrdiff_t>(leaves_), nodes_.end());
  keys.resize(entries, kNone);
  *this = Tournament(keys);
}

void Tournament::set(std::size_t entry, std::uint64_t key) {
  std::size_t node = leaves_ + entry;
  nodes_[node] = key;
  for (node /= 2; node > 0; node /= 2) {
    const std::uint64_t smaller = std::min(nodes_[2 * node], nodes_[2 * node + 1]);
    if (nodes_[node] == smaller) return;
    nodes_[node] = smaller;
  }
}

std::vector<std::uint32_t> Tournament::smallest(std::size_t count) const {
  struct Open {
    std::uint64_t key;
    std::size_t first;  ///< Entry below the node; of two nodes with one key the one further left is opened first.
    std::size_t node;
    bool operator>(const Open& other) const { return std::tie(key, first) > std::tie(other.key, other.first); }
  };
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  std::vector<std::uint32_t> found;
  if (nodes_[1] != kNone) open.push({nodes_[1], 0, 1});
  while (!open.empty() && found.size() < count) {
    const Open top = open.top();
    open.pop();
    if (top.node >= leaves_) {
      found.push_back(static_cast<std::uint32_t>(top.node - leaves_));
      continue;
    }
    const int height = std::countl_zero(top.node) - std::countl_zero(leaves_);
    for (std::size_t child = 2 * top.node; child <= 2 * top.node + 1; ++child) {
      if (nodes_[child] == kNone) continue;
      open.push({nodes_[child], (child << (height - 1)) - leaves_, child});
    }
  }
  return found;
}

}  // namespace bayplan::placement

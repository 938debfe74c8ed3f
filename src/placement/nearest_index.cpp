#include "placement/nearest_index.hpp"

namespace bayplan::placement {
namespace {

/// How much is missing fits below the check that failed first: sizes reach 10^12 (requirement.cpp).
constexpr unsigned kMissingBits = 56;

}  // namespace

NearestIndex::NearestIndex(const Progress& progress, const Filter& filter, std::uint32_t task_class)
    : progress_(progress),
      filter_(filter),
      task_(progress.scenario().workloads[progress.classes().workload_of(task_class)].requirement),
      provider_(progress.classes().provider_of(task_class)),
      distances_({}),
      seen_(progress.history().size()) {
  std::vector<std::uint64_t> distances;
  for (std::uint32_t instance = 0; instance < progress.states().size(); ++instance) {
    failed_.push_back(failing(instance));
    count(failed_.back(), instance, 1);
    distances.push_back(distance(instance, failed_.back()));
  }
  distances_ = Tournament(distances);
}

CheckSet NearestIndex::failing(std::uint32_t instance) const {
  return filter_.failing(instance, progress_.states()[instance], provider_);
}

// Of one class and one check the amount that is wanted is the same everywhere (but for all GPUs, of which all are
// missing): the missing amount orders like its share.
std::uint64_t NearestIndex::distance(std::uint32_t instance, CheckSet failed) const {
  if (failed.empty()) return 0;  // would be placed; never asked for then
  const Check first = failed.first();
  Rejection rejection{instance, failed, {}};
  CheckSet resources;
  if (first >= Check::kCpu && first <= Check::kNetworkInterface) {
    check_resources(progress_.states()[instance], task_, resources, rejection.shortfall);
  } else if (first == Check::kAttribute) {
    rejection.shortfall.attributes = filter_.missing_attributes(instance);
  }
  const auto near = nearness(rejection, task_);
  const bool all_gpus = first == Check::kGpu && task_.gpu_form == capacity::GpuForm::kAll;
  const auto from_last = static_cast<std::uint64_t>(kCheckCount) - static_cast<std::uint64_t>(first);
  return from_last << kMissingBits | static_cast<std::uint64_t>(all_gpus ? 1 : near.missing);
}

void NearestIndex::count(CheckSet failed, std::uint32_t instance, std::int64_t change) {
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    if (failed.has(static_cast<Check>(i))) rejected_.by_check[i] += change;
  }
  if (!failed.has(Check::kStatus)) return;
  const auto& scenario = progress_.scenario();
  const auto status = scenario.profiles[scenario.instances[instance].profile].status;
  rejected_.by_status[static_cast<std::size_t>(status)] += change;
}

void NearestIndex::catch_up() {
  const auto& history = progress_.history();
  for (; seen_ < history.size(); ++seen_) {
    const std::uint32_t instance = history[seen_].instance;
    // Several tasks in a row on one instance: once is enough.
    if (seen_ + 1 < history.size() && history[seen_ + 1].instance == instance) continue;
    const CheckSet failed = failing(instance);
    if (!(failed == failed_[instance])) {
      count(failed_[instance], instance, -1);
      count(failed, instance, 1);
      failed_[instance] = failed;
    }
    const std::uint64_t own = distance(instance, failed);
    if (own != distances_.key(instance)) distances_.set(instance, own);
  }
}

Failure NearestIndex::explain(const Turn& turn) {
  catch_up();
  std::vector<Rejection> rejections;
  for (const std::uint32_t instance : distances_.smallest(kNearMisses)) {
    rejections.push_back(filter_.reject(instance, progress_.states()[instance], provider_));
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

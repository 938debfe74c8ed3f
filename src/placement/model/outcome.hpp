#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lifetime.hpp"
#include "base/optional_index.hpp"
#include "placement/engine/checks.hpp"
#include "placement/engine/gpu_devices.hpp"
#include "placement/model/instance_state.hpp"
#include "placement/model/scenario.hpp"

namespace bayplan::placement {

/// One attempt to place one task. Ids are "<name of the workload>#<number>"; numbers count per name over the whole
/// scenario.
struct PlacementAttempt {
  std::uint32_t workload = 0;  ///< Index into Scenario::workloads.
  std::int64_t number = 0;
  std::int64_t step = 0;  ///< Position among all attempts, from 0.
  /// The one chosen for the task: position in Workload::capacity_providers; nothing = none. An outcome may outlive its
  /// scenario, so it has no view of the name.
  OptionalIndex capacity_provider;
  bool operator==(const PlacementAttempt&) const = default;
};

struct Placement {
  PlacementAttempt attempt;
  std::uint32_t instance = 0;       ///< Index into Scenario::instances.
  std::vector<ContainerGpus> gpus;  ///< GPU containers only.
  bool tied = false;
  bool operator==(const Placement&) const = default;
};

/// Clusters up to this size have every instance's reasons in a failure, larger ones the nearest misses.
inline constexpr std::size_t kFullExplanationLimit = 1'000;
inline constexpr std::size_t kNearMisses = 10;
/// After this many rows in all, failures of small clusters list only the nearest misses, too: thousands of failures
/// with a thousand rows each would fill the memory and say nothing new.
inline constexpr std::size_t kFullExplanationRows = 200'000;

/// Maximum number of placed tasks of a workload without a count.
inline constexpr std::int64_t kMaxThatFit = 10'000'000;

/// Whether one of the task's containers was given the device.
bool uses_device(const Placement& placement, std::uint32_t device);

/// A list that failures share: those that would list the same hold it once.
class Rejections {
 public:
  Rejections() = default;
  explicit Rejections(std::vector<Rejection> list)
      : list_(std::make_shared<const std::vector<Rejection>>(std::move(list))) {}

  std::size_t size() const { return list_ ? list_->size() : 0; }
  bool empty() const { return size() == 0; }
  const Rejection* begin() const { return list_ ? list_->data() : nullptr; }
  const Rejection* end() const { return begin() + size(); }
  const Rejection& front() const { return list_->front(); }
  const Rejection& operator[](std::size_t index) const { return (*list_)[index]; }
  bool operator==(const Rejections& other) const {
    return list_ == other.list_ || std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  std::shared_ptr<const std::vector<Rejection>> list_;
};

struct Failure {
  PlacementAttempt attempt;
  std::optional<std::uint32_t> same_as;  ///< Index into Outcome::failures: same requirement, nothing changed since.
  /// Nothing when no instance could be closest: none at all, none ACTIVE, or none of the capacity provider.
  std::optional<std::uint32_t> closest;
  Rejections instances;  ///< File order when all are there, else nearest first. Empty with `same_as`.
  RejectedCounts rejected;
  /// For a call that is placed as a whole or not at all: the number of its tasks that fit before one did not. That
  /// one is explained; `attempt` is the first of the call, with the capacity provider of the one that is explained.
  std::optional<std::int64_t> would_fit{};
  bool operator==(const Failure&) const = default;
};

/// What was placed of a call that was then given up as a whole.
struct Withdrawn {
  std::uint32_t failure = 0;  ///< Index into Outcome::failures.
  std::vector<Placement> placements;
  bool operator==(const Withdrawn&) const = default;
};

/// What an outcome rests on where ECS is silent, or the input. The words are the reports'.
struct PlacementFact {
  enum class Kind : std::uint8_t {
    kMemoryMeasured,          ///< `names`: instance types whose memory was measured on one instance.
    kMemoryOfSibling,         ///< `names`: types whose memory is that of a measured sibling.
    kMemoryModeled,           ///< `names`: types whose memory is that of the model of their class.
    kGpuMemoryEstimated,      ///< `names`: types of which a task asks for memory of a shared GPU.
    kCurrentAgent,            ///< Instances list no capabilities.
    kArchitectureNotStated,   ///< `names`: a workload without cpuArchitecture where both architectures are.
    kSubjectNotStated,        ///< `names`: what a constraint looks at and some instance does not state.
    kPolicy,                  ///< `names`: the policy that chooses in place of strategies.
    kRandomSeed,              ///< `count`: the seed of RunTask without a strategy.
    kZoneSpreadSecondKey,     ///< `names`: a workload that spreads over zones only.
    kSpreadAttributeAbsent,   ///< `names`: the attribute; `count`: instances without it.
    kSpreadAttributeNowhere,  ///< `names`: an attribute that no instance has, and the nearest one that some has.
    kZoneUnknown,             ///< `names`: the type of an instance without a zone, where zones matter.
    kTieDrawn,                ///< `count`: the seed of ties that are drawn.
    kTieOfScores,             ///< `count`: ties of equal scores of a policy.
    kTieFileOrder,            ///< `count`: ties after the last strategy.
    kAllOrNothing,            ///< `names`: a workload that is placed as a whole or not at all.
    kClosestInstance,         ///< A failure names the closest of several instances.
    kGpuEventText,            ///< The event of a service that lacks GPUs is worded after the others.
  };
  Kind kind = Kind::kMemoryMeasured;
  std::vector<std::string> names = {};
  std::int64_t count = 0;
  bool operator==(const PlacementFact&) const = default;
};

struct Outcome {
  std::vector<Placement> placements;  ///< The placements in order of attempts.
  std::vector<Failure> failures;      ///< The failures in order of attempts.
  /// For each workload without a count, in order of attempts: why no more of it fit. Not among the failures.
  std::vector<Failure> limits;
  std::vector<Withdrawn> withdrawn;      ///< Listed in order of failures.
  std::vector<InstanceState> instances;  ///< Final states; indexed like Scenario::instances.
  std::vector<PlacementFact> facts;      ///< What the placement rests on.
};

/// The placements on each instance: indices into Outcome::placements, in order. They share one list, because a list for
/// each of 100,000 instances takes longer to fill than the report takes to write.
class PlacementsByInstance {
 public:
  explicit PlacementsByInstance(const Outcome& outcome);

  std::span<const std::uint32_t> operator[](std::size_t instance) const {
    return std::span(placements_).subspan(begins_[instance], begins_[instance + 1] - begins_[instance]);
  }

 private:
  std::vector<std::uint32_t> begins_;  ///< One entry per instance, and the end of the last.
  std::vector<std::uint32_t> placements_;
};

/// The lists of an outcome that is not complete yet, as far as they have come.
struct OutcomeSoFar {
  std::span<const Placement> placements;
  std::span<const Failure> failures;
  std::span<const Failure> limits;
  std::span<const Withdrawn> withdrawn;

  OutcomeSoFar() = default;
  explicit OutcomeSoFar(const Outcome& outcome)
      : placements(outcome.placements),
        failures(outcome.failures),
        limits(outcome.limits),
        withdrawn(outcome.withdrawn) {}

  std::size_t attempts() const { return placements.size() + failures.size() + limits.size(); }
};

/// Watches a placement while it goes on; called by its thread.
class PlacementObserver {
 public:
  virtual ~PlacementObserver() = default;

  /// Nothing in `outcome` will change any more. Another thread may read it until `release`.
  virtual void follow(const OutcomeSoFar& outcome) = 0;

  /// A list of the outcome is about to move in memory. Returns when no thread reads what was passed to `follow`; the
  /// next `follow` passes all of it again.
  virtual void release() = 0;
};

std::string task_id(const Scenario& scenario, const PlacementAttempt& attempt);

/// Name of the capacity provider that was chosen for the task; empty = none. Views the scenario.
std::string_view capacity_provider_of(const Scenario& scenario BAYPLAN_LIFETIME_BOUND, const PlacementAttempt& attempt);
std::string gpu_id(const Scenario& scenario, std::uint32_t instance, std::uint32_t device);

/// The failure that holds the explanation: itself, or the one that it is the same as.
const Failure& explained(const Outcome& outcome, const Failure& failure);

/// How `instance` was rejected by `failure`, when the failure lists it.
const Rejection* find_rejection(const Failure& failure, std::uint32_t instance);

}  // namespace bayplan::placement

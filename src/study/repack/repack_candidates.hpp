#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "study/repack/repack.hpp"
#include "study/simulation/cluster_simulation.hpp"

namespace bayplan::study {

/// Resources of which every task takes a part: CPU, memory, whole GPUs, network interfaces.
inline constexpr std::size_t kDimensions = 4;
struct Amounts {
  std::int64_t of[kDimensions] = {};
};
/// "CPU", "MEMORY", "GPU", "ENI"
std::string_view name_of_dimension(std::size_t dimension);
Amounts to_amounts(const capacity::TaskRequirement& task);

/// What instances are, whatever is drained: whether they may be given back at all, and what they are worth.
class RepackCandidates {
 public:
  RepackCandidates(const ClusterSimulation& cluster, const RepackRequest& request);

  /// Why the instance cannot go at all; null when it can.
  const StayingInstances* blocked(std::uint32_t instance) const {
    return blocked_[instance] ? &*blocked_[instance] : nullptr;
  }
  std::vector<std::uint32_t> free() const;  ///< Returns the instances that can be drained, in order.
  /// USD in millionths an hour; of an instance without a known price the lowest that is known, for the order alone.
  std::int64_t weight(std::uint32_t instance) const { return weights_[instance]; }
  bool is_priced(std::uint32_t instance) const;
  /// Returns the capacity of the empty instance for tasks that can move or end, and what they use of it in the
  /// baseline.
  const Amounts& capacity(std::uint32_t instance) const { return capacities_[instance]; }
  const Amounts& taken(std::uint32_t instance) const { return taken_[instance]; }
  /// It is DRAINING, and nothing but daemons is left on it: only to be terminated.
  bool is_drained(std::uint32_t instance) const;

  OptionalIndex group_of(std::uint32_t instance) const { return groups_[instance]; }
  /// Returns how many instances of each group may be removed, for groups that state minSize.
  const std::vector<std::int64_t>& spare_of_groups() const { return spare_; }
  const std::string& provider_of_group(std::uint32_t group) const;

 private:
  std::optional<StayingInstances> block(std::uint32_t instance) const;
  void weigh();
  void measure(std::uint32_t instance);
  void count_groups();

  const ClusterSimulation& cluster_;
  const RepackRequest& request_;
  std::vector<std::optional<StayingInstances>> blocked_;
  std::vector<std::int64_t> weights_;
  std::vector<Amounts> capacities_;
  std::vector<Amounts> taken_;
  std::vector<OptionalIndex> groups_;
  std::vector<std::int64_t> spare_;
};

}  // namespace bayplan::study

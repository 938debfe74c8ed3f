#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "placement/engine/filters.hpp"
#include "placement/engine/nearest.hpp"
#include "placement/engine/occupancy.hpp"

namespace bayplan::placement {

/// One key for each entry; the smallest keys are found without a sort, equal ones in the order
/// of the entries.
class Tournament {
 public:
  /// The key of an entry that takes no part.
  static constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

  explicit Tournament(const std::vector<std::uint64_t>& keys);

  /// Makes room for at least `entries` entries; new ones take no part yet.
  void grow(std::size_t entries);

  std::uint64_t key(std::size_t entry) const { return nodes_[leaves_ + entry]; }
  void set(std::size_t entry, std::uint64_t key);

  /// The entries of the `count` smallest keys, smallest first.
  std::vector<std::uint32_t> smallest(std::size_t count) const;

 private:
  std::size_t leaves_;                ///< A power of two.
  std::vector<std::uint64_t> nodes_;  ///< Node i is the smaller of nodes 2i and 2i + 1; the root is node 1.
};

/// Why the tasks of one class find no place, kept from one failure to the next: what every instance fails and how
/// near it comes, brought up to date by what has changed since.
class NearestIndex {
 public:
  NearestIndex(const Occupancy& occupancy, const Filter& filter, std::uint32_t task_class);

  /// Does the same as `explain_failure` for all instances that have not left, with the nearest misses. The filter must
  /// know all profiles.
  Failure explain(const PlacementAttempt& attempt);

 private:
  /// What an instance was when it was last looked at.
  struct Standing {
    bool counts = false;  ///< Not before it has come, nor when it has left.
    InstanceStatus status = InstanceStatus::kActive;
    CheckSet failed;
    bool operator==(const Standing&) const = default;
  };

  Standing now(std::uint32_t instance) const;
  std::int64_t missing(std::uint32_t instance, Check first) const;
  std::uint64_t distance(std::uint32_t instance, CheckSet failed) const;
  CheckSet failing(std::uint32_t instance) const;
  void follow_cluster();
  void catch_up();
  void look_at(std::uint32_t instance);
  void set_distance(std::uint32_t instance, std::uint64_t distance);
  void count(const Standing& standing, std::int64_t change);

  const Occupancy& occupancy_;
  const Filter& filter_;
  const capacity::TaskRequirement& task_;
  std::uint32_t group_;
  std::string_view provider_;
  std::vector<CheckSet> lasting_;   ///< What profiles fail whatever runs there.
  std::vector<Standing> standing_;  ///< One entry per instance.
  RejectedCounts rejected_;
  Tournament distances_;
  std::vector<std::uint32_t> nearest_;  ///< The nearest as of the last failure.
  bool is_moved_ = true;                ///< They may be others by now.
  std::uint64_t seen_;                  ///< Position in the history.
  Rejections last_;
};

}  // namespace bayplan::placement

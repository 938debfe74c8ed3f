#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "base/assumption.hpp"
#include "base/units.hpp"
#include "placement/model/outcome.hpp"
#include "placement/model/scenario.hpp"

/// What an instance registers as memory is an estimate unless somebody states it: whether a fleet still holds its tasks
/// when all of it comes out lowest.
namespace bayplan::study {

/// A type of the fleet whose memory is an estimate.
struct EstimatedMemory {
  std::string instance_type;
  MiB memory = 0;  ///< Planned with, reserved memory taken off.
  MiB error = 0;   ///< It may be so much less: catalog::InstanceType::memory_error.
};

/// Tasks of one service or family, daemons among them.
struct UncertainTasks {
  std::string name;
  std::int64_t count = 0;
};

struct MemoryUncertainty {
  std::vector<EstimatedMemory> types;  ///< Sorted by name; empty when nothing is estimated.
  std::int64_t orders = 0;             ///< Launch orders that the fleet was tried in, each estimate at its least.
  std::int64_t failing_orders = 0;     ///< Number of orders that leave tasks unplaced.
  std::vector<UncertainTasks> without_place;  ///< Unplaced tasks in the launch order that leaves most.
  std::vector<Assumption> assumptions;        ///< memory-estimated

  std::int64_t tasks() const;
};

/// `filled`: at time 0, with the instances of a fleet that holds its tasks in the first `orders` launch orders. Fewer
/// of them are tried where there are many tasks, one at least.
MemoryUncertainty memory_uncertainty(const placement::Scenario& filled, std::int64_t orders);

/// Whether an instance has less memory left than its estimate may be wrong by. If none has, all tasks fit where they
/// are even if every instance registers the least.
bool rests_on_estimated_memory(const placement::Scenario& scenario, const placement::Outcome& outcome);

}  // namespace bayplan::study

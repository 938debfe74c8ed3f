#pragma once
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "placement/chooser.hpp"
#include "placement/class_index.hpp"
#include "placement/nearest_index.hpp"
#include "placement/occupancy.hpp"

namespace bayplan::placement {

/// Chooses with an index for each task class, made at its first turn and dropped after its last.
class IndexChooser : public Chooser {
 public:
  explicit IndexChooser(const Occupancy& occupancy);

  std::optional<Choice> choose(std::uint32_t task_class) override;
  Failure explain(const Turn& turn, std::uint32_t task_class, bool in_full) override;
  void forget(std::uint32_t workload) override;
  void start_over() override;

 private:
  /// What is known of one class; the index refers to the others.
  struct Known {
    Known(const Occupancy& occupancy, std::uint32_t workload, ProfileChecks& checks);
    Filter filter;
    Chain chain;
    std::unique_ptr<ClassIndex> index;
    std::unique_ptr<NearestIndex> nearest;
  };

  Known& known(std::uint32_t task_class);
  const Cells& cells_for(const std::vector<std::string>& attributes);
  RemainingOrder& order_for(const Cells& cells, const std::vector<Strategy>& fields);

  const Occupancy& occupancy_;
  std::mt19937_64 generator_;
  std::uint64_t frees_ = 0;  ///< Of the history, as of the last start.
  std::unique_ptr<ProfileChecks> checks_;
  std::map<std::vector<std::string>, std::unique_ptr<const Cells>> cells_;
  std::vector<std::unique_ptr<RemainingOrder>> orders_;
  std::vector<std::unique_ptr<Known>> known_;  ///< By task class; refers to the cells and orders, so it comes last.
};

}  // namespace bayplan::placement

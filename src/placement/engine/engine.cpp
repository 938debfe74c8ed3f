#include "placement/engine/engine.hpp"

#include <utility>

#include "placement/engine/attempts.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/engine/policy_chooser.hpp"

namespace bayplan::placement {

Outcome place(const Scenario& scenario, PlacementObserver* observer) {
  Progress progress(scenario, observer);
  const auto chooser = make_chooser(progress.occupancy());
  run_attempts(progress, *chooser);
  return std::move(progress).finish();
}

}  // namespace bayplan::placement

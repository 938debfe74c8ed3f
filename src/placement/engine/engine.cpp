#include "placement/engine/engine.hpp"

#include "placement/engine/attempts.hpp"
#include "placement/engine/index_engine.hpp"

namespace bayplan::placement {

Outcome place(const Scenario& scenario) {
  Progress progress(scenario);
  IndexChooser chooser(progress.occupancy());
  run_attempts(progress, chooser);
  return std::move(progress).finish();
}

}  // namespace bayplan::placement

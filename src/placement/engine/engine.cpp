#include "placement/engine/engine.hpp"

#include "placement/engine/index_engine.hpp"
#include "placement/engine/turns.hpp"

namespace bayplan::placement {

Outcome place(const Scenario& scenario) {
  Progress progress(scenario);
  IndexChooser chooser(progress.occupancy());
  take_turns(progress, chooser);
  return std::move(progress).finish();
}

}  // namespace bayplan::placement

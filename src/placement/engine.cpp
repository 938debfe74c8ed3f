#include "placement/engine.hpp"

#include "placement/index_engine.hpp"
#include "placement/turns.hpp"

namespace bayplan::placement {

Outcome place(const Scenario& scenario) {
  Progress progress(scenario);
  IndexChooser chooser(progress.occupancy());
  take_turns(progress, chooser);
  return std::move(progress).finish();
}

}  // namespace bayplan::placement

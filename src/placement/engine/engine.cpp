#include "placement/engine/engine.hpp"

#include "placement/engine/attempts.hpp"
#include "placement/engine/index_engine.hpp"
#include "placement/engine/policy_chooser.hpp"

namespace bayplan::placement {

Outcome place(const Scenario& scenario) {
  Progress progress(scenario);
  if (scenario.policy) {
    PolicyChooser chooser(progress.occupancy());
    run_attempts(progress, chooser);
  } else {
    IndexChooser chooser(progress.occupancy());
    run_attempts(progress, chooser);
  }
  return std::move(progress).finish();
}

}  // namespace bayplan::placement

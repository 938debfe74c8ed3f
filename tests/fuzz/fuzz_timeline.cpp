// Bytes as the choices of one who writes a scenario over time, of every feature: what happens breaks no rule that any
// run must keep, stands up to its own check, is what the plain simulator of the tests does, and is the same again.
#include <cstddef>
#include <cstdint>

#include "drawn.hpp"
#include "fuzz.hpp"
#include "timeline/difference.hpp"
#include "timeline/history_walk.hpp"
#include "timeline/plain_timeline.hpp"
#include "timeline/random_timeline.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify_history.hpp"

using namespace bayplan;
using namespace bayplan::timeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto scenario = Drawn<placement::build::RandomTimeline>(data, size, 1).make();
  const auto history = simulate(scenario);
  const auto mistakes = verify(scenario, history);
  require(mistakes.empty(), mistakes.empty() ? "" : mistakes.front());
  const auto fault = HistoryWalk(scenario, history).find_fault();
  require(fault.empty(), fault);
  const auto again = difference(scenario, history, simulate(scenario));
  require(again.empty(), "again: " + again);
  const auto plain = difference(scenario, history, simulate_plainly(scenario));
  require(plain.empty(), plain);
  return 0;
}

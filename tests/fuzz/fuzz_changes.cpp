// Bytes as the choices of one who writes a cluster and what happens to it: the cluster simulation does what a copy
// placed plainly does and is undone to the byte; a plan to give instances back stands up to its own account book.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "drawn.hpp"
#include "fuzz.hpp"
#include "placement/engine/engine.hpp"
#include "study/plain_what_if.hpp"
#include "study/random_events.hpp"
#include "study/read_simulation.hpp"
#include "study/repack/repack.hpp"
#include "study/service_cluster.hpp"
#include "study/simulation/simulation_check.hpp"

using namespace bayplan;
using namespace bayplan::study;
using placement::Scenario;

namespace {

void require_none(const std::vector<std::string>& mistakes) {
  require(mistakes.empty(), mistakes.empty() ? "" : mistakes.front());
}

void check_events(const Scenario& given, RandomEvents& random) {
  auto counted = given;
  for (auto& workload : counted.workloads) workload.count = workload.count.value_or(0);
  const auto outcome = placement::place(counted);
  ClusterSimulation cluster(given, outcome);
  for (int i = 0; i < 2; ++i) {
    const auto events = random.events(given);
    cluster.apply(events, true);
    require_none(find_mismatches(cluster, outcome));
    const auto wrong = difference(read(cluster), plain_what_if(given, events));
    require(wrong.empty(), wrong);
    cluster.rollback();
  }
}

void prepare(Scenario& given) {
  RandomEvents::count_and_name(given);
  RandomEvents::set_prices(given);
}

void check_plan(const Scenario& given, std::uint8_t choice) {
  RepackRequest request;
  request.effort = 300;
  if (choice % 5 == 1) request.max_moves = choice % 7;
  request.keeps_zones = choice % 3 == 2;
  request.waits_for_tasks = choice % 4 == 3;
  request.together = choice % 7 == 4 ? 1 : 10;
  const auto plan = repack(given, request);
  require_none(plan.mistakes);
  require_none(plan.withdrawn);
  require(!request.max_moves || plan.moves <= *request.max_moves, "more moves than were allowed");
  require(!plan.limit || plan.saving <= plan.limit->saving, "saves more than can be");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr placement::build::RandomSize kSizes[] = {{9, 6, 6}, {6, 3, 12}};
  if (data[0] % 4 == 0) {
    auto given = Drawn<ServiceCluster>(data + 2, size - 2, 1, 8).make();
    prepare(given);
    check_plan(given, data[1]);
    return 0;
  }
  Drawn<RandomEvents> random(data + 2, size - 2, 1, kSizes[data[0] / 4 % 2]);
  auto given = random.make();
  if (data[0] / 8 % 2 == 0) RandomEvents::make_large(given);
  if (data[0] / 16 % 3 == 0) given = as_live(given, random.some());
  random.vary_percents(given);
  if (data[0] % 4 != 1) return check_events(given, random), 0;
  prepare(given);
  check_plan(given, data[1]);
  return 0;
}

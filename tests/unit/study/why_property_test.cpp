#include <map>
#include <set>

#include "catch.hpp"
#include "placement/plain_engine.hpp"
#include "placement/random_scenario.hpp"
#include "placement/verify.hpp"
#include "report/why_words.hpp"
#include "study/trial.hpp"
#include "study/why.hpp"

namespace {

using namespace bayplan;
using namespace bayplan::placement;
using study::Why;

constexpr std::uint64_t kScenarios = 400;

std::map<std::string, std::int64_t> groups_on(const InstanceState& state, const Groups& groups) {
  std::map<std::string, std::int64_t> tasks;
  for (const auto& own : state.tasks_by_group) tasks[groups.name(own.group)] += own.tasks;
  return tasks;
}

/// A snapshot starts where the turn stood.
void check_snapshot(const Why& why) {
  const auto& scenario = why.snapshot->scenario;
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i) {
    Groups groups;
    const auto state = starting_state(scenario, i, groups);
    auto alike = state;
    const auto& stood = why.inquiry->standing().states[i];
    alike.tasks_by_group = stood.tasks_by_group;
    CHECK(alike == stood);
    CHECK(groups_on(state, groups) == groups_on(stood, why.inquiry->standing().groups));
  }
}

void check_funnel(const Why& why) {
  const auto& funnel = why.inquiry->funnel();
  std::int64_t left = funnel.instances;
  for (const auto& step : funnel.steps) {
    CHECK(step.removed > 0);
    left -= step.removed;
    CHECK(step.left == left);
  }
  CHECK(left == static_cast<std::int64_t>(funnel.candidates.size()));
  if (why.failure == nullptr) return;
  RejectedCounts counts;
  for (const auto& rejection : why.inquiry->rejections()) {
    for (const Check check : rejection.failed.list()) ++counts.by_check[static_cast<std::size_t>(check)];
  }
  CHECK(counts.by_check == why.failure->rejected.by_check);
}

/// The instance that a moved task goes to passes every check for it, as things stand.
void check_move(const Why& why, const study::MoveTask& move) {
  const auto& running = why.snapshot->scenario.running[move.task];
  CHECK(running.instance != move.to);
  const auto& placed_by = why.snapshot->placed_by[move.task];
  if (!placed_by) return;  // random scenarios name no definition of what ran before
  auto groups = why.inquiry->standing().groups;
  const auto& workload = why.inquiry->scenario().workloads[*placed_by];
  const Filter filter(why.inquiry->scenario(), groups, workload, groups.number(workload.group));
  CHECK(filter.passes(move.to, why.inquiry->standing().states[move.to], {}));
}

void check_remedy(const Why& why, const study::Remedy& remedy) {
  const auto changed = study::apply(study::base_of(remedy, *why.inquiry, *why.snapshot), remedy.change);
  const auto outcome = place_plainly(changed);
  CHECK(verify(changed, outcome).empty());
  CHECK_FALSE(report::remedy_text(why, remedy).empty());
  if (const auto* move = std::get_if<study::MoveTask>(&remedy.change)) check_move(why, *move);
  if (remedy.at_its_turn) {
    CHECK(outcome.failures.empty());
    REQUIRE(outcome.placements.size() == 1);
    CHECK(outcome.placements.front().instance == remedy.instance);
    return;
  }
  const auto asked = study::asked_task(why.inquiry->outcome(), why.inquiry->turn());
  CHECK(study::instance_of(outcome, asked).has_value());
  CHECK(outcome.failures.size() < why.inquiry->outcome().failures.size());
  CHECK(static_cast<std::int64_t>(outcome.failures.size()) == remedy.still_unplaced);
}

}  // namespace

TEST_CASE("why - over random scenarios the funnel adds up and every remedy places the task with the plain engine") {
  const auto catalog = catalog::Catalog::load();
  std::map<std::string_view, int> kinds;
  int placed = 0;
  for (std::uint64_t seed = 0; seed < kScenarios; ++seed) {
    const auto scenario = build::RandomScenario(seed, {.instances = 7, .workloads = 6, .count = 6}).make();
    const auto outcome = place_plainly(scenario);
    for (std::uint32_t workload = 0; workload < scenario.workloads.size(); ++workload) {
      const auto turn = study::turn_to_explain(outcome, workload);
      if (!turn || scenario.workloads[workload].kind == WorkloadKind::kDaemon) continue;
      CAPTURE(seed, workload);
      const auto why = study::ask_why(scenario, outcome, *turn, seed % 8 == 0 ? &catalog : nullptr);
      CHECK(why.mistakes == std::vector<std::string>{});
      check_funnel(why);
      CHECK(why.instance.has_value() == !why.inquiry->funnel().candidates.empty());
      CHECK(why.instance.has_value() == (why.failure == nullptr));
      placed += why.instance ? 1 : 0;
      if (why.instance) continue;
      check_snapshot(why);
      for (const auto& remedy : why.remedies.list) {
        CAPTURE(report::remedy_text(why, remedy));
        check_remedy(why, remedy);
        ++kinds[report::remedy_kind(remedy)];
      }
    }
  }
  CHECK(placed > 100);
  for (const std::string_view kind : {"hostPort", "strategy", "move", "wait", "size", "constraint", "subnet",
                                      "capacityProvider", "instance", "attribute", "addInstance"}) {
    CAPTURE(kind);
    CHECK(kinds[kind] > 0);
  }
}

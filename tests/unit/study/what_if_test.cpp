#include "study/whatif/what_if.hpp"
#include "catch.hpp"
#include "environment.hpp"
#include "placement/build.hpp"
#include "study/random_events.hpp"

namespace bayplan::study::what_if_test {
namespace {

using namespace placement;
using namespace placement::build;

Variant variant(std::vector<InstantEvent> events) {
  Variant made;
  made.events = std::move(events);
  return made;
}

using Reasons = std::vector<std::pair<std::string, std::int64_t>>;

/// Two instances of 4 GPUs in each of two zones, filled by 6 tasks of 2.
Scenario two_zones() {
  auto made = scenario_with({instance("g", 4096, 8000, {4}, "a"), instance("g", 4096, 8000, {4}, "a"),
                             instance("g", 4096, 8000, {4}, "b"), instance("g", 4096, 8000, {4}, "b")},
                            {service("infer", with_gpus(needs(256, 500), {2}), 6)});
  return made;
}

TEST_CASE("tasks of a lost zone start elsewhere while there is room") {
  const auto given = two_zones();
  WhatIf what_if(given);
  CHECK(what_if.baseline().unplaced() == 0);
  CHECK(what_if.baseline().names.front().zones == std::vector<std::string>{"a", "b"});
  const auto lost = what_if.evaluate(variant({TerminateInstances{{0, 1}}}));
  const auto& infer = lost.names.front();
  CHECK(infer.desired == 6);
  CHECK(infer.before == 6);
  CHECK(infer.after == 4);
  CHECK(infer.moves == 1);
  CHECK(infer.zones == std::vector<std::string>{"b"});
  CHECK(infer.reasons == Reasons{{"RESOURCE:GPU", 2}});
  REQUIRE(infer.failure);
  CHECK(lost.scenario->instances[*infer.failure->closest].id == "g#3");
  CHECK(lost.summary.instances == 2);
  CHECK(lost.summary.gpu.free == 0);
  const auto again = what_if.evaluate(variant({}));
  CHECK(again.unplaced() == 0);
  CHECK(again.summary.gpu.free == 4);
  CHECK(what_if.mistakes().empty());
}

TEST_CASE("a drain holds what healthy percents keep") {
  auto given = two_zones();
  WhatIf usual(given);
  const auto drained = usual.evaluate(variant({DrainInstances{{0, 1}}}));
  CHECK(drained.names.front().after == 4);
  CHECK(drained.names.front().held == 2);
  CHECK(drained.held_drains.size() == 2);
  CHECK(drained.names.front().reasons == Reasons{{"RESOURCE:GPU", 2}});
  given.workloads.front().maximum_percent = 100;
  WhatIf stuck(given);
  const auto held = stuck.evaluate(variant({DrainInstances{{0, 1}}}));
  CHECK(held.names.front().after == 3);
  CHECK(held.names.front().held == 3);
  CHECK(held.names.front().moves == 0);
  CHECK(held.names.front().reasons == Reasons{{"held", 3}});
  given.workloads.front().minimum_healthy_percent = 50;
  WhatIf halves(given);
  const auto moved = halves.evaluate(variant({DrainInstances{{0, 1}}}));
  CHECK(moved.names.front().after == 4);
  CHECK(moved.names.front().held == 0);
}

TEST_CASE("a call that is placed as a whole starts again as a whole or not at all") {
  auto task = run_task("train", with_gpus(needs(256, 500), {4}), 2);
  task.all_or_nothing = true;
  const auto given = scenario_with({instance("g", 4096, 8000, {4}, "a"), instance("g", 4096, 8000, {4}, "a")}, {task});
  WhatIf what_if(given);
  CHECK(what_if.evaluate(variant({TerminateInstances{{1}}})).names.front().after == 0);
  AddInstances one{{instance("g", 4096, 8000, {4}, "b")}, {{"new", 0}}};
  const auto saved = what_if.evaluate(variant({TerminateInstances{{1}}, one}));
  CHECK(saved.names.front().after == 2);
  CHECK(saved.names.front().moves == 1);
}

TEST_CASE("scaling takes and gives back places") {
  auto given = two_zones();
  given.workloads.push_back(run_task("batch", with_gpus(needs(256, 500), {2}), 3));
  WhatIf what_if(given);
  CHECK(what_if.baseline().unplaced() == 1);
  const auto less = what_if.evaluate(variant({Scale{{0}, 4}}));
  CHECK(less.names[0].desired == 4);
  CHECK(less.names[0].after == 4);
  CHECK(less.names[1].after == 3);
  const auto more = what_if.evaluate(variant({Scale{{0}, 7}, Scale{{1}, 1}}));
  CHECK(more.names[0].after == 7);
  CHECK(more.names[1].after == 1);
  CHECK(more.unplaced() == 0);
}

TEST_CASE("room is counted last and takes nothing") {
  auto given = two_zones();
  given.workloads.push_back(run_task("more", with_gpus(needs(256, 500), {1}), 0));
  given.workloads.back().count.reset();
  WhatIf what_if(given);
  REQUIRE(what_if.baseline().room.size() == 1);
  CHECK(what_if.baseline().room.front().more == 4);
  CHECK(what_if.baseline().summary.gpu.free == 4);
  CHECK(what_if.evaluate(variant({TerminateInstances{{0}}})).room.front().more == 0);
}

bool equal(const NameResult& a, const NameResult& b) {
  return a.name == b.name && a.desired == b.desired && a.before == b.before && a.after == b.after && a.held == b.held &&
         a.stays == b.stays && a.moves == b.moves && a.zones == b.zones && a.reasons == b.reasons;
}

bool equal(const VariantResult& a, const VariantResult& b) {
  const auto figures = [](const Summary& own) {
    return std::tuple(own.placed, own.unplaced, own.provisioning, own.instances, own.instances_used, own.cpu.reserved,
                      own.memory.reserved, own.gpu_devices.reserved, own.gpu.free, own.gpu.largest_free_block,
                      own.gpu.stranded, own.ties);
  };
  return figures(a.summary) == figures(b.summary) && a.held_drains == b.held_drains && a.moves == b.moves &&
         std::equal(a.names.begin(), a.names.end(), b.names.begin(), b.names.end(),
                    [](const auto& x, const auto& y) { return equal(x, y); }) &&
         std::equal(a.room.begin(), a.room.end(), b.room.begin(), b.room.end(),
                    [](const auto& x, const auto& y) { return x.more == y.more; });
}

Variant one_more() {
  const auto added = instance("h", 4096, 8000, {4}, "b");
  return variant({AddInstances{{added}, {{"h#1", 0}}}});
}

TEST_CASE("instances that one variant adds are no loss of the next") {
  const auto given = two_zones();
  WhatIf what_if(given);
  const auto more = what_if.evaluate(one_more());
  CHECK(more.gone.empty());
  CHECK(more.scenario->instances.back().id == "h#1");
  const auto drained = what_if.evaluate(variant({DrainInstances{{0}}, TerminateInstances{{2}}}));
  CHECK(drained.gone == std::vector<std::uint32_t>{2});
}

TEST_CASE("a result keeps the scenario that it speaks of") {
  const auto given = two_zones();
  auto what_if = std::make_unique<WhatIf>(given);
  auto asked = one_more();
  asked.changes.emplace_back(ChangeStrategy{{}, {{StrategyType::kBinpack, "memory"}}});
  const auto result = what_if->evaluate(asked);
  what_if.reset();
  CHECK(result.scenario.use_count() == 1);
  REQUIRE(result.scenario->instances.size() == 5);
  CHECK(result.scenario->instances.back().id == "h#1");
  CHECK(result.scenario->workloads.front().strategies.size() == 1);
}

TEST_CASE("what was undone leaves no trace") {
  for (std::uint64_t seed = 0; seed < random_cases(400); ++seed) {
    RandomEvents random(seed, seed % 2 == 0 ? RandomSize{9, 6, 6} : RandomSize{40, 10, 30});
    const auto given = random.make();
    WhatIf used(given);
    INFO("seed " << seed);
    for (int i = 0; i < 6; ++i) {
      const auto next = variant(random.events(given));
      const auto told = used.evaluate(next);
      WhatIf fresh(given);
      REQUIRE(equal(told, fresh.evaluate(next)));
      const auto effect = used.effect(next);
      REQUIRE(effect == fresh.effect(next));
      REQUIRE(effect.unplaced == told.unplaced());
      REQUIRE(effect.held == told.held());
      REQUIRE(effect.moves == told.moves);
      for (const auto& name : told.names) {
        std::int64_t sum = 0;
        for (const auto& [reason, count] : name.reasons) sum += count;
        REQUIRE(sum == name.unplaced());
      }
    }
    REQUIRE(used.mistakes().empty());
  }
}

}  // namespace
}  // namespace bayplan::study::what_if_test

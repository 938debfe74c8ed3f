#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "catch.hpp"
#include "environment.hpp"
#include "placement/build.hpp"
#include "placement/random_scenario.hpp"

// What holds for every cluster and task: the order of the instances decides ties and nothing else; more capacity places
// no fewer tasks where all are alike, and may place fewer where they are not.

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

/// The same cluster with its instances, and what runs there, in another order.
Scenario reordered(const Scenario& given, std::mt19937_64& random) {
  std::vector<std::uint32_t> order(given.instances.size());
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin(), order.end(), random);
  Scenario made = given;
  made.running.clear();
  for (std::uint32_t to = 0; to < order.size(); ++to) {
    made.instances[to] = given.instances[order[to]];
    if (!given.in_use.empty()) made.in_use[to] = given.in_use[order[to]];
    for (auto task : given.running) {
      if (task.instance != order[to]) continue;
      task.instance = to;
      made.running.push_back(task);
    }
  }
  return made;
}

/// The cluster with one workload alone, dealt to no capacity provider.
Scenario alone(const Scenario& given, Workload workload, std::int64_t count) {
  Scenario made = given;
  workload.kind = WorkloadKind::kTasks;
  workload.count = count;
  workload.all_or_nothing = false;
  workload.capacity_providers.clear();
  made.workloads = {std::move(workload)};
  made.calls.clear();
  return made;
}

std::vector<Constraint> distinct_too(std::vector<Constraint> constraints) {
  constraints.push_back(distinct_instance());
  return constraints;
}

/// As many tasks as there are instances, no two on one: what they get is every instance that one of them may go to.
std::set<std::string> eligible(const Scenario& given, Workload workload) {
  workload.constraints = distinct_too(workload.constraints);
  const auto asked = alone(given, std::move(workload), static_cast<std::int64_t>(given.instances.size()));
  std::set<std::string> ids;
  for (const auto& placement : place(asked).placements) ids.insert(asked.instances[placement.instance].id);
  return ids;
}

std::size_t placed(const Scenario& given) {
  return place(given).placements.size();
}

/// The cluster and one more instance behind the others.
Scenario with_one_more(Scenario given, const InstanceProfile& profile) {
  given.instances.push_back({"more#1", static_cast<std::uint32_t>(given.profiles.size())});
  given.profiles.push_back(profile);
  if (!given.in_use.empty()) given.in_use.emplace_back();
  return given;
}

/// A random instance beside the random cluster.
class More : public RandomScenario {
 public:
  using RandomScenario::RandomScenario;
  InstanceProfile instance() { return random_instance(); }
};

}  // namespace

TEST_CASE("properties of placement - eligible instances do not depend on their order") {
  const auto cases = from_environment("BAYPLAN_ENGINE_CASES", random_cases(300));
  std::size_t some = 0;
  std::size_t none = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const auto given = RandomScenario(seed, {20, 4, 4}).make();
    std::mt19937_64 random(seed);
    const auto other = reordered(given, random);
    for (const auto& workload : given.workloads) {
      INFO("seed " << seed << ", " << workload.name);
      const auto ids = eligible(given, workload);
      REQUIRE(ids == eligible(other, workload));
      (ids.empty() ? none : some) += 1;
    }
  }
  CHECK(some > 0);
  CHECK(none > 0);
}

TEST_CASE("properties of placement - one more instance never places fewer tasks that are alike") {
  const auto cases = from_environment("BAYPLAN_ENGINE_CASES", random_cases(300));
  std::size_t more = 0;
  std::size_t as_many = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    More random(seed, {9, 4, 4});
    const auto given = random.make();
    const auto profile = random.instance();
    for (const auto& workload : given.workloads) {
      if (workload.kind == WorkloadKind::kDaemon || workload.requirement.memory == 0) continue;
      INFO("seed " << seed << ", " << workload.name);
      const auto asked = alone(given, workload, 40);
      const auto before = placed(asked);
      const auto after = placed(with_one_more(asked, profile));
      REQUIRE(after >= before);
      (after > before ? more : as_many) += 1;
    }
  }
  CHECK(more > 0);
  CHECK(as_many > 0);
}

// The smallest that there is: what took room on the old instance goes to the new one, a large task finds room where it
// had none, and keeps small ones out. docs/zoo.md shows it.
TEST_CASE("properties of placement - one more instance may place fewer tasks that differ") {
  const auto task = [](const char* name, MiB memory, std::int64_t count, const Strategy& strategy) {
    return run_task(name, needs(0, memory), count, {strategy});
  };
  const auto counts = [](MiB old_memory, MiB new_memory, std::vector<Workload> tasks) {
    const auto before = scenario_with({instance("m5.large", 2048, old_memory)}, std::move(tasks));
    return std::pair(placed(before), placed(with_one_more(before, instance("t3.small", 2048, new_memory))));
  };
  using Counts = std::pair<std::size_t, std::size_t>;
  const auto packed = binpack("memory");
  CHECK(counts(3000, 1000, {task("a", 1000, 1, packed), task("large", 3000, 1, packed), task("b", 1000, 2, packed)}) ==
        Counts{3, 2});
  const auto spread_out = spread("instanceId");
  CHECK(counts(4000, 1000,
               {task("a", 1000, 2, spread_out), task("large", 3000, 1, spread_out), task("b", 1000, 2, spread_out)}) ==
        Counts{4, 3});
}

namespace {

/// Small tasks in great number and large ones among them, on a few instances.
Scenario mixed(std::uint64_t seed, const Strategy& strategy) {
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t bound) { return static_cast<std::int64_t>(draw(random, bound)); };
  std::vector<InstanceProfile> cluster;
  for (std::int64_t i = 0, count = 1 + below(3); i < count; ++i)
    cluster.push_back(instance("m5.large", 8192, 1000 * (2 + below(7))));
  std::vector<Workload> tasks;
  for (std::int64_t i = 0, count = 3 + below(6); i < count; ++i) {
    const bool is_large = below(3) == 0;
    const MiB memory = is_large ? 1000 * (3 + below(5)) : 500 * (1 + below(2));
    tasks.push_back(run_task("t" + std::to_string(i), needs(0, memory), is_large ? 1 : 1 + below(6), {strategy}));
  }
  auto made = scenario_with(std::move(cluster), std::move(tasks));
  made.seed = seed;
  return made;
}

/// Of so many clusters those in which one more instance places fewer.
std::uint64_t places_fewer(std::uint64_t cases, const Strategy& strategy) {
  std::uint64_t fewer = 0;
  for (std::uint64_t seed = 0; seed < cases; ++seed) {
    const auto before = mixed(seed, strategy);
    const auto more = instance("t3.small", 8192, 1000 * (1 + static_cast<MiB>(seed % 3)));
    if (placed(with_one_more(before, more)) < placed(before)) ++fewer;
  }
  return fewer;
}

}  // namespace

TEST_CASE("properties of placement - how often one more instance places fewer") {
  const auto cases = from_environment("BAYPLAN_ENGINE_CASES", random_cases(1000));
  const auto packed = places_fewer(cases, binpack("memory"));
  const auto spread_out = places_fewer(cases, spread("instanceId"));
  const auto at_random = places_fewer(cases, {StrategyType::kRandom, {}});
  if (std::getenv("BAYPLAN_ENGINE_CASES") != nullptr) {
    WARN("of " << cases << " clusters one more instance places fewer tasks in " << packed << " by binpack, "
               << spread_out << " by spread, " << at_random << " at random");
  }
  for (const auto fewer : {packed, spread_out, at_random}) {
    CHECK(fewer >= at_least<std::uint64_t>(1));
    CHECK(fewer * 5 < cases);
  }
}

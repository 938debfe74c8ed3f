#include "fleet/ideal/equivalent_tasks.hpp"

#include <random>

#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/recommended/launch_trials.hpp"
#include "placement/engine/engine.hpp"
#include "placement/model/random.hpp"

namespace bayplan::fleet {
namespace {

using placement::Scenario;
using placement::Workload;
using placement::build::binpack;
using placement::build::constrained;
using placement::build::distinct_instance;
using placement::build::member_of;
using placement::build::needs;
using placement::build::run_task;
using placement::build::service;
using placement::build::spread;
using placement::build::with_gpus;
using placement::build::with_mps;
using placement::build::with_tcp;

/// Two types; tasks that may take GPUs, interfaces, host ports, an instance each; a daemon beside them.
class RandomAlike {
 public:
  explicit RandomAlike(std::uint64_t seed) : random_(seed) {}

  Market market() {
    Market market = by_hand::market(
        {{"a", 1, 1024 * (1 + number(8)), 2048 * (1 + number(6)), number(5)}, {"b", 2, 16'384, 32'768, number(9)}});
    for (Offer& offer : market.offers) offer.profile.gpu_memory = 16'000;
    return market;
  }

  Scenario tasks() {
    const CpuUnits cpu = 256 * number(8);
    const MiB memory = 512 * (1 + number(6));
    auto task = needs(cpu, memory);
    const auto form = number(8);
    if (form == 0) task = with_gpus(task, {1});
    if (form == 1) task = with_gpus(task, {2, 1});
    if (form == 2) task = with_mps(task, {5000, 7000});
    if (form == 3) task = with_tcp(task, {8080});
    if (form == 4) task.network_interfaces = 1;
    const auto count = 1 + number(30);
    Workload own = number(2) == 0 ? service("own", task, count) : run_task("own", task, count, {});
    if (number(5) == 0) own.constraints.push_back(distinct_instance());
    if (number(5) == 0) own.constraints.push_back(member_of("attribute:ecs.instance-type == a"));
    if (number(2) == 0) return by_hand::tasks({own});
    Workload daemon = service("agent", needs(128, 256), 1);
    daemon.kind = placement::WorkloadKind::kDaemon;
    return by_hand::tasks({daemon, own});
  }

  std::int64_t number(std::uint64_t bound) { return static_cast<std::int64_t>(placement::draw(random_, bound)); }

 private:
  std::mt19937_64 random_;
};

TEST_CASE("alike tasks - as many find no place as the engine leaves, in every order and by every strategy") {
  std::int64_t left_over = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    RandomAlike random(seed);
    const Market market = random.market();
    Scenario tasks = random.tasks();
    FillRequest request;
    if (random.number(2) == 0) request.zones = {"us-east-1a", "us-east-1b"};
    REQUIRE(EquivalentTasks::are_equivalent(tasks, request));
    const Purchases fleet = {{0, "", 1 + random.number(4)}, {1, "", 1 + random.number(3)}};
    EquivalentTasks alike(tasks, market, request);
    const auto left = alike.left_over(fleet);
    left_over += left;
    for (const auto& strategies : {std::vector{binpack("memory")}, std::vector{spread("instanceId")}, {}}) {
      tasks.workloads[alike.workload()].strategies = strategies;
      const LaunchOrders orders(tasks);
      for (std::uint64_t order = 0; order < 3; ++order) {
        Scenario launched = with_purchases(tasks, market, dealt(fleet, request.zones), false);
        orders.set(launched, order);
        std::int64_t failed = 0;
        for (const auto& failure : placement::place(launched).failures)
          failed += failure.attempt.workload == alike.workload() ? 1 : 0;
        INFO("seed " << seed << " order " << order);
        CHECK(failed == left);
      }
    }
  }
  CHECK(left_over > 0);
}

TEST_CASE("alike tasks - what one instance takes is found out once") {
  const Market market = by_hand::market({{"a", 1, 4096, 8192, 0}});
  const Scenario tasks = by_hand::tasks({run_task("own", needs(1024, 1024), 1'000'000'000'000)});
  const FillRequest request;
  EquivalentTasks alike(tasks, market, request);
  CHECK(alike.left_over({{0, "", 10}}) == 1'000'000'000'000 - 40);
  const auto placed = alike.placed();
  CHECK(placed <= 5);
  CHECK(alike.left_over({{0, "", 250'000'000'000}}) == 0);
  CHECK(alike.placed() == placed);
}

TEST_CASE("alike tasks - not where one task may stand in the way of another elsewhere") {
  const auto own = run_task("own", needs(256, 512), 5);
  const auto other = run_task("other", needs(256, 512), 5);
  const auto is_alike = [](std::vector<Workload> workloads, const FillRequest& request = {}) {
    return EquivalentTasks::are_equivalent(by_hand::tasks(std::move(workloads)), request);
  };
  CHECK(is_alike({own}));
  CHECK_FALSE(is_alike({own, other}));
  CHECK_FALSE(is_alike({}));
  CHECK_FALSE(is_alike({constrained(own, {member_of("not(task:group == family:own)")})}));
  auto whole = own;
  whole.all_or_nothing = true;
  CHECK_FALSE(is_alike({whole}));
  auto dealt_out = own;
  dealt_out.capacity_providers = {{"one", 0, 1}, {"two", 0, 1}};
  CHECK_FALSE(is_alike({dealt_out}));
  auto idle = other;
  idle.count = 0;
  CHECK(is_alike({own, idle}));
  FillRequest request;
  request.keeps_cluster = true;
  CHECK_FALSE(is_alike({own}, request));
  request = {};
  request.survives_zone_loss = true;
  CHECK_FALSE(is_alike({own}, request));
}

}  // namespace
}  // namespace bayplan::fleet

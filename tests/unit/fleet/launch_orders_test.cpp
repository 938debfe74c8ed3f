#include "fleet/recommended/launch_trials.hpp"

#include <map>
#include <set>

#include "catch.hpp"
#include "fleet/by_hand.hpp"
#include "fleet/recommended/candidate_policies.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"

namespace bayplan::fleet {
namespace {

using placement::Scenario;
using placement::TaskOrder;
using placement::TieOrder;
using placement::build::needs;
using placement::build::run_task;
using placement::build::service;

std::map<std::uint32_t, std::int64_t> tasks_by_workload(const Scenario& scenario) {
  std::map<std::uint32_t, std::int64_t> counts;
  for (const auto& call : scenario.calls) counts[call.workload] += call.count;
  return counts;
}

std::vector<std::uint32_t> order_of(const Scenario& scenario) {
  std::vector<std::uint32_t> order;
  for (const auto& call : scenario.calls) order.push_back(call.workload);
  return order;
}

Scenario three_workloads() {
  return by_hand::tasks({service("web", needs(256, 512), 25), run_task("train", needs(512, 512), 12),
                         run_task("etl", needs(512, 1024), 7)});
}

TEST_CASE("order 0 is as written, the others start every task once, in an order that its number decides") {
  const Scenario scenario = three_workloads();
  const Scenario first = in_launch_order(scenario, 0);
  CHECK(first.calls.empty());
  CHECK(first.ties == TieOrder::kFile);
  CHECK(first.seed == scenario.seed);
  for (std::uint64_t order = 1; order < 10; ++order) {
    const Scenario launched = in_launch_order(scenario, order);
    CHECK(launched.ties == TieOrder::kDrawn);
    CHECK(tasks_by_workload(launched) == std::map<std::uint32_t, std::int64_t>{{0, 25}, {1, 12}, {2, 7}});
    CHECK(order_of(launched) == order_of(in_launch_order(scenario, order)));
  }
  CHECK(in_launch_order(scenario, 1).calls.size() == 3);
  CHECK(in_launch_order(scenario, 2).calls.size() == 6);
  CHECK(in_launch_order(scenario, 3).calls.size() == 44);
  CHECK(order_of(in_launch_order(scenario, 3)) != order_of(in_launch_order(scenario, 6)));
}

TEST_CASE("a call that is placed as a whole stays whole") {
  Scenario scenario = three_workloads();
  scenario.workloads[1].all_or_nothing = true;
  scenario.calls = {{1, 8, 0, std::nullopt}, {2, 7, 0, std::nullopt}, {1, 4, 0, std::nullopt}};
  const Scenario launched = in_launch_order(scenario, 3);
  std::vector<std::int64_t> whole;
  for (const auto& call : launched.calls) {
    if (call.workload == 1) whole.push_back(call.count);
  }
  std::sort(whole.begin(), whole.end());
  CHECK(whole == std::vector<std::int64_t>{4, 8});
}

TEST_CASE("a service that starts in parts is dealt to its capacity providers once") {
  auto spot = placement::build::instance("m5.large", 2048, 8000);
  spot.capacity_provider_name = "spot";
  auto base = placement::build::instance("m5.xlarge", 4096, 16'000);
  base.capacity_provider_name = "base";
  Scenario scenario = placement::build::scenario_with({spot, base}, {service("web", needs(128, 512), 9)});
  scenario.workloads[0].capacity_providers = {{"base", 3, 1}, {"spot", 0, 2}};
  const auto on_base = [&](std::uint64_t order) {
    const Scenario launched = in_launch_order(scenario, order);
    const auto outcome = placement::place(launched);
    CHECK(placement::verify(launched, outcome).empty());
    return std::count_if(outcome.placements.begin(), outcome.placements.end(),
                         [](const auto& placement) { return placement.instance == 1; });
  };
  CHECK(on_base(0) == 5);
  CHECK(on_base(3) == 5);
}

TEST_CASE("ties are drawn in large clusters, too, and instances stay where they are") {
  Scenario scenario = three_workloads();
  scenario.profiles = {placement::build::instance("m5.large", 2048, 8000)};
  for (int i = 0; i < 1'001; ++i) scenario.instances.push_back({"m5.large#" + std::to_string(i + 1), 0});
  for (std::uint64_t order = 1; order < 4; ++order) {
    const Scenario launched = in_launch_order(scenario, order);
    CHECK(launched.ties == TieOrder::kDrawn);
    for (std::size_t i = 0; i < launched.instances.size(); ++i)
      CHECK(launched.instances[i].id == scenario.instances[i].id);
  }
}

TEST_CASE("a tie order has the calls as written") {
  const Scenario scenario = three_workloads();
  Scenario launched = scenario;
  LaunchOrders(scenario).set_tie_order(launched, 22);
  CHECK(launched.calls.size() == scenario.calls.size());
  CHECK(launched.ties == TieOrder::kDrawn);
  CHECK(launched.seed == scenario.seed + 22);
}

TEST_CASE("ties against a fleet fall to each of its types in turn, in each way to draw an order") {
  Scenario scenario = three_workloads();
  scenario.profiles = {placement::build::instance("c5.large", 2048, 3800),
                       placement::build::instance("m5.large", 2048, 7800)};
  scenario.instances = {{"c5.large#1", 0}, {"m5.large#1", 1}, {"c5.large#2", 0}, {"m5.large#2", 1}};
  const LaunchOrders orders(scenario);
  std::map<std::string, std::set<std::size_t>> calls_by_first;
  for (std::uint64_t order = 21; order < 69; order += 4) {
    Scenario launched = scenario;
    orders.set_against(launched, order);
    CHECK(launched.ties == TieOrder::kFile);
    CHECK(launched.instances[0].profile == launched.instances[1].profile);
    CHECK(order_of(launched) == order_of(in_launch_order(scenario, order)));
    calls_by_first[launched.instances[0].id].insert(launched.calls.size());
  }
  const std::set<std::size_t> every_way = {3, 6, 44};
  CHECK(calls_by_first ==
        std::map<std::string, std::set<std::size_t>>{{"c5.large#1", every_way}, {"m5.large#1", every_way}});
  scenario.in_use = {{0, {}}};
  Scenario launched = scenario;
  orders.set_against(launched, 21);
  CHECK(launched.ties == TieOrder::kDrawn);
  CHECK(launched.instances[1].id == "m5.large#1");
}

TEST_CASE("policies that come to the same are tried once") {
  const Scenario alike = by_hand::tasks({run_task("a", needs(256, 512), 3), run_task("b", needs(256, 512), 2)});
  std::vector<std::string> names;
  for (const Policy& policy : candidate_policies(alike, 1, {})) names.push_back(policy.name);
  // Every call asks for binpack on memory as it is, there is one zone, and no call is larger than another.
  CHECK(names == std::vector<std::string>{"as written", "binpack:cpu", "spread:instanceId"});
  const auto all = candidate_policies(three_workloads(), 3, {});
  CHECK(all.size() == 12);
  CHECK(all[6].order == TaskOrder::kLargestFirst);
}

TEST_CASE("a policy gives its strategy to all but daemons, and its constraints to their workloads") {
  Scenario scenario = three_workloads();
  scenario.workloads[2].kind = placement::WorkloadKind::kDaemon;
  const Policy policy = {"binpack:cpu",
                         {placement::build::binpack("cpu")},
                         false,
                         TaskOrder::kLargestFirst,
                         {{1, placement::build::member_of("attribute:ecs.instance-type == m5.large")}}};
  const Scenario with = with_policy(scenario, policy);
  CHECK(with.order == TaskOrder::kLargestFirst);
  CHECK(with.workloads[0].strategies == policy.strategies);
  CHECK(with.workloads[1].strategies == policy.strategies);
  CHECK(with.workloads[2].strategies == scenario.workloads[2].strategies);
  CHECK(with.workloads[0].constraints.empty());
  CHECK(with.workloads[1].constraints.size() == 1);
}

}  // namespace
}  // namespace bayplan::fleet

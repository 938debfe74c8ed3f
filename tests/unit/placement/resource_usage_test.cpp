#include "placement/verify/resource_usage.hpp"

#include "catch.hpp"
#include "placement/build.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

/// Two tasks of which either takes the instance's one GPU, one port of each kind and half of the rest.
Scenario given() {
  auto task = with_tcp(with_gpus(needs(512, 1000), {1}), {80});
  task.udp_ports = {53};
  task.network_interfaces = 1;
  auto profile = instance("p", 1024, 2000, {1, 16000});
  profile.network_interfaces = 2;
  return scenario_with({profile}, {constrained(run_task("t", task, 2), {distinct_instance()})});
}

std::vector<Check> failing(ResourceUsage& usage) {
  return usage.failing(0, 0, {}).list();
}

}  // namespace

TEST_CASE("what a task gives back another may have") {
  const auto scenario = given();
  const auto& task = scenario.workloads[0].requirement;
  ResourceUsage usage(scenario);
  CHECK(failing(usage).empty());
  CHECK(usage.book(0, 0, {{0, {0}}}) == "");
  CHECK(failing(usage) == std::vector{Check::kPorts, Check::kGpu, Check::kDistinctInstance});
  CHECK(usage.leave_group(0, usage.number_of("family:t")) == "");
  CHECK(failing(usage) == std::vector{Check::kPorts, Check::kGpu});
  usage.give_back(0, task, {0});
  CHECK(failing(usage).empty());
  CHECK(usage.account(0).tasks == 0);
  CHECK(usage.account(0).cpu == 0);
  CHECK(usage.account(0).network_interfaces == 0);
}

TEST_CASE("an instance keeps what it reserves, whatever is given back") {
  auto scenario = given();
  scenario.profiles[0].reserved_tcp_ports = {22, 8080};
  auto task = scenario.workloads[0].requirement;
  task.tcp_ports = {80, 443};
  ResourceUsage usage(scenario);
  usage.give_back(0, task, {7});  // more than was ever booked, and a GPU that is not there
  CHECK(usage.account(0).tcp.has(22));
  CHECK(usage.account(0).tcp.has(8080));
  CHECK(usage.account(0).cpu == 0);
  CHECK(usage.account(0).gpus[0].untouched());
}

TEST_CASE("interfaces take attachments where the limit is shared") {
  for (const bool shared : {false, true}) {
    auto profile = with_attachments(instance("p", 1024, 2000), 3, shared);
    const auto given = scenario_with({profile}, {run_task("t", with_volume(with_interface(needs(1, 1))), 2)});
    ResourceUsage usage(given);
    CHECK(usage.book(0, 0, {}) == "");
    const auto failed = usage.failing(0, 0, {});
    CHECK(failed.has(Check::kEbsAttachment) == shared);
    CHECK(usage.shortfall(0, 0, failed).ebs_attachments == (shared ? 1 : 0));
    usage.give_back(0, given.workloads[0].requirement, {});
    CHECK(failing(usage).empty());
  }
}

TEST_CASE("a group that does not run on an instance cannot leave it") {
  const auto scenario = given();
  ResourceUsage usage(scenario);
  CHECK(usage.leave_group(0, usage.number_of("family:t")) == "leaves family:t, but none of it runs there");
  usage.book(0, 0, {{0, {0}}});
  usage.book(0, 0, {});
  CHECK(usage.account(0).tasks_of(usage.group_of(0)) == 2);
  CHECK(usage.leave_group(0, usage.number_of("family:t")) == "");
  CHECK(usage.account(0).tasks_of(usage.group_of(0)) == 1);
  CHECK(usage.leave_group(0, usage.number_of("family:t")) == "");
  CHECK(usage.leave_group(0, usage.number_of("family:t")) == "leaves family:t, but none of it runs there");
}

TEST_CASE("shares of a GPU are given back one by one") {
  const auto scenario = build::scenario_with(
      {instance("p", 1024, 2000, {1, 16000})},
      {run_task("m", with_mps(needs(1, 1), {6000}), 2), run_task("w", with_gpus(needs(1, 1), {1}), 1)});
  ResourceUsage usage(scenario);
  usage.book(0, 0, {{0, {0}}});
  usage.book(0, 0, {{0, {0}}});
  CHECK(failing(usage) == std::vector{Check::kGpu});
  usage.give_back(0, scenario.workloads[0].requirement, {0});
  CHECK(failing(usage).empty());
  CHECK(usage.account(0).gpus[0].shared_memory == 6000);
  CHECK(usage.failing(1, 0, {}).list() == std::vector{Check::kGpu});
}

TEST_CASE("what somebody unknown holds of a GPU stays taken while a known share of it is given back") {
  auto small = instance("g6f.large", 1024, 2000, {1, 3072});
  small.gpu_fraction_millionths = 250'000;
  auto made = build::scenario_with(
      {small, instance("p", 1024, 2000, {1, 16000})},
      {run_task("f", with_fraction(needs(1, 1), 125'000), 1), run_task("m", with_mps(needs(1, 1), {16000}), 1)});
  InstanceUse use;
  use.gpus = {{true, 0, 0}};
  use.tasks = 2;
  made.in_use = {use, use};
  ResourceUsage usage(made);
  Groups groups;
  for (const std::uint32_t workload : {0u, 1u}) {
    CAPTURE(workload);
    const auto& task = made.workloads[workload].requirement;
    auto state = starting_state(made, workload, groups);
    CHECK(usage.failing(workload, workload, {}).list() == std::vector{Check::kGpu});
    CHECK_FALSE(gpus_fit(state.gpus, task));
    usage.give_back(workload, task, {0});
    give_back_gpus(state.gpus, task, {0});
    const bool is_free = workload == 0;  // the share of the one that went; who shares by MPS never held all
    CHECK(usage.failing(workload, workload, {}).empty() == is_free);
    CHECK(gpus_fit(state.gpus, task) == is_free);
    CHECK(state.gpus[0].state == GpuState::kDedicated);
  }
}

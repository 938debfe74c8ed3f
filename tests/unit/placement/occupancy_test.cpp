#include "placement/engine/occupancy.hpp"

#include "catch.hpp"
#include "placement/build.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::placement::build;

namespace {

Scenario one_instance(InstanceProfile profile, std::vector<capacity::TaskRequirement> tasks) {
  std::vector<Workload> workloads;
  for (auto& task : tasks) workloads.push_back(run_task("w" + std::to_string(workloads.size()), std::move(task), 1));
  return scenario_with({std::move(profile)}, std::move(workloads));
}

}  // namespace

TEST_CASE("what a task took is free again when it is given back, in any order") {
  auto fractional = instance("g", 4096, 8000, {2, 16'000});
  fractional.gpu_fraction_millionths = 250'000;
  const std::vector<Scenario> given{
      one_instance(instance("m", 4096, 8000),
                   {with_tcp(needs(100, 200), {80}), with_interface(with_tcp(needs(1, 2), {443, 8080})), needs(0, 5)}),
      one_instance(instance("p", 4096, 8000, {4, 16'000}),
                   {with_gpus(needs(1, 1), {2}), with_mps(needs(1, 1), {1000, 2000}), with_mps(needs(1, 1), {500})}),
      one_instance(fractional, {with_fraction(needs(1, 1), 125'000), with_fraction(needs(1, 1), 125'000)})};
  for (const auto& each : given) {
    for (std::uint32_t first = 0; first < each.workloads.size(); ++first) {
      Occupancy occupancy(each);
      std::vector<std::vector<ContainerGpus>> gpus;
      for (std::uint32_t i = 0; i < each.workloads.size(); ++i) gpus.push_back(occupancy.take(i, 0));
      for (std::size_t i = 0; i < gpus.size(); ++i) {
        const auto workload = static_cast<std::uint32_t>((first + i) % gpus.size());
        occupancy.give_back(workload, 0, gpus[workload]);
        CHECK(occupancy.tasks_of(occupancy.group_of(workload)) == 0);
      }
      const Occupancy untouched(each);
      CHECK(occupancy.states() == untouched.states());
      CHECK(occupancy.rooms()[0].whole_gpus == untouched.rooms()[0].whole_gpus);
      CHECK(occupancy.rooms()[0].memory == untouched.rooms()[0].memory);
    }
  }
}

TEST_CASE("a state does not tell in which order its tasks came") {
  const auto given = one_instance(instance("m", 4096, 8000), {needs(1, 1), needs(2, 2), needs(3, 3)});
  Occupancy forward(given);
  Occupancy backward(given);
  for (const std::uint32_t workload : {0u, 1u, 2u}) forward.take(workload, 0);
  for (const std::uint32_t workload : {2u, 0u, 1u}) backward.take(workload, 0);
  CHECK(forward.states() == backward.states());
}

TEST_CASE("a task that leaves its group keeps what it takes until it is given back") {
  const auto given = one_instance(instance("m", 4096, 8000), {needs(100, 200)});
  Occupancy occupancy(given);
  occupancy.take(0, 0);
  occupancy.leave_group(0, occupancy.group_of(0));
  CHECK(occupancy.tasks_of(occupancy.group_of(0)) == 0);
  CHECK(occupancy.states()[0].tasks_of(occupancy.group_of(0)) == 0);
  CHECK(occupancy.states()[0].memory == 7800);
  CHECK(occupancy.states()[0].tasks == 1);
  occupancy.give_back(0, given.workloads[0].requirement, kNoGroup, {});
  CHECK(occupancy.states() == Occupancy(given).states());
}

TEST_CASE("a task that ran before the first turn gives back no more than its instance has") {
  auto given = one_instance(instance("p", 4096, 8000, {2, 16'000}), {with_gpus(needs(1000, 2000), {1})});
  InstanceUse use;
  use.cpu = 600;  // less than the task takes: descriptions may contradict themselves
  use.memory = 2000;
  use.gpus = {{true, 0, 0}, {}};
  use.tasks = 1;
  given.in_use.push_back(use);
  given.running.push_back({"r", 0, "family:w0", "w0:1", false, false, {0}});
  Occupancy occupancy(given);
  CHECK(occupancy.tasks_of(occupancy.group_named("family:w0")) == 1);
  CHECK(occupancy.group_named("family:other") == kNoGroup);
  occupancy.give_back(0, given.workloads[0].requirement, occupancy.group_named("family:w0"), {0});
  CHECK(occupancy.states()[0] == empty_instance(given.profiles[0]));
}

TEST_CASE("a GPU is room again also when nobody knows what the task on it took") {
  auto given = one_instance(instance("p", 4096, 8000, {2, 16'000}), {with_gpus(needs(1000, 2000), {1})});
  InstanceUse use;
  use.gpus = {{true, 0, 0}, {}};
  use.tasks = 1;
  given.in_use.push_back(use);
  given.running.push_back({"r", 0, "family:other", "other:1", false, false, {0}});
  Occupancy occupancy(given);
  CHECK(occupancy.rooms()[0].whole_gpus == 1);
  occupancy.give_back(0, {}, occupancy.group_named("family:other"), {0});
  CHECK(occupancy.rooms()[0].whole_gpus == 2);
}

TEST_CASE("an instance that is restored counts as changed when its profile is another, and else not") {
  auto given = scenario_with({instance("m", 1024, 4000), instance("m", 2048, 8000)}, {});
  Occupancy occupancy(given);
  const auto before = occupancy.states()[0];
  occupancy.restore(0, before);
  CHECK(occupancy.changes() == 0);
  given.instances[0].profile = 1;
  occupancy.restore(0, before);
  CHECK(occupancy.changes() == 1);
  CHECK(occupancy.profile_of(0) == 1);
}

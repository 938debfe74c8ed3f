// Takes the processor time of one simulation over time.
//   timeline_bench trace|queue|week [TASKS] [INSTANCES]
// trace: TASKS arrive at random and end, the cluster about 80 % full, those without a place fail.
// queue: the same, the cluster 110 % asked for, those without a place wait.
// week: a service and jobs in a daily wave on a managed group of up to INSTANCES, data points every minute.
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <random>
#include <string_view>

#include <fmt/format.h>

#include "placement/build.hpp"
#include "placement/random.hpp"
#include "timeline/simulate.hpp"
#include "timeline/verify.hpp"

namespace {

using namespace bayplan;
using namespace placement;         // NOLINT: scenarios are about nothing else
using namespace placement::build;  // NOLINT

constexpr Seconds kHour = 3'600;

InstanceProfile machine(const std::string& zone) {
  auto made = instance("m5.4xlarge", 16'384, 60'000, {}, zone);
  made.gpu_count = 4;
  made.network_interfaces = 15;
  return made;
}

Scenario empty_cluster(std::int64_t instances) {
  Scenario made;
  for (const char* zone : {"a", "b", "c"}) made.profiles.push_back(machine(zone));
  for (std::int64_t i = 0; i < instances; ++i)
    made.instances.push_back({fmt::format("m5.4xlarge#{}", i + 1), static_cast<std::uint32_t>(i % 3)});
  return made;
}

/// Twenty kinds of task; a definition for all of them, which nothing of the simulation reads.
void add_kinds(Scenario& made) {
  made.task_definitions.emplace_back();
  made.task_definitions.back().name = "kind:1";
  for (std::int64_t kind = 0; kind < 20; ++kind) {
    auto task = needs(256 * (1 + kind % 8), 1'000 * (1 + kind % 7));
    if (kind % 4 == 0) task = with_gpus(task, {1 + kind % 2});
    auto strategies = kind % 3 == 0 ? std::vector{spread("attribute:ecs.availability-zone"), binpack("memory")}
                                    : std::vector{binpack("memory")};
    made.workloads.push_back(run_task(fmt::format("kind{}", kind), task, 0, std::move(strategies)));
    made.timetable.tasks.push_back({.start_delay = 30 * (kind % 3)});
  }
}

/// Arrivals over a day so that the memory asked for at a time is `load` of what there is.
Scenario trace(std::int64_t tasks, std::int64_t instances, double load, WhenFull when_full) {
  auto made = empty_cluster(instances);
  add_kinds(made);
  made.timetable.has_time = true;
  made.timetable.when_full = when_full;
  std::mt19937_64 random(1);
  constexpr double kMeanMemory = 3'850;  // of the twenty kinds
  const double at_a_time = load * 60'000 * static_cast<double>(instances) / kMeanMemory;
  const Seconds day = 24 * kHour;
  const auto mean = static_cast<std::uint64_t>(at_a_time * static_cast<double>(day) / static_cast<double>(tasks));
  for (std::int64_t i = 0; i < tasks; ++i) {
    const auto kind = static_cast<std::uint32_t>(draw(random, made.workloads.size()));
    const auto at = static_cast<Seconds>(draw(random, static_cast<std::uint64_t>(day)));
    made.calls.push_back({kind, 1, at, static_cast<Seconds>(mean / 2 + draw(random, mean + 1))});
    ++*made.workloads[kind].count;
  }
  return made;
}

Scenario week(std::int64_t tasks, std::int64_t instances) {
  auto made = empty_cluster(0);
  add_kinds(made);
  made.timetable.has_time = true;
  for (auto& profile : made.profiles) profile.capacity_provider_name = "p";
  for (auto& workload : made.workloads) workload.capacity_providers = {{"p", 0, 1}};
  InstanceGroup group{.capacity_provider = "p",
                      .types = {{{0, 1, 2}}},
                      .availability_zones = {"a", "b", "c"},
                      .min_size = instances / 10,
                      .max_size = instances,
                      .is_managed = true};
  group.has_termination_protection = true;
  made.timetable.groups.push_back(group);
  std::mt19937_64 random(1);
  for (std::int64_t i = 0; i < tasks; ++i) {
    const auto kind = static_cast<std::uint32_t>(draw(random, made.workloads.size()));
    const auto day = static_cast<Seconds>(draw(random, 7)) * 24 * kHour;
    const auto hour = static_cast<Seconds>(draw(random, 12 * kHour) + draw(random, 12 * kHour));  // most at noon
    made.calls.push_back({kind, 1, day + hour, static_cast<Seconds>(600 + draw(random, 3 * kHour))});
    ++*made.workloads[kind].count;
  }
  return made;
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view kind = count > 1 ? arguments[1] : "";
  const auto number = [&](int position, std::int64_t otherwise) {
    return count > position ? std::atoll(arguments[position]) : otherwise;
  };
  Scenario scenario;
  if (kind == "trace") {
    scenario = trace(number(2, 1'000'000), number(3, 10'000), 0.8, WhenFull::kFail);
  } else if (kind == "queue") {
    scenario = trace(number(2, 1'000'000), number(3, 10'000), 1.1, WhenFull::kWait);
  } else if (kind == "week") {
    scenario = week(number(2, 100'000), number(3, 500));
  } else {
    std::cerr << "usage: timeline_bench trace|queue|week [TASKS] [INSTANCES]\n";
    return 2;
  }
  const std::clock_t begin = std::clock();
  const auto history = timeline::simulate(scenario);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const std::clock_t checked = std::clock();
  const auto mistakes = timeline::verify(scenario, history);
  const double check_seconds = static_cast<double>(std::clock() - checked) / CLOCKS_PER_SEC;
  std::int64_t placed = 0;
  for (const auto& task : history.tasks) placed += task.placed_at ? 1 : 0;
  fmt::print("{}: {:.2f} s, {} tasks, {} placed, {} events, {} instances, {} data points, end {} h\n", kind, seconds,
             history.tasks.size(), placed, history.events.size(), history.instances.size(), history.metrics.size(),
             history.end / kHour);
  fmt::print("check: {:.2f} s, {} mistakes\n", check_seconds, mistakes.size());
  return mistakes.empty() ? 0 : 1;
}

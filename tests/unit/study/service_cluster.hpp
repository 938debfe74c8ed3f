#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "placement/build.hpp"
#include "placement/model/random.hpp"

namespace bayplan::study {

/// Half full, of services that could be anywhere.
class ServiceCluster {
 public:
  ServiceCluster(std::uint64_t seed, std::uint64_t most_instances) : random_(seed), most_instances_(most_instances) {}
  ServiceCluster(const ServiceCluster&) = default;
  virtual ~ServiceCluster() = default;

  placement::Scenario make() {
    using namespace placement;         // NOLINT: a scenario is made
    using namespace placement::build;  // NOLINT
    std::vector<InstanceProfile> profiles;
    MiB room = 0;
    for (std::uint64_t i = 0, count = 2 + below(most_instances_ - 1); i < count; ++i) {
      const std::int64_t size = std::int64_t{1} << below(3);
      const char* const types[] = {"", "x.small", "x.medium", "", "x.large"};
      const char* const zones[] = {"z-1a", "z-1b", "z-1c"};
      profiles.push_back(
          instance(types[size], 4'096 * size, 8'000 * size, {static_cast<std::int64_t>(below(3))}, zones[i % 3]));
      profiles.back().hourly_price = 96'000 * size + 24'000 * number(5);
      room += 8'000 * size;
    }
    room = room * (30 + number(40)) / 100;
    std::vector<Workload> workloads;
    for (int i = 0; room > 0 && i < 9; ++i) {
      const std::int64_t count = 1 + number(5);
      const CpuUnits cpu = 256 * (1 + number(6));
      const MiB memory = 500 * (1 + number(8));
      auto task = needs(cpu, memory);
      room -= task.memory * count;
      if (below(5) == 0) task = with_gpus(task, {1});
      if (below(6) == 0) task = with_tcp(task, {static_cast<std::uint16_t>(8'000 + i)});
      const std::vector<std::vector<Strategy>> chains = {
          {}, {binpack("memory")}, {spread("instanceId")}, {spread("attribute:ecs.availability-zone"), binpack("cpu")}};
      auto made = service("s" + std::to_string(i), task, count, chains[below(4)]);
      if (below(6) == 0) made.constraints = {distinct_instance()};
      made.minimum_healthy_percent = below(3) == 0 ? 50 : 100;
      made.maximum_percent = below(4) == 0 ? 100 : 200;
      workloads.push_back(std::move(made));
    }
    if (below(4) == 0) workloads.push_back(run_task("batch", needs(512, 1'000), 1 + number(2), {spread("instanceId")}));
    return scenario_with(std::move(profiles), std::move(workloads));
  }

 protected:
  virtual std::uint64_t below(std::uint64_t bound) { return placement::draw(random_, bound); }

 private:
  std::int64_t number(std::uint64_t bound) { return static_cast<std::int64_t>(below(bound)); }

  std::mt19937_64 random_;
  std::uint64_t most_instances_;
};

}  // namespace bayplan::study

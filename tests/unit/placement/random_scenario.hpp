#pragma once
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "placement/build.hpp"
#include "placement/model/random.hpp"

namespace bayplan::placement::build {

/// How large random scenarios are.
struct RandomSize {
  std::uint64_t instances = 7;  ///< Each figure: one less at most.
  std::uint64_t workloads = 6;
  std::uint64_t count = 6;
};

/// Scenarios of every kind of task, instance, strategy and constraint, from a seed.
class RandomScenario {
 public:
  RandomScenario(std::uint64_t seed, RandomSize size) : random_(seed), size_(size) {}
  RandomScenario(const RandomScenario&) = default;
  virtual ~RandomScenario() = default;

  Scenario make() {
    std::vector<InstanceProfile> profiles;
    for (std::uint64_t i = 0, count = below(12); i < count; ++i) profiles.push_back(random_instance());
    std::vector<Workload> workloads;
    for (std::uint64_t i = 0, count = 1 + below(size_.workloads - 1); i < count; ++i) {
      workloads.push_back(!workloads.empty() && one_in(3) ? like(workloads.back(), i) : random_workload(i));
    }
    std::stable_sort(workloads.begin(), workloads.end(), [](const auto& a, const auto& b) { return a.kind < b.kind; });
    auto made = scenario_with(std::move(profiles), std::move(workloads));
    made.instances.clear();
    for (std::uint64_t i = 0, count = below(size_.instances); i < count && !made.profiles.empty(); ++i) {
      made.instances.push_back({"i" + std::to_string(i), static_cast<std::uint32_t>(below(made.profiles.size()))});
    }
    made.seed = below(1000);
    if (one_in(3)) made.order = TaskOrder::kLargestFirst;
    if (one_in(2)) shuffle_calls(made);
    if (one_in(3)) add_running(made);
    if (one_in(4)) made.ties = TieOrder::kDrawn;
    if (one_in(3)) add_calls_of_time_zero(made);
    return made;
  }

 protected:
  /// All that is drawn; a fuzzer says it by its bytes.
  virtual std::uint64_t below(std::uint64_t bound) { return draw(random_, bound); }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  std::int64_t number(std::uint64_t bound) { return static_cast<std::int64_t>(below(bound)); }
  template <class T>
  T any_of(std::vector<T> choices) {
    return choices[below(choices.size())];
  }

  InstanceProfile random_instance() {
    const std::string type = one_in(2) ? "x.small" : "y.large";
    const CpuUnits cpu = 1024 * (1 + number(12));
    const MiB memory = 1000 * (1 + number(12));
    auto made = instance(type, cpu, memory, {}, any_of<std::string>({"a", "b", "c"}));
    if (one_in(2)) made.gpu_count = 1 + number(4);
    made.gpu_memory = 10'000;
    if (one_in(5)) made.gpu_fraction_millionths = 250'000;
    if (one_in(5)) {
      made.gpu_count = made.gpu_memory = 0;
      made.gpu_fraction_millionths = 1'000'000;
      made.neuron_devices = 1 + number(3);
    }
    made.network_interfaces = number(4);
    if (one_in(3)) {
      made.ebs_attachments = number(5);
      made.interfaces_take_attachments = one_in(2);
    }
    if (one_in(3)) made.attributes["ecs.capability.gpu-sharing-mps"] = "";
    if (one_in(3)) made.attributes["rack"] = one_in(2) ? "1" : "2";
    if (one_in(8)) made.status = any_of<InstanceStatus>({InstanceStatus::kDraining, InstanceStatus::kInactive});
    if (one_in(8)) made.agent_connected = false;
    if (one_in(6)) made.has_all_capabilities = false;
    if (one_in(4)) made.capacity_provider_name = one_in(2) ? "p" : "q";
    return made;
  }

  /// What runs before the first turn.
  void add_running(Scenario& made) {
    for (std::uint32_t i = 0; i < made.instances.size(); ++i) {
      const auto& profile = made.profiles[made.instances[i].profile];
      InstanceUse use;
      if (one_in(2)) use.cpu = number(1500);
      if (one_in(2)) use.memory = number(1500);
      use.network_interfaces = std::min(number(3), profile.network_interfaces);
      if (one_in(3)) use.ebs_volumes = std::min(number(3), profile.ebs_attachments);
      use.tasks = number(3);
      if (one_in(3)) use.tcp_ports = {80};
      if (profile.gpu_count > 0 && one_in(2)) use.gpus.resize(static_cast<std::size_t>(profile.gpu_count));
      if (profile.neuron_devices > 0 && one_in(2)) use.gpus.resize(static_cast<std::size_t>(profile.neuron_devices));
      for (auto& gpu : use.gpus) {
        if (profile.neuron_devices > 0) {
          gpu.dedicated = one_in(3);
          continue;
        }
        const bool is_fraction = profile.gpu_fraction_millionths < 1'000'000;
        gpu.dedicated = one_in(3);
        if (!gpu.dedicated && one_in(2)) (is_fraction ? gpu.share_millionths : gpu.shared_memory) = 1 + number(9'000);
        gpu.is_shared = gpu.shared_memory > 0;
      }
      for (std::int64_t task = 0; task < use.tasks; ++task) {
        const auto group = any_of<std::string>({"service:w0", "family:w1", "service:w2"});
        made.running.push_back({"r", i, group, "w:1", one_in(4), {}});
      }
      made.in_use.push_back(std::move(use));
    }
  }

  capacity::TaskRequirement random_task() {
    const CpuUnits cpu = 128 * number(8);
    const MiB memory = 100 * number(12);
    auto task = needs(cpu, memory);
    switch (below(8)) {
      case 0:
        task = with_gpus(task, {1 + number(2)});
        break;
      case 1:
        task = with_gpus(task, {1, 1});
        break;
      case 2:
        task = with_mps(task, {1000 * (1 + number(6)), 1000});
        break;
      case 3:
        task = with_all_gpus(task);
        break;
      case 4:
        task = with_fraction(task, 125'000);
        break;
      case 5:
        task = with_neuron_devices(task);
        if (one_in(4)) task.gpu_containers.push_back({1, "c1", capacity::GpuForm::kNeuron, 0, 0, 0});
        break;
      default:
        break;
    }
    if (one_in(4)) task = with_tcp(task, {static_cast<std::uint16_t>(80 + below(3))});
    if (one_in(6)) task.udp_ports = {53};
    if (one_in(4)) task = with_interface(task);
    if (one_in(4)) task.ebs_volumes = 1;
    if (one_in(8)) task.required_attributes.push_back("ecs.capability.gpu-sharing-mps");
    return task;
  }

  std::vector<Strategy> random_chain() {
    std::vector<Strategy> chain;
    for (std::uint64_t i = 0, count = below(4); i < count; ++i) {
      chain.push_back(any_of<Strategy>({binpack("cpu"),
                                        binpack("memory"),
                                        spread("instanceId"),
                                        spread("attribute:rack"),
                                        spread("attribute:ecs.availability-zone"),
                                        {StrategyType::kRandom, {}}}));
    }
    return chain;
  }

  void add_constraints(Workload& workload) {
    if (one_in(4)) workload.constraints.push_back(distinct_instance());
    if (one_in(6)) workload.constraints.push_back(member_of("attribute:ecs.instance-type =~ x.*"));
    if (one_in(3)) {
      workload.constraints.push_back(member_of(any_of<std::string>({
          "runningTasksCount < 3",
          "runningTasksCount >= 1",
          "task:group == service:w1",
          "attribute:rack exists or not(task:group == service:w0)",
          "attribute:ecs.availability-zone in [a, b]",
      })));
    }
  }

  Workload random_workload(std::uint64_t position) {
    const std::string name = "w" + std::to_string(one_in(2) ? position : 0);
    const auto count = number(size_.count);
    const bool is_service = one_in(2);
    const auto task = random_task();
    const auto chain = random_chain();
    auto made = is_service ? service(name, task, count, chain) : run_task(name, task, count, chain);
    if (one_in(8)) made.kind = WorkloadKind::kDaemon;
    add_constraints(made);
    if (one_in(6)) made.availability_zones = std::vector<std::string>{"a", "b"};
    if (one_in(6) && made.kind != WorkloadKind::kDaemon) made.capacity_providers = {{"p", 1, 1}, {"q", 0, 2}};
    return made;
  }

  /// Another group whose tasks need the same.
  Workload like(const Workload& other, std::uint64_t position) {
    auto made = other;
    made.name = "w" + std::to_string(position);
    made.group = (made.kind == WorkloadKind::kTasks ? "family:" : "service:") + made.name;
    made.count = number(size_.count);
    return made;
  }

  /// Workloads that are placed as a whole, and some of which as many as fit.
  void add_calls_of_time_zero(Scenario& made) {
    std::vector<bool> is_called(made.workloads.size());
    for (const auto& call : made.calls) is_called[call.workload] = true;
    for (std::size_t i = 0; i < made.workloads.size(); ++i) {
      auto& workload = made.workloads[i];
      if (workload.kind == WorkloadKind::kTasks && one_in(2)) workload.all_or_nothing = true;
      if (workload.kind == WorkloadKind::kDaemon || is_called[i] || workload.requirement.memory == 0) continue;
      if (one_in(3)) workload.count.reset();
    }
  }

  /// The RunTask calls of several workloads in turn.
  void shuffle_calls(Scenario& made) {
    auto& runs = made.calls;
    for (std::uint32_t i = 0; i < made.workloads.size(); ++i) {
      const auto& workload = made.workloads[i];
      std::int64_t left = *workload.count;
      while (workload.kind == WorkloadKind::kTasks && left > 0) {
        runs.push_back({i, std::min<std::int64_t>(left, 1 + number(3))});
        left -= runs.back().count;
      }
    }
    for (std::size_t i = runs.size(); i > 1; --i) std::swap(runs[i - 1], runs[below(i)]);
  }

  std::mt19937_64 random_;
  RandomSize size_;
};

}  // namespace bayplan::placement::build

#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "placement/random_scenario.hpp"

namespace bayplan::placement::build {

/// Scenarios over time of every feature, from a seed: small and short, full of things that happen at one instant.
class RandomTimeline : protected RandomScenario {
 public:
  explicit RandomTimeline(std::uint64_t seed) : RandomScenario(seed, {}) {}

  Scenario make() {
    made_ = Scenario{};
    add_timing();
    add_groups();
    add_instances();
    add_services();
    add_tasks();
    add_calls();
    add_definitions();
    if (one_in(3)) add_running_tasks();
    for (std::uint64_t i = 0, count = below(one_in(3) ? 12 : 5); i < count; ++i) add_event();
    std::stable_sort(table().events.begin(), table().events.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
    table().has_time = true;
    if (one_in(2)) table().when_full = WhenFull::kWait;
    if (one_in(6)) table().until = number(1'000);
    made_.seed = below(1000);
    if (one_in(5)) made_.ties = TieOrder::kDrawn;
    if (one_in(5)) made_.order = TaskOrder::kLargestFirst;
    return std::move(made_);
  }

 private:
  Timetable& table() { return made_.timetable; }
  Seconds moment() { return one_in(4) ? 0 : 5 * number(60); }

  void add_timing() {
    auto& timing = table().timing;
    timing.healthy_after = 1 + number(20);
    timing.stop_timeout = number(12);
    timing.metric_period = any_of<Seconds>({5, 10, 30});
    timing.scale_out_data_points = 1 + number(2);
    timing.scale_in_data_points = 1 + number(4);
    timing.provisioning_timeout = 10 + number(120);
    timing.provisioning_limit = any_of<std::int64_t>({1, 3, 500});
    timing.launch_rate = any_of<std::int64_t>({1, 2, 5, 500});
    timing.restart_delay = 1 + number(12);
    timing.placement_retry_delay = 1 + number(12);
    timing.restart_delay_limit = std::max(timing.restart_delay, timing.placement_retry_delay) + number(60);
    timing.endless_after = 100 + number(400);
    timing.stage_limit = 20 + number(200);
    timing.lifecycle_hook = one_in(2) ? 0 : number(90);
    timing.alarm_bake_time = number(30);
    timing.code_deploy_limit = 20 + number(200);
    timing.code_deploy_termination = number(60);
  }

  std::uint32_t add_profile(InstanceProfile profile) {
    made_.profiles.push_back(std::move(profile));
    return static_cast<std::uint32_t>(made_.profiles.size() - 1);
  }

  /// Working ones: what is stated as broken is added instance by instance.
  InstanceProfile sound_instance() {
    auto made = random_instance();
    made.status = InstanceStatus::kActive;
    made.capacity_provider_name.clear();
    made.network_interfaces = 1 + number(4);
    return made;
  }

  InstanceProfile in_zone(InstanceProfile profile, const std::string& zone) {
    profile.availability_zone = zone;
    profile.attributes["ecs.availability-zone"] = zone;
    return profile;
  }

  void add_groups() {
    for (const std::string provider : {"p", "q"}) {
      if (!one_in(provider == "p" ? 2 : 4)) continue;
      InstanceGroup group;
      group.capacity_provider = provider;
      group.availability_zones = any_of<std::vector<std::string>>({{"a"}, {"b", "a"}, {"a", "b", "c"}});
      for (std::uint64_t i = 0, count = 1 + below(2); i < count; ++i) {
        auto profile = sound_instance();
        profile.agent_connected = true;
        profile.capacity_provider_name = provider;
        InstanceGroup::Type type;
        for (const auto& zone : group.availability_zones) type.profiles.push_back(add_profile(in_zone(profile, zone)));
        group.types.push_back(std::move(type));
      }
      set_limits(group);
      if (group.is_managed) made_.managed_providers.push_back(provider);
      table().groups.push_back(std::move(group));
    }
    if (made_.managed_providers.empty() && one_in(10)) made_.managed_providers.push_back("q");
  }

  void set_limits(InstanceGroup& group) {
    group.min_size = number(3);
    group.max_size = group.min_size + number(6);
    group.boot_time = number(40);
    group.is_managed = !one_in(4);
    group.target_capacity = any_of<std::int64_t>({100, 100, 80, 50, 1});
    group.minimum_scaling_step_size = 1 + number(3);
    group.maximum_scaling_step_size = group.minimum_scaling_step_size + number(4);
    group.instance_warmup_period = number(60);
    group.has_termination_protection = one_in(2);
    group.has_managed_draining = !one_in(3);
  }

  void add_instances() {
    for (std::uint64_t i = 0, count = 1 + below(5); i < count; ++i) {
      const auto profile = add_profile(sound_instance());
      if (one_in(5)) made_.profiles[profile].capacity_provider_name = one_in(2) ? "p" : "q";
      usable_.push_back(profile);
    }
    for (std::uint64_t i = 0, count = below(7); i < count; ++i) {
      std::uint32_t profile = any_of(usable_);
      if (one_in(12)) {
        auto broken = made_.profiles[profile];
        broken.status = any_of<InstanceStatus>({InstanceStatus::kDraining, InstanceStatus::kInactive});
        profile = add_profile(std::move(broken));
      }
      add_instance(profile);
    }
    for (const auto& group : table().groups) {
      for (std::int64_t i = 0, count = one_in(2) ? number(3) : 0; i < std::min(count, group.max_size); ++i) {
        add_instance(any_of(any_of(group.types).profiles));
      }
    }
  }

  void add_instance(std::uint32_t profile) {
    const auto& type = made_.profiles[profile].instance_type;
    std::int64_t same = 1;
    for (const auto& other : made_.instances) same += made_.profiles[other.profile].instance_type == type ? 1 : 0;
    const auto id = one_in(8) ? "i-" + std::to_string(made_.instances.size()) : type + "#" + std::to_string(same);
    made_.instances.push_back({id, profile});
  }

  TaskTiming random_timing(WorkloadKind kind) {
    TaskTiming timing;
    if (one_in(2)) timing.start_delay = number(15);
    if (one_in(kind == WorkloadKind::kTasks ? 2 : 4)) timing.duration = one_in(5) ? 0 : number(80);
    timing.stop_delay = one_in(3) ? 0 : number(20);
    if (one_in(6)) timing.target_healthy_after = 1 + number(30);
    return timing;
  }

  std::vector<ProviderShare> random_providers() {
    if (one_in(2)) return {{"p", 0, 1}};
    if (one_in(2)) return {{"q", 0, 1}};
    return {{"p", 1, 1}, {"q", 0, 2}};
  }

  std::uint32_t add_workload(Workload workload) {
    made_.workloads.push_back(std::move(workload));
    table().tasks.push_back(random_timing(made_.workloads.back().kind));
    return static_cast<std::uint32_t>(made_.workloads.size() - 1);
  }

  Workload random_service(const std::string& name, WorkloadKind kind) {
    const auto task = random_task();
    const auto count = number(5);
    auto made = service(name, task, count, random_chain());
    made.kind = kind;
    if (kind == WorkloadKind::kDaemon) made.strategies.clear();
    if (one_in(2)) add_constraints(made);
    if (one_in(6)) made.availability_zones = std::vector<std::string>{"a", "b"};
    if (one_in(3) && kind == WorkloadKind::kService) made.capacity_providers = random_providers();
    made.minimum_healthy_percent = any_of<std::int64_t>({0, 50, 100, 100});
    made.maximum_percent = any_of<std::int64_t>({100, 150, 200, 200});
    if (made.minimum_healthy_percent == 100 && made.maximum_percent == 100) made.minimum_healthy_percent = 50;
    return made;
  }

  CircuitBreaker random_breaker() {
    CircuitBreaker breaker;
    breaker.enabled = !one_in(3);
    breaker.rollback = one_in(2);
    breaker.type = any_of<ThresholdType>(
        {ThresholdType::kBoundedPercent, ThresholdType::kUnboundedPercent, ThresholdType::kCount});
    breaker.value = breaker.type == ThresholdType::kCount ? 1 + number(4) : 10 + number(90);
    breaker.reset_on_healthy_task = one_in(2);
    return breaker;
  }

  model::DeploymentSettings random_settings() {
    model::DeploymentSettings settings;
    settings.strategy = static_cast<model::DeploymentStrategy>(below(4));
    if (one_in(5)) settings.controller = static_cast<model::DeploymentController>(below(3));
    if (one_in(2)) settings.bake_minutes = number(2);
    settings.step_tenths = any_of<std::int64_t>({500, 334, 1'000});
    settings.step_bake_minutes = number(2);
    settings.canary_bake_minutes = number(2);
    if (one_in(3)) {
      model::LifecycleHook hook;
      hook.is_pause = one_in(2);
      hook.continues = one_in(2);
      hook.timeout_minutes = 1;
      hook.stages.emplace_back(name_of(static_cast<model::DeploymentStage>(below(7))));
      settings.hooks.push_back(std::move(hook));
    }
    settings.alarms = {one_in(3), one_in(2), {"errors"}};
    settings.early_success = {one_in(2), number(100), one_in(2)};
    return settings;
  }

  /// Its tasks go wherever a zone has room, so that zones come to differ.
  void make_movable(Workload& workload, ServicePlan& plan) {
    workload.strategies.clear();
    if (one_in(2)) return;
    workload.constraints.clear();
    workload.availability_zones.reset();
    workload.capacity_providers.clear();
    workload.requirement = needs(128, 100);
    plan.desired_count = 2 + number(4);
  }

  void add_services() {
    std::vector<WorkloadKind> kinds(below(2), WorkloadKind::kDaemon);
    kinds.resize(kinds.size() + below(3), WorkloadKind::kService);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      ServicePlan plan;
      plan.workload = add_workload(random_service("w" + std::to_string(i), kinds[i]));
      plan.desired_count = *made_.workloads[plan.workload].count;
      if (one_in(2)) plan.circuit_breaker = random_breaker();
      if (one_in(2)) plan.settings = random_settings();
      plan.rebalances = one_in(3);
      if (plan.rebalances && !one_in(4)) make_movable(made_.workloads[plan.workload], plan);
      table().services.push_back(std::move(plan));
    }
  }

  void add_tasks() {
    for (std::uint64_t i = 0, count = below(4); i < count; ++i) {
      const auto name = "t" + std::to_string(one_in(3) ? 0 : i);
      const auto task = random_task();
      const auto calls = number(5);
      auto made = run_task(name, task, calls, random_chain());
      if (one_in(2)) add_constraints(made);
      if (one_in(2)) made.capacity_providers = random_providers();
      made.all_or_nothing = one_in(3);
      add_workload(std::move(made));
    }
  }

  void add_calls() {
    for (std::uint32_t i = 0; i < made_.workloads.size(); ++i) {
      auto& workload = made_.workloads[i];
      if (workload.kind != WorkloadKind::kTasks || one_in(4)) continue;
      std::int64_t all = 0;
      for (std::uint64_t n = 0, count = 1 + below(4); n < count; ++n) {
        Call call{i, 1 + number(3), moment(), {}};
        if (one_in(3)) call.duration = one_in(5) ? 0 : number(60);
        all += call.count;
        made_.calls.push_back(call);
      }
      workload.count = all;
    }
    for (std::size_t i = made_.calls.size(); i > 1; --i) std::swap(made_.calls[i - 1], made_.calls[below(i)]);
  }

  void add_definitions() {
    for (auto& workload : made_.workloads) add_definition(workload);
  }

  void add_definition(Workload& workload) {
    TaskDefinition definition;
    definition.family = workload.name;
    definition.name = workload.name + ":" + std::to_string(made_.task_definitions.size());
    definition.requirement = workload.requirement;
    for (const auto& container : workload.requirement.gpu_containers)
      definition.container_names.push_back(container.name);
    workload.task_definition = static_cast<std::uint32_t>(made_.task_definitions.size());
    made_.task_definitions.push_back(std::move(definition));
  }

  /// Tasks of the scenario's definitions that fit, some of them in services, and what they take.
  void add_running_tasks() {
    Groups groups;
    for (std::uint32_t i = 0; i < made_.instances.size(); ++i) {
      const auto& profile = made_.profiles[made_.instances[i].profile];
      const auto empty = empty_instance(profile);
      auto state = empty;
      for (std::uint64_t n = 0, count = below(4); n < count && !made_.workloads.empty(); ++n) {
        const auto& workload = made_.workloads[below(made_.workloads.size())];
        if (!resources_fit(state, workload.requirement)) continue;
        const bool is_daemon = workload.kind == WorkloadKind::kDaemon;
        const auto group = is_daemon || !one_in(4) ? workload.group : "service:w0";
        auto definition = made_.task_definitions[workload.task_definition].name;
        const auto form = workload.requirement.gpu_form;
        const bool shares = form == capacity::GpuForm::kMps || form == capacity::GpuForm::kFraction;
        if (one_in(4) && !shares) definition = "unknown:1";  // what a share takes, only the definition tells
        const auto gpus = take(state, workload.requirement, groups.number(group));
        made_.running.push_back({"r" + std::to_string(made_.running.size()), i, group, definition, one_in(10),
                                 is_daemon, list_devices(workload.requirement, gpus)});
      }
      made_.in_use.push_back(use_of(empty, state));
    }
  }

  static InstanceUse use_of(const InstanceState& empty, const InstanceState& state) {
    InstanceUse use;
    use.cpu = empty.cpu - state.cpu;
    use.memory = empty.memory - state.memory;
    use.network_interfaces = empty.network_interfaces - state.network_interfaces;
    use.ebs_volumes = empty.ebs_attachments - state.ebs_attachments;
    use.tasks = state.tasks;
    std::set_difference(state.tcp_ports.begin(), state.tcp_ports.end(), empty.tcp_ports.begin(), empty.tcp_ports.end(),
                        std::back_inserter(use.tcp_ports));
    std::set_difference(state.udp_ports.begin(), state.udp_ports.end(), empty.udp_ports.begin(), empty.udp_ports.end(),
                        std::back_inserter(use.udp_ports));
    for (const auto& gpu : state.gpus) {
      GpuUse own;
      if (gpu.is_fraction()) {
        own.share_millionths = gpu.fraction_millionths - gpu.remaining_fraction_millionths;
        own.dedicated = own.share_millionths == gpu.fraction_millionths;
      } else if (gpu.state == GpuState::kNvidiaMps) {
        own.is_shared = true;
        own.shared_memory = gpu.memory - gpu.remaining_memory;
      } else {
        own.dedicated = gpu.state == GpuState::kDedicated;
      }
      use.gpus.push_back(own);
    }
    return use;
  }

  std::string instance_subject() {
    if (one_in(25)) return "x.small#9";
    if (one_in(5)) return any_of<std::string>({"*", "x.*", "y.large#?", "z*", "*#[12]"});
    if (made_.instances.empty()) return "*#1";
    return made_.instances[below(made_.instances.size())].id;
  }

  std::string task_subject() {
    if (one_in(25)) return "w0#99";
    if (!made_.running.empty() && one_in(4)) return made_.running[below(made_.running.size())].id;
    if (one_in(2) || made_.workloads.empty()) return any_of<std::string>({"w*", "t?#1", "*", "w0#*", "t*#[23]"});
    return "[" + std::string(one_in(2) ? "w" : "t") + "]" + std::to_string(below(3)) + "#" +
           std::to_string(1 + below(4));
  }

  void add_event() {
    static_assert(std::variant_size_v<TimelineEvent> == 12, "a new event is drawn here; the two of Spot are not");
    TimedEvent made;
    made.at = moment();
    switch (below(12)) {
      case 0: {
        AddInstances added;
        for (std::uint64_t i = 0, count = 1 + below(3); i < count; ++i)
          added.instances.push_back({{}, any_of(usable_)});
        made.event = added;
        break;
      }
      case 1:
        made.event = DrainInstances{{}, instance_subject()};
        break;
      case 2:
        made.event = TerminateInstances{{}, instance_subject()};
        break;
      case 3:
        made.event = LoseAvailabilityZone{any_of<std::string>({"a", "b", "c", "d"})};
        break;
      case 4:
        made.event = StopTasks{task_subject()};
        break;
      case 5:
        if (table().services.empty()) return;
        made.event = StopServiceDeployment{static_cast<std::uint32_t>(below(table().services.size()))};
        break;
      case 6:
        made.event = RaiseAlarm{one_in(5) ? "latency" : "errors"};
        break;
      case 8:
      case 9:
        made.event = UpdateTaskProtection{task_subject(), one_in(4) ? 0 : 60 * (1 + number(4))};
        break;
      case 7: {
        if (table().groups.empty()) return;
        const auto& group = any_of(table().groups);
        made.event = SetDesiredCapacity{
            group.capacity_provider,
            group.min_size +
                static_cast<std::int64_t>(below(static_cast<std::uint64_t>(group.max_size - group.min_size) + 1))};
        break;
      }
      default:
        if (table().services.empty()) return;
        made.event = update();
        break;
    }
    table().events.push_back(std::move(made));
  }

  UpdateService update() {
    UpdateService made;
    made.service = static_cast<std::uint32_t>(below(table().services.size()));
    const Workload first = made_.workloads[table().services[made.service].workload];
    if (one_in(2)) made.desired_count = number(6);
    if (one_in(5)) made.minimum_healthy_percent = any_of<std::int64_t>({0, 50, 100});
    if (one_in(5)) made.maximum_percent = any_of<std::int64_t>({150, 200});
    if (one_in(4)) made.circuit_breaker = random_breaker();
    if (one_in(6)) made.rebalances = one_in(2);
    if (one_in(3)) made.settings = random_settings();
    if (one_in(3)) return made;
    auto next = random_service(first.name, first.kind);
    if (one_in(2)) next.requirement = first.requirement;
    if (table().services[made.service].rebalances) next.strategies.clear();
    add_definition(next);
    made.workload = add_workload(std::move(next));
    return made;
  }

  Scenario made_;
  std::vector<std::uint32_t> usable_;  ///< Profiles of instances outside the groups.
};

}  // namespace bayplan::placement::build

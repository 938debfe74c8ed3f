// remainingResources and running tasks -> what is taken of an instance.
#include "scenario/live_use.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "scenario/described_profile.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement
namespace {

using capacity::GpuForm;
using capacity::TaskRequirement;
using model::DescribedContainer;
using model::DescribedInstance;
using model::DescribedTask;
using Ports = std::vector<std::uint16_t>;

bool is_stopping(const DescribedTask& task) {
  return task.desired_status == "STOPPED";
}

/// CPU and memory of running tasks together; nothing when one does not say.
struct Reserved {
  CpuUnits cpu = 0;
  MiB memory = 0;
};

/// How running tasks use one GPU.
struct Holders {
  std::int64_t count = 0;  ///< Containers.
  GpuUse use;
};

Ports without(const Ports& ports, const Ports& reserved) {
  Ports rest;
  std::set_difference(ports.begin(), ports.end(), reserved.begin(), reserved.end(), std::back_inserter(rest));
  return rest;
}

bool contains(const std::vector<std::string>& ids, const std::string& id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

class UseReader {
 public:
  UseReader(Loading& loading, LiveNotes& notes, const LiveInstance& instance)
      : loading_(loading),
        notes_(notes),
        live_(instance),
        described_(*instance.described),
        profile_(loading.scenario.profiles[loading.scenario.instances[instance.index].profile]),
        id_(loading.scenario.instances[instance.index].id) {}

  InstanceUse run() {
    free_devices_ = described_.remaining.gpu_ids;
    if (profile_.neuron_devices > 0 && described_.remaining.neuron_ids)
      free_devices_ = neuron_device_ids(profile_, described_.registered, described_.remaining);
    count_tasks();
    use_cpu_and_memory();
    use_ports();
    use_gpus();
    use_interfaces();
    use_attachments();
    if (loading_.settles) end_stopping();
    add_running();
    return std::move(use_);
  }

 private:
  /// Takes off what tasks hold whose desiredStatus is STOPPED. Never more than the instance has in use, because ECS may
  /// have freed a part of it already.
  void end_stopping() {
    const auto stays_on = [&](const std::string& gpu) {
      return std::any_of(live_.tasks.begin(), live_.tasks.end(), [&](const auto* task) {
        return !is_stopping(*task) && std::any_of(task->containers.begin(), task->containers.end(),
                                                  [&](const auto& one) { return contains(one.gpu_ids, gpu); });
      });
    };
    for (const auto* task : live_.tasks) {
      if (!is_stopping(*task)) continue;
      const auto held = reserved_by(*task).value_or(Reserved{});
      use_.cpu = std::max<CpuUnits>(0, use_.cpu - held.cpu);
      use_.memory = std::max<MiB>(0, use_.memory - held.memory);
      use_.network_interfaces =
          std::max<std::int64_t>(0, use_.network_interfaces - (task->has_network_interface ? 1 : 0));
      use_.ebs_volumes = std::max<std::int64_t>(0, use_.ebs_volumes - task->ebs_volumes);
      if (const TaskRequirement* definition = requirement_of(*task)) {
        use_.tcp_ports = without(use_.tcp_ports, definition->tcp_ports);
        use_.udp_ports = without(use_.udp_ports, definition->udp_ports);
      }
      for (const auto& container : task->containers) {
        for (std::size_t gpu = 0; gpu < use_.gpus.size(); ++gpu) {
          const bool held_it = contains(container.gpu_ids, profile_.gpu_ids[gpu]);
          if (held_it && !stays_on(profile_.gpu_ids[gpu])) use_.gpus[gpu] = {};
        }
      }
    }
  }

  void note(const std::string& id, std::string text) { notes_.add(id, id_, std::move(text)); }

  /// The scenario's definition of the task; null when the folder does not hold it.
  const TaskRequirement* requirement_of(const DescribedTask& task) const {
    const auto index = definition_named(loading_, task.task_definition);
    return index ? &loading_.scenario.task_definitions[*index].requirement : nullptr;
  }

  void count_tasks() {
    const auto stopping =
        std::count_if(live_.tasks.begin(), live_.tasks.end(), [](auto* task) { return is_stopping(*task); });
    const auto described = static_cast<std::int64_t>(live_.tasks.size());
    const std::int64_t running = described_.running_tasks.value_or(0);
    const std::int64_t pending = described_.pending_tasks.value_or(0);
    // What stops may be among those that ECS counts, if the answers are of different moments.
    const std::int64_t undescribed = std::max<std::int64_t>(0, running - described);
    use_.tasks = loading_.settles ? described - stopping + undescribed : std::max(described - stopping, running);
    all_described_ = !described_.running_tasks || (running <= described && described <= running + pending + stopping);
    if (all_described_) return;
    note("tasks-not-described",
         fmt::format("ECS counts {} and {} described: {}", count_of(running, "running task"),
                     described == 1 ? "1 is" : fmt::format("{} are", described),
                     described < running ? "of the others, only the resources are known, not their groups"
                                         : "the answers are of different times"));
  }

  std::optional<Reserved> reserved_by_tasks() const {
    Reserved sum;
    for (const auto* task : live_.tasks) {
      const auto own = reserved_by(*task);
      if (!own) return std::nullopt;
      sum.cpu += own->cpu;
      sum.memory += own->memory;
    }
    return sum;
  }

  /// Task level wins over the containers; of a container the reservation over the limit (docs/placement.md). What the
  /// task itself says holds its overrides.
  std::optional<Reserved> reserved_by(const DescribedTask& task) const {
    const auto cpu = compute_reserved(task, task.cpu, &TaskRequirement::cpu, [](const auto& one) { return one.cpu; });
    const auto memory = compute_reserved(task, task.memory, &TaskRequirement::memory, [](const auto& one) {
      return one.memory_reservation.value_or(0) > 0 ? one.memory_reservation : one.memory;
    });
    if (cpu < 0 || memory < 0) return std::nullopt;
    return Reserved{cpu, memory};
  }

  /// -1 when it is not stated.
  template <class Member>
  std::int64_t compute_reserved(const DescribedTask& task, const std::optional<std::int64_t>& of_task,
                                std::int64_t TaskRequirement::*of_definition, Member member) const {
    if (of_task.value_or(0) > 0) return *of_task;
    if (const std::int64_t sum = sum_of_containers(task, member); sum >= 0) return sum;
    const TaskRequirement* definition = requirement_of(task);
    return definition == nullptr ? -1 : definition->*of_definition;
  }

  template <class Member>
  static std::int64_t sum_of_containers(const DescribedTask& task, Member member) {
    if (task.containers.empty()) return -1;
    std::int64_t sum = 0;
    for (const auto& container : task.containers) {
      const std::optional<std::int64_t> own = member(container);
      if (own.value_or(-1) < 0) return -1;
      sum += *own;
    }
    return sum;
  }

  void use_cpu_and_memory() {
    const auto reserved = reserved_by_tasks();
    const auto& remaining = described_.remaining;
    if (!remaining.cpu || !remaining.memory) {
      note("remaining-not-described",
           reserved ? "remainingResources are not described; what its tasks reserve is taken off"
                    : "remainingResources are not described, nor what its tasks reserve: it counts as empty");
    }
    const bool compare = all_described_ && reserved.has_value();
    use_.cpu = taken("CPU", "CPU units", profile_.cpu, remaining.cpu, reserved.value_or(Reserved{}).cpu, compare);
    use_.memory =
        taken("MEMORY", "MiB", profile_.memory, remaining.memory, reserved.value_or(Reserved{}).memory, compare);
  }

  /// What ECS says counts; a sum that differs is reported.
  std::int64_t taken(std::string_view name, std::string_view unit, std::int64_t registered,
                     std::optional<std::int64_t> remaining, std::int64_t by_tasks, bool compare) {
    if (!remaining) return by_tasks;
    const std::int64_t taken = registered - *remaining;
    if (*remaining < 0) {
      note("remaining-negative",
           fmt::format("{} that remains is {}: more is reserved than it registers", name, *remaining));
    }
    if (taken < 0) {
      note("remaining-differs", fmt::format("{} that remains ({}) is more than it registers ({}), which counts", name,
                                            *remaining, registered));
      return 0;
    }
    if (compare && taken != by_tasks) {
      const auto tasks = static_cast<std::int64_t>(live_.tasks.size());
      const std::string reserve = tasks == 0   ? "no task described reserves any"
                                  : tasks == 1 ? fmt::format("its 1 task reserves {}", by_tasks)
                                               : fmt::format("its {} tasks reserve {}", tasks, by_tasks);
      note("remaining-differs",
           fmt::format("{} {} are taken and {}: what ECS says remains counts", taken, unit, reserve));
    }
    return taken;
  }

  void use_interfaces() {
    const std::int64_t used = std::count_if(live_.tasks.begin(), live_.tasks.end(),
                                            [](const DescribedTask* task) { return task->has_network_interface; });
    use_.network_interfaces = std::min(used, profile_.network_interfaces);
    if (used <= profile_.network_interfaces) return;
    note("interfaces-differ",
         fmt::format("{} of its tasks have their own network interface, but {} has room for {}: none is left", used,
                     profile_.instance_type, profile_.network_interfaces));
  }

  void use_attachments() {
    std::int64_t volumes = 0;
    for (const auto* task : live_.tasks) volumes += task->ebs_volumes;
    const std::int64_t interfaces = profile_.interfaces_take_attachments ? use_.network_interfaces : 0;
    const std::int64_t limit = std::max<std::int64_t>(0, profile_.ebs_attachments - interfaces);
    use_.ebs_volumes = std::min(volumes, limit);
    if (volumes <= limit) return;
    note("ebs-attachments-differ", fmt::format("its tasks have {} and {} can attach {} for tasks: none is left",
                                               count_of(volumes, "EBS volume"), profile_.instance_type, limit));
  }

  void use_ports() {
    const auto& remaining = described_.remaining;
    if (remaining.tcp_ports) use_.tcp_ports = without(*remaining.tcp_ports, profile_.reserved_tcp_ports);
    if (remaining.udp_ports) use_.udp_ports = without(*remaining.udp_ports, profile_.reserved_udp_ports);
    if (remaining.tcp_ports || remaining.udp_ports) return;
    Ports tcp, udp;
    for (const auto* task : live_.tasks) {
      const TaskRequirement* definition = requirement_of(*task);
      if (definition == nullptr) continue;
      tcp.insert(tcp.end(), definition->tcp_ports.begin(), definition->tcp_ports.end());
      udp.insert(udp.end(), definition->udp_ports.begin(), definition->udp_ports.end());
    }
    const auto unique = [](Ports& ports) {
      std::sort(ports.begin(), ports.end());
      ports.erase(std::unique(ports.begin(), ports.end()), ports.end());
    };
    unique(tcp);
    unique(udp);
    use_.tcp_ports = without(tcp, profile_.reserved_tcp_ports);
    use_.udp_ports = without(udp, profile_.reserved_udp_ports);
  }

  void use_gpus() {
    check_gpu_ids();
    if (profile_.gpu_ids.empty()) return;
    if (described_.remaining.cpu && !free_devices_ && described_.gpus.empty())
      note("gpu-contradiction", fmt::format("remainingResources do not name its {}; those that no task holds count as "
                                            "free",
                                            profile_.neuron_devices > 0 ? "Neuron devices" : "GPUs"));
    use_.gpus.resize(profile_.gpu_ids.size());
    for (std::size_t i = 0; i < use_.gpus.size(); ++i) use_.gpus[i] = use_of_gpu(profile_.gpu_ids[i]);
  }

  void check_gpu_ids() {
    const auto check = [this](const std::string& id, const std::string& where) {
      if (!contains(profile_.gpu_ids, id))
        note("gpu-contradiction", fmt::format("{} contains {}, which the instance does not register", where, id));
    };
    if (free_devices_) {
      for (const auto& id : *free_devices_) check(id, "remainingResources");
    }
    for (const auto* task : live_.tasks) {
      for (const auto& container : task->containers) {
        for (const auto& id : container.gpu_ids) check(id, "task " + task->id);
      }
    }
  }

  GpuUse use_of_gpu(const std::string& id) {
    const Holders holders = find_holders(id);
    const auto state = std::find_if(described_.gpus.begin(), described_.gpus.end(),
                                    [&](const model::DescribedGpu& gpu) { return gpu.id == id; });
    if (state != described_.gpus.end()) return use_by_state(*state, holders);
    GpuUse use = holders.use;
    const bool is_free = free_devices_ ? contains(*free_devices_, id) : holders.count == 0;
    if (is_free && use.dedicated) {
      note("gpu-contradiction",
           fmt::format("{} is free by remainingResources and held by a task; it counts as taken", id));
    }
    if (use.dedicated && holders.count > 1)
      note("gpu-contradiction", fmt::format("{} is held by {} containers", id, holders.count));
    if (!is_free && holders.count == 0) {
      use.dedicated = true;
      if (all_described_) note("gpu-contradiction", fmt::format("{} is not free, and no task described holds it", id));
    }
    return use;
  }

  /// Follows API_GpuDevice: the memory that is left for sharing is ECS's own figure.
  GpuUse use_by_state(const model::DescribedGpu& state, const Holders& holders) {
    const bool is_fractional = profile_.gpu_fraction_millionths < 1'000'000;
    if (state.sharing_mode == "NVIDIA_MPS" && state.remaining_memory && !is_fractional)
      return mps_use(profile_.gpu_memory - *state.remaining_memory);
    if (state.sharing_mode == "NVIDIA_MPS") return holders.use;
    if (state.sharing_mode == "DEDICATED")
      return holders.use.share_millionths > 0 ? holders.use : GpuUse{.dedicated = true};
    if (holders.count > 0)
      note("gpu-contradiction", fmt::format("{} is IDLE and held by a task; it counts as taken", state.id));
    return holders.use;
  }

  /// A GPU in sharing mode of which nothing is in use takes any task.
  static GpuUse mps_use(MiB taken) {
    if (taken <= 0) return {};
    return {.shared_memory = taken, .is_shared = true};
  }

  Holders find_holders(const std::string& id) const {
    Holders holders;
    for (const auto* task : live_.tasks) {
      for (const auto& container : task->containers) {
        if (!contains(container.gpu_ids, id)) continue;
        ++holders.count;
        holders.use.dedicated |= !add_share(*task, container, holders.use);
      }
    }
    if (holders.use.dedicated) holders.use = {.dedicated = true};
    return holders;
  }

  /// False when the container holds the whole device, or its definition is not there to say otherwise.
  bool add_share(const DescribedTask& task, const DescribedContainer& container, GpuUse& use) const {
    const TaskRequirement* definition = requirement_of(task);
    if (definition == nullptr) return false;
    const bool is_fractional = profile_.gpu_fraction_millionths < 1'000'000;
    for (const auto& wanted : definition->gpu_containers) {
      if (wanted.name != container.name) continue;
      if (wanted.form == GpuForm::kMps && !is_fractional) {
        use.is_shared = true;
        use.shared_memory += wanted.mps_memory;
        return true;
      }
      if (wanted.form == GpuForm::kFraction && is_fractional)
        return use.share_millionths += wanted.fraction_millionths, true;
    }
    return false;
  }

  void add_running() {
    for (const auto* task : live_.tasks) {
      if (loading_.settles && is_stopping(*task)) {
        ++loading_.tasks_off_instances[task->group];
        continue;
      }
      RunningTask running{task->id, live_.index, task->group, task->task_definition, is_stopping(*task), {}};
      for (std::uint32_t gpu = 0; gpu < profile_.gpu_ids.size(); ++gpu) {
        const bool holds = std::any_of(task->containers.begin(), task->containers.end(), [&](const auto& container) {
          return contains(container.gpu_ids, profile_.gpu_ids[gpu]);
        });
        if (holds) running.gpus.push_back(gpu);
      }
      loading_.scenario.running.push_back(std::move(running));
    }
  }

  /// Ids of GPUs or Neuron devices that are left by remainingResources; nothing where it does not name them.
  std::optional<std::vector<std::string>> free_devices_;
  Loading& loading_;
  LiveNotes& notes_;
  const LiveInstance& live_;
  const DescribedInstance& described_;
  const InstanceProfile& profile_;
  const std::string& id_;
  bool all_described_ = true;
  InstanceUse use_;
};

}  // namespace

InstanceUse use_of(Loading& loading, LiveNotes& notes, const LiveInstance& instance) {
  return UseReader(loading, notes, instance).run();
}

}  // namespace bayplan::scenario

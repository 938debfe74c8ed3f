#include "replay/instance_book.hpp"

#include <algorithm>
#include <tuple>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "placement/model/profiles.hpp"
#include "replay/timeline.hpp"
#include "scenario/described_profile.hpp"
#include "text/read.hpp"

namespace bayplan::replay {
namespace {

/// An instance that registered so long before its first record was there before.
constexpr Milliseconds kNewFor = 60'000;

/// Records of different resources are not ordered more finely than that: an instance may be reported before or after a
/// task that was placed on it in the same second.
constexpr Milliseconds kOrderDoubt = 1000;

std::vector<std::uint16_t> ports_in(std::string_view text) {
  std::vector<std::uint16_t> ports;
  for (const auto part : split(text, ',')) {
    if (const auto port = to_integer(part)) ports.push_back(static_cast<std::uint16_t>(*port));
  }
  return ports;
}

InstanceStatus status_for(RecordedStatus status) {
  switch (status) {
    case RecordedStatus::kDraining:
      return InstanceStatus::kDraining;
    case RecordedStatus::kInactive:
      return InstanceStatus::kInactive;
    case RecordedStatus::kOther:
      return InstanceStatus::kRegistering;
    default:
      return InstanceStatus::kActive;
  }
}

std::int64_t free_gpus(const InstanceState& state) {
  return std::count_if(state.gpus.begin(), state.gpus.end(),
                       [](const GpuDevice& device) { return device.state == GpuState::kIdle; });
}

std::string port_words(const std::vector<std::uint16_t>& ports) {
  std::string text;
  for (const auto port : ports) (text += text.empty() ? "" : ",") += std::to_string(port);
  return text.empty() ? "none" : text;
}

}  // namespace

InstanceBook::InstanceBook(History& history, RecordedCluster& cluster, Requests& requests, TaskStates& tasks,
                           const catalog::Catalog& catalog, bool has_snapshot, ReplayResult& result)
    : history_(history), cluster_(cluster), requests_(requests), tasks_(tasks), catalog_(catalog), result_(result) {
  for (std::uint32_t i = 0; i < cluster_.size(); ++i) {
    arn_of_.push_back(history_.names.id(cluster_.profile(i).arn));
    record_of(i).is_checked = true;
  }
  find_providers();
  make_changes();
  if (!has_snapshot) find_time_of_knowledge();
}

/// Instance events do not name the capacity provider; the tasks of an instance do.
void InstanceBook::find_providers() {
  for (const auto& task : history_.tasks) {
    if (task.provider != kNoName && task.instance != kNoName) provider_of_.emplace(task.instance, task.provider);
  }
  for (std::uint32_t i = 0; i < cluster_.size(); ++i) {
    const auto provider = provider_of_.find(arn_of_[i]);
    if (provider != provider_of_.end()) cluster_.set_provider(i, std::string(history_.names.text(provider->second)));
  }
}

void InstanceBook::make_changes() {
  for (std::size_t i = 0; i < history_.tasks.size(); ++i) {
    const auto& task = history_.tasks[i];
    if (task.instance == kNoName) continue;
    auto& changes = records_[task.instance].changes;
    const Milliseconds at = decision_time(task);
    const auto index = static_cast<std::uint32_t>(i);
    changes.push_back({at, index, true});
    if (task.stopped != kNoTime) changes.push_back({std::max(at, task.stopped), index, false});
  }
  for (auto& [arn, record] : records_) {  // each by itself: their order does not matter
    std::stable_sort(record.changes.begin(), record.changes.end(),
                     [](const auto& a, const auto& b) { return a.at < b.at; });
  }
}

/// Without a snapshot an instance is unknown until its first record; one that registered long before was there.
void InstanceBook::find_time_of_knowledge() {
  std::vector<bool> is_seen(history_.instances.size());
  for (const auto& seen : history_.observations) {
    if (is_seen[seen.instance]) continue;
    is_seen[seen.instance] = true;
    const auto described = described_of(seen.instance, seen.description);
    const bool is_new = described && described->registered_at && *described->registered_at * 1000 + kNewFor >= seen.at;
    if (!is_new) all_known_at_ = std::max(all_known_at_, seen.at);
  }
}

std::optional<model::DescribedInstance> InstanceBook::described_of(std::uint32_t instance,
                                                                   std::uint32_t description) const {
  const auto& recorded = history_.instances[instance].descriptions.at(description);
  const auto document = text::read_document(recorded.json, {.format = text::Format::kJson});
  model::DescribedInstance described;
  if (!document->root() || model::bind(document->root(), described)) return std::nullopt;
  if (!described.registered.cpu || !described.registered.memory) return std::nullopt;
  return described;
}

/// The instance in the cluster, which gets it, or its new attributes, if they are new.
std::optional<std::uint32_t> InstanceBook::instance_of(const InstanceObservation& seen) {
  const auto& recorded = history_.instances[seen.instance];
  const auto known = cluster_.find(history_.names.text(recorded.arn));
  if (known) {
    auto& record = record_of(*known);
    // What a snapshot describes is what the first record does.
    if (record.description == kNoIndex) record.description = seen.description;
    if (record.description == seen.description) return known;
    record.description = seen.description;
    if (const auto described = described_of(seen.instance, seen.description))
      cluster_.set_profile(*known, scenario::profile_of_described(catalog_, *described, cluster_.scenario().region));
    return known;
  }
  const auto described = described_of(seen.instance, seen.description);
  if (!described) return std::nullopt;
  const auto added =
      cluster_.add_instance(scenario::profile_of_described(catalog_, *described, cluster_.scenario().region));
  arn_of_.push_back(recorded.arn);
  tasks_.add_instance();
  result_.members.push_back({added, seen.at});
  if (const auto provider = provider_of_.find(recorded.arn); provider != provider_of_.end())
    cluster_.set_provider(added, std::string(history_.names.text(provider->second)));
  record_of(added).description = seen.description;
  add_known_tasks(added, seen.at);
  return added;
}

/// Tasks that were placed before the instance was first described.
void InstanceBook::add_known_tasks(std::uint32_t instance, Milliseconds at) {
  for (const auto& change : record_of(instance).changes) {
    if (change.at > at) break;
    if (!change.is_take || tasks_[change.task].is_held) continue;
    const auto& task = history_.tasks[change.task];
    if (task.stopped != kNoTime && task.stopped <= at) continue;
    tasks_.add_described(change.task, instance, task.stopping == kNoTime || task.stopping > at);
  }
}

RemainingResources InstanceBook::remaining_of(const InstanceObservation& seen) const {
  const auto& names = history_.names;
  return {seen.cpu, seen.memory, ports_in(names.text(seen.tcp_ports)), ports_in(names.text(seen.udp_ports)),
          gpu_ids_in(names.text(seen.free_gpus))};
}

void InstanceBook::observe(const InstanceObservation& seen) {
  const auto instance = instance_of(seen);
  if (!instance) return;
  auto& record = record_of(*instance);
  if (seen.version > 0 && seen.version <= record.version) return;  // older than what is known
  record.version = seen.version;
  if (seen.status != RecordedStatus::kUnknown)
    cluster_.set_state(*instance, status_for(seen.status), seen.agent_connected);
  if (!seen.has_remaining) return;
  const auto remaining = remaining_of(seen);
  if (record.is_checked) {
    ++result_.bookkeeping.compared;
    if (compare(*instance, seen, remaining)) {
      ++result_.bookkeeping.equal;
      return;
    }
    infer_lost_stop(*instance, remaining);
  } else {
    const auto held = std::count_if(record.changes.begin(), record.changes.end(), [&](const auto& change) {
      return change.is_take && tasks_[change.task].is_held && tasks_[change.task].instance == *instance;
    });
    const std::int64_t counted = std::max(0, seen.running) + std::max(0, seen.pending);
    if (seen.running >= 0) unknown_tasks_ += std::max<std::int64_t>(0, counted - held);
  }
  record.is_checked = true;
  cluster_.set_remaining(*instance, remaining);
}

/// Whether the remaining resources are those that were computed. If not, every resource that differs is noted.
bool InstanceBook::compare(std::uint32_t instance, const InstanceObservation& seen,
                           const RemainingResources& remaining) {
  const auto& state = cluster_.states()[instance];
  const bool names_gpus = !cluster_.profile(instance).gpu_ids.empty();
  const auto gpus = static_cast<std::int64_t>(remaining.free_gpus.size());
  const bool same_ports = state.tcp_ports == remaining.tcp_ports && state.udp_ports == remaining.udp_ports;
  if (state.cpu == remaining.cpu && state.memory == remaining.memory && same_ports &&
      (!names_gpus || free_gpus(state) == gpus))
    return true;
  if (is_equal_nearby(instance, seen, remaining)) {
    ++result_.bookkeeping.within_second;
    return true;
  }
  auto& differences = result_.bookkeeping.differences;
  const auto note = [&](std::string_view resource, std::string computed, std::string recorded) {
    if (differences.size() >= kMostListed || computed == recorded) return;
    differences.push_back({cluster_.scenario().instances[instance].id, std::string(resource), std::move(computed),
                           std::move(recorded), explanation(instance, remaining), seen.at, seen.place});
  };
  note("CPU", std::to_string(state.cpu), std::to_string(remaining.cpu));
  note("MEMORY", std::to_string(state.memory), std::to_string(remaining.memory));
  note("PORTS", port_words(state.tcp_ports), port_words(remaining.tcp_ports));
  note("PORTS_UDP", port_words(state.udp_ports), port_words(remaining.udp_ports));
  if (names_gpus) note("GPU", std::to_string(free_gpus(state)), std::to_string(gpus));
  return false;
}

/// Definitions of the size by which CPU and memory differ.
std::string InstanceBook::explanation(std::uint32_t instance, const RemainingResources& remaining) const {
  const auto& state = cluster_.states()[instance];
  const CpuUnits cpu = remaining.cpu - state.cpu;
  const MiB memory = remaining.memory - state.memory;
  for (const auto& definition : cluster_.scenario().task_definitions) {
    const auto& task = definition.requirement;
    if (task.cpu == 0 && task.memory == 0) continue;
    if (task.cpu == cpu && task.memory == memory) return fmt::format("one {} less", definition.name);
    if (task.cpu == -cpu && task.memory == -memory) return fmt::format("one {} more", definition.name);
  }
  return {};
}

/// Whether they are equal if the changes within a second of the record are taken before or after it.
bool InstanceBook::is_equal_nearby(std::uint32_t instance, const InstanceObservation& seen,
                                   const RemainingResources& remaining) {
  const auto& state = cluster_.states()[instance];
  const bool names_gpus = !cluster_.profile(instance).gpu_ids.empty();
  CpuUnits cpu = remaining.cpu - state.cpu;
  MiB memory = remaining.memory - state.memory;
  auto ports = static_cast<std::int64_t>(remaining.tcp_ports.size() + remaining.udp_ports.size()) -
               static_cast<std::int64_t>(state.tcp_ports.size() + state.udp_ports.size());
  std::int64_t gpus = names_gpus ? static_cast<std::int64_t>(remaining.free_gpus.size()) - free_gpus(state) : 0;
  const auto start = std::tuple(cpu, memory, ports, gpus);
  /// What remains to explain after the change happens (sign 1) or is undone (-1).
  const auto apply = [&](const InstanceChange& change, std::int64_t sign) {
    const auto& task = requests_.held(requests_.held_of(history_.tasks[change.task])).requirement;
    const std::int64_t direction = change.is_take ? sign : -sign;
    cpu += direction * task.cpu;
    memory += direction * task.memory;
    ports -= direction * static_cast<std::int64_t>(task.tcp_ports.size() + task.udp_ports.size());
    if (names_gpus) gpus += direction * task.gpu_count;
    return cpu == 0 && memory == 0 && ports == 0 && gpus == 0;
  };
  const auto& changes = record_of(instance).changes;
  const auto next = std::upper_bound(changes.begin(), changes.end(), seen.at,
                                     [](Milliseconds at, const InstanceChange& change) { return at < change.at; });
  for (auto later = next; later != changes.end() && later->at <= seen.at + kOrderDoubt; ++later) {
    if (apply(*later, 1)) return true;
  }
  std::tie(cpu, memory, ports, gpus) = start;
  for (auto earlier = next; earlier != changes.begin();) {
    --earlier;
    if (earlier->at < seen.at - kOrderDoubt) break;
    if (apply(*earlier, -1)) return true;
  }
  return false;
}

/// More is free than computed, as much as a task of which no record says that it stopped: it has.
void InstanceBook::infer_lost_stop(std::uint32_t instance, const RemainingResources& remaining) {
  const auto& state = cluster_.states()[instance];
  const CpuUnits cpu = remaining.cpu - state.cpu;
  const MiB memory = remaining.memory - state.memory;
  if (cpu < 0 || memory < 0 || (cpu == 0 && memory == 0)) return;
  for (const auto& change : record_of(instance).changes) {
    const auto& own = tasks_[change.task];
    if (!change.is_take || !own.is_held || own.instance != instance) continue;
    if (history_.tasks[change.task].stopped != kNoTime) continue;
    const auto& task = requests_.held(own.held).requirement;
    if (task.cpu != cpu || task.memory != memory) continue;
    tasks_.stop_counting(change.task);
    tasks_.release(change.task);
    ++result_.bookkeeping.lost_stops;
    return;
  }
}

void InstanceBook::check_snapshot(const Snapshot& snapshot) {
  Groups groups;
  for (std::uint32_t i = 0; i < snapshot.scenario.instances.size(); ++i) {
    const auto& profile = snapshot.scenario.profiles[snapshot.scenario.instances[i].profile];
    const auto known = cluster_.find(profile.arn);
    if (!known || !record_of(*known).is_checked) continue;
    const InstanceState described = starting_state(snapshot.scenario, i, groups);
    RemainingResources remaining{described.cpu, described.memory, described.tcp_ports, described.udp_ports, {}};
    for (std::size_t gpu = 0; gpu < profile.gpu_ids.size() && gpu < described.gpus.size(); ++gpu) {
      if (described.gpus[gpu].state == GpuState::kIdle) remaining.free_gpus.push_back(profile.gpu_ids[gpu]);
    }
    InstanceObservation seen;
    seen.at = snapshot.at;
    ++result_.bookkeeping.compared;
    if (compare(*known, seen, remaining)) {
      ++result_.bookkeeping.equal;
    } else {
      cluster_.set_remaining(*known, remaining);
    }
  }
  for (const auto& service : snapshot.scenario.services) requests_.describe(service);
}

}  // namespace bayplan::replay

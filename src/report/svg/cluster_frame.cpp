#include "report/svg/cluster_frame.hpp"

#include <algorithm>
#include <numeric>

#include "base/strings.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::report {

using placement::InstanceProfile;
using placement::InstanceStatus;
using timeline::Seconds;

namespace {

bool stands_at(Seconds from, const std::optional<Seconds>& to, Seconds moment) {
  return from <= moment && (!to || *to > moment);
}

std::string_view state_at(const PicturedInstance& instance, const InstanceProfile& profile, Seconds moment) {
  if (instance.draining && *instance.draining <= moment) return name_of(InstanceStatus::kDraining);
  return instance_state_words(profile);
}

FramedUse& use_of_kind(std::vector<FramedUse>& uses, std::uint32_t kind) {
  const auto found = std::find_if(uses.begin(), uses.end(), [kind](const FramedUse& use) { return use.kind == kind; });
  if (found != uses.end()) return *found;
  uses.emplace_back().kind = kind;
  return uses.back();
}

/// Devices that the instance does not have are not drawn.
void hold(FramedInstance& one, const std::vector<std::uint32_t>& gpus, FramedUse& use) {
  for (const auto gpu : gpus) {
    if (gpu >= one.gpus.size()) continue;
    auto& kinds = one.gpus[gpu];
    if (kinds.empty()) ++use.gpus;
    if (std::find(kinds.begin(), kinds.end(), use.kind) == kinds.end()) kinds.push_back(use.kind);
  }
}

FramedInstance without_tasks(const ClusterPicture& picture, std::uint32_t index, Seconds moment) {
  const auto& instance = picture.instances[index];
  const auto& profile = picture.scenario->profiles[instance.profile];
  FramedInstance one{index, state_at(instance, profile, moment), {}, {}};
  one.gpus.resize(static_cast<std::size_t>(std::max<std::int64_t>(0, profile.device_count())));
  const auto& other = instance.other;
  if (other.tasks > 0 || other.cpu > 0 || other.memory > 0 || !other.gpus.empty()) {
    auto& use = use_of_kind(one.uses, kUnlisted);
    use.tasks = other.tasks;
    use.cpu = other.cpu;
    use.memory = other.memory;
    hold(one, other.gpus, use);
  }
  return one;
}

void add(FramedInstance& one, const PicturedTask& task, const PicturedKind& kind) {
  auto& use = use_of_kind(one.uses, task.kind);
  ++use.tasks;
  use.cpu += kind.cpu;
  use.memory += kind.memory;
  use.numbers.push_back(task.number);
  hold(one, task.gpus, use);
}

void put_in_order(FramedInstance& one) {
  std::sort(one.uses.begin(), one.uses.end(), [](const FramedUse& a, const FramedUse& b) { return a.kind < b.kind; });
  for (auto& use : one.uses) std::sort(use.numbers.begin(), use.numbers.end());
  for (auto& kinds : one.gpus) std::sort(kinds.begin(), kinds.end());
}

}  // namespace

std::vector<FramedInstance> instances_at(const ClusterPicture& picture, Seconds moment) {
  constexpr std::size_t kNotThere = static_cast<std::size_t>(-1);
  std::vector<FramedInstance> frame;
  std::vector<std::size_t> place(picture.instances.size(), kNotThere);
  for (std::uint32_t i = 0; i < picture.instances.size(); ++i) {
    if (!stands_at(picture.instances[i].from, picture.instances[i].to, moment)) continue;
    place[i] = frame.size();
    frame.push_back(without_tasks(picture, i, moment));
  }
  for (const auto& task : picture.tasks) {
    if (place[task.instance] == kNotThere || !stands_at(task.from, task.to, moment)) continue;
    add(frame[place[task.instance]], task, picture.kinds[task.kind]);
  }
  for (auto& one : frame) put_in_order(one);
  return frame;
}

const InstanceProfile& profile_of(const ClusterPicture& picture, const FramedInstance& one) {
  return picture.scenario->profiles[picture.instances[one.instance].profile];
}

std::int64_t tasks_on(const FramedInstance& one) {
  return std::accumulate(one.uses.begin(), one.uses.end(), std::int64_t{0},
                         [](std::int64_t sum, const FramedUse& use) { return sum + use.tasks; });
}

CpuUnits cpu_taken(const FramedInstance& one) {
  return std::accumulate(one.uses.begin(), one.uses.end(), CpuUnits{0},
                         [](CpuUnits sum, const FramedUse& use) { return sum + use.cpu; });
}

std::int64_t free_gpus_on(const FramedInstance& one) {
  return std::count_if(one.gpus.begin(), one.gpus.end(), [](const auto& kinds) { return kinds.empty(); });
}

bool zone_less(const std::string& a, const std::string& b) {
  return a.empty() != b.empty() ? b.empty() : natural_less(a, b);
}

std::vector<std::int64_t> tasks_by_kind(const ClusterPicture& picture, const std::vector<FramedInstance>& frame) {
  std::vector<std::int64_t> tasks(picture.kinds.size());
  for (const auto& one : frame) {
    for (const auto& use : one.uses) {
      if (use.kind != kUnlisted) tasks[use.kind] += use.tasks;
    }
  }
  return tasks;
}

}  // namespace bayplan::report

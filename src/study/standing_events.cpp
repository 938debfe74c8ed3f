// What happens to a standing cluster.
#include <algorithm>
#include <tuple>

#include "placement/capacity_providers.hpp"
#include "study/standing_cluster.hpp"

namespace bayplan::study {

using namespace placement;  // NOLINT: the study of placements is about nothing else

namespace {

bool is_among(const std::vector<std::uint32_t>& sorted, std::uint32_t number) {
  return std::binary_search(sorted.begin(), sorted.end(), number);
}

void add_all(std::vector<std::uint32_t>& sorted, const std::vector<std::uint32_t>& more) {
  sorted.insert(sorted.end(), more.begin(), more.end());
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
}

template <class Event>
std::vector<std::uint32_t> instances_of(const std::vector<ClusterEvent>& events) {
  std::vector<std::uint32_t> all;
  for (const auto& event : events) {
    if (const auto* own = std::get_if<Event>(&event)) add_all(all, own->instances);
  }
  return all;
}

/// Instances that came with one are as those that came with the other.
bool is_alike(const InstanceProfile& a, const InstanceProfile& b) {
  const auto parts = [](const InstanceProfile& profile) {
    return std::tie(profile.instance_type, profile.availability_zone, profile.subnet_id, profile.capacity_provider_name,
                    profile.attributes, profile.has_all_capabilities, profile.status, profile.agent_connected,
                    profile.gpu_sharing, profile.cpu, profile.memory, profile.gpu_count,
                    profile.gpu_fraction_millionths, profile.gpu_memory, profile.network_interfaces,
                    profile.ebs_attachments, profile.interfaces_take_attachments, profile.reserved_tcp_ports,
                    profile.reserved_udp_ports, profile.hourly_price);
  };
  return parts(a) == parts(b);
}

}  // namespace

void StandingCluster::happen(const std::vector<ClusterEvent>& events, bool explains,
                             std::optional<std::uint32_t> rolled) {
  explains_ = explains;
  chooser_.draw_anew();
  auto gone = instances_of<LoseInstances>(events);
  const auto draining = instances_of<DrainInstances>(events);
  for (const auto& event : events) {
    if (const auto* own = std::get_if<RemoveInstances>(&event)) add_all(gone, given_back(*own, gone, draining));
  }
  for (const std::uint32_t instance : gone) lose(instance);
  for (const std::uint32_t instance : draining) {
    if (!is_among(gone, instance)) drain(instance);
  }
  for (const auto& event : events) {
    if (const auto* own = std::get_if<AddInstances>(&event)) add(*own);
  }
  for (const auto& event : events) {
    if (const auto* own = std::get_if<Scale>(&event)) scale(*own);
  }
  if (rolled) roll(*rolled);
  for (const std::uint32_t task : lost_) release_call_of(task);
  react();
}

std::vector<std::uint32_t> StandingCluster::given_back(const RemoveInstances& event,
                                                       const std::vector<std::uint32_t>& gone,
                                                       const std::vector<std::uint32_t>& draining) const {
  std::vector<std::uint32_t> instances;
  for (std::uint32_t i = 0; i < base_instances_; ++i) {
    const auto& profile = scenario_.profiles[scenario_.instances[i].profile];
    if (profile.instance_type == event.instance_type && !is_among(gone, i) && !is_among(draining, i))
      instances.push_back(i);
  }
  std::sort(instances.begin(), instances.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(tasks_on_[a].size(), b) < std::pair(tasks_on_[b].size(), a);
  });
  instances.resize(std::min(instances.size(), static_cast<std::size_t>(event.count)));
  return instances;
}

void StandingCluster::add(const AddInstances& event) {
  for (const auto& instance : event.instances) add_instance(event.profiles[instance.profile], instance.id);
}

/// One that an earlier variant added serves again: what is known of it is known already.
void StandingCluster::add_instance(const InstanceProfile& profile, const std::string& id) {
  auto known = base_profiles_;
  while (known < scenario_.profiles.size() && !is_alike(scenario_.profiles[known], profile)) ++known;
  if (known == scenario_.profiles.size()) scenario_.profiles.push_back(profile);
  auto instance = added_.empty() ? base_instances_ : added_.back() + 1;
  while (instance < scenario_.instances.size() &&
         (scenario_.instances[instance].id != id || scenario_.instances[instance].profile != known))
    ++instance;
  if (instance == scenario_.instances.size()) {
    scenario_.instances.push_back({id, known});
    occupancy_.add_instances();
    is_saved_.push_back(0);
    draining_.push_back(0);
  } else {
    occupancy_.restore(instance, empty_instance(scenario_.profiles[known]));
  }
  added_.push_back(instance);
  next_version();
}

void StandingCluster::lose(std::uint32_t instance) {
  save(instance);
  for (const std::uint32_t task : tasks_on_[instance]) {
    auto& own = change(task);
    own.instance = kNowhere;
    if (scenario_.workloads[own.workload].kind == WorkloadKind::kService) {
      auto& service = change_service(own.workload);
      --service.settled;
      ++service.left;
      leave_provider(service, own);
      own.is_dropped = true;  // another one is started in its place
    } else {
      --change_name(own.workload).placed;
      lost_.push_back(task);
    }
  }
  daemons_.started -= daemons_on_[instance].started;
  daemons_.failed -= daemons_on_[instance].failed;
  occupancy_.remove_instance(instance);
  next_version();
}

/// One that is not ACTIVE takes no tasks anyway, and what runs there has been moved or not.
void StandingCluster::drain(std::uint32_t instance) {
  const std::uint32_t base = scenario_.instances[instance].profile;
  if (scenario_.profiles[base].status != InstanceStatus::kActive) return;
  save(instance);
  const auto next = static_cast<std::uint32_t>(scenario_.profiles.size());
  const auto [known, is_new] = draining_profile_.try_emplace(base, next);
  if (is_new) {
    scenario_.profiles.push_back(scenario_.profiles[base]);
    scenario_.profiles.back().status = InstanceStatus::kDraining;
  }
  scenario_.instances[instance].profile = known->second;
  occupancy_.change_profile(instance);
  draining_[instance] = 1;
  drained_.push_back(instance);
  next_version();
  for (const std::uint32_t task : tasks_on_[instance]) {
    const auto& own = tasks_[task];
    if (scenario_.workloads[own.workload].kind == WorkloadKind::kService) {
      auto& service = change_service(own.workload);
      --service.settled;
      ++service.draining;
      leave_provider(service, own);
    } else {
      ++change_name(own.workload).stays;
    }
  }
}

void StandingCluster::roll(std::uint32_t workload) {
  auto& service = change_service(workload);
  for (const std::uint32_t index : members_of_[workload]) {
    const auto& own = tasks_[index];
    if (own.instance == kNowhere || is_draining(own.instance)) continue;
    --service.settled;
    ++service.draining;
    leave_provider(service, own);
    change(index).is_replaced = true;
  }
}

void StandingCluster::scale(const Scale& event) {
  if (event.workloads.empty()) return;
  const std::uint32_t first = event.workloads.front();
  if (scenario_.workloads[first].kind != WorkloadKind::kService) return scale_tasks(event.workloads, event.count);
  auto& service = change_service(first);
  change_name(first).desired += event.count - service.desired;
  service.desired = event.count;
}

void StandingCluster::scale_tasks(const std::vector<std::uint32_t>& workloads, std::int64_t count) {
  std::vector<std::uint32_t> tasks;
  for (const std::uint32_t workload : workloads) {
    for (const std::uint32_t task : members_of_[workload]) {
      if (tasks_[task].call != kNowhere) tasks.push_back(task);
    }
  }
  const auto has = static_cast<std::int64_t>(tasks.size());
  if (count >= has) return start_more(workloads.back(), count - has);
  std::sort(tasks.begin(), tasks.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto order = [&](std::uint32_t task) {
      return std::pair(tasks_[task].instance != kNowhere, -tasks_[task].number);
    };
    return order(a) < order(b);
  });
  tasks.resize(static_cast<std::size_t>(has - count));
  for (const std::uint32_t task : tasks) drop(task);
}

/// Nobody wants the task of a call any more.
void StandingCluster::drop(std::uint32_t task) {
  auto& name = change_name(tasks_[task].workload);
  --name.desired;
  if (tasks_[task].instance != kNowhere) {
    --name.placed;
    if (is_draining(tasks_[task].instance)) --name.stays;
    give_back(task);
  }
  change(task).is_dropped = true;
}

/// What is placed as a whole ends as a whole.
void StandingCluster::release_call_of(std::uint32_t lost) {
  const auto& own = tasks_[lost];
  if (own.is_dropped || own.call == kNowhere || !scenario_.workloads[own.workload].all_or_nothing) return;
  const Call call = calls_[own.call];
  for (std::uint32_t task = call.first; task < call.first + call.count; ++task) {
    if (tasks_[task].instance == kNowhere) continue;
    auto& name = change_name(call.workload);
    --name.placed;
    if (is_draining(tasks_[task].instance)) --name.stays;
    give_back(task);
  }
}

/// One more call.
void StandingCluster::start_more(std::uint32_t workload, std::int64_t count) {
  if (count == 0) return;
  const auto& shares = scenario_.workloads[workload].capacity_providers;
  ProviderDeal deal(shares);
  calls_.push_back({workload, static_cast<std::uint32_t>(tasks_.size()), static_cast<std::uint32_t>(count)});
  auto& name = change_name(workload);
  name.desired += count;
  for (; count > 0; --count) {
    StandingTask task;
    task.workload = workload;
    task.task_class = occupancy_.classes().number(workload, shares.empty() ? 0 : deal.next());
    task.number = ++name.last_number;
    task.call = static_cast<std::uint32_t>(calls_.size() - 1);
    more_.push_back(add_task(std::move(task)));
  }
}

}  // namespace bayplan::study

#include "study/plain_what_if.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "placement/engine/attempts.hpp"
#include "placement/engine/filters.hpp"
#include "placement/engine/occupancy.hpp"
#include "placement/model/capacity_providers.hpp"
#include "placement/model/stop_rule.hpp"
#include "placement/plain_engine.hpp"

namespace bayplan::study {

using namespace placement;

namespace {

constexpr std::uint32_t kNone = static_cast<std::uint32_t>(-1);

void book(const Scenario& scenario, const capacity::TaskRequirement& task, std::uint32_t instance,
          const std::vector<std::uint32_t>& gpus, InstanceUse& use) {
  using capacity::GpuForm;
  const auto add = [](std::vector<std::uint16_t>& taken, const std::vector<std::uint16_t>& ports) {
    taken.insert(taken.end(), ports.begin(), ports.end());
    std::sort(taken.begin(), taken.end());
  };
  use.cpu += task.cpu;
  use.memory += task.memory;
  use.network_interfaces += task.network_interfaces;
  use.ebs_volumes += task.ebs_volumes;
  add(use.tcp_ports, task.tcp_ports);
  add(use.udp_ports, task.udp_ports);
  ++use.tasks;
  if (gpus.empty()) return;
  use.gpus.resize(static_cast<std::size_t>(scenario.profiles[scenario.instances[instance].profile].device_count()));
  for (const std::uint32_t gpu : gpus) {
    if (task.gpu_form == GpuForm::kMps) {
      use.gpus[gpu].is_shared = true;
      use.gpus[gpu].shared_memory += task.mps_memory;
    } else if (task.gpu_form == GpuForm::kFraction) {
      use.gpus[gpu].share_millionths += task.gpu_fraction_millionths;
    } else {
      use.gpus[gpu].dedicated = true;
    }
  }
}

struct Task {
  std::uint32_t workload = kNone;  ///< kNone: what runs, and nobody starts elsewhere.
  std::pair<std::string, bool> name;
  std::string group;
  capacity::TaskRequirement requirement;  ///< What it takes where it stands.
  std::uint32_t instance = kNone;
  std::vector<std::uint32_t> gpus;
  std::size_t provider = 0;
  bool is_dealt = true;  ///< To that provider.
  std::uint32_t call = kNone;
  std::int64_t number = 0;
  std::uint32_t stood = kNone;  ///< Where it stood in the baseline.
  bool is_wanted = true;
  bool is_daemon = false;
};

class Plain {
 public:
  Plain(const Scenario& scenario, const std::vector<InstantEvent>& events) : now_(scenario), events_(events) {
    for (auto& workload : now_.workloads) {
      is_open_.push_back(!workload.count);
      workload.count = workload.count.value_or(0);
    }
    adopt_running();
    placed_ = place_plainly(now_);
    note_turns();
  }

  PlainResult run() {
    lose();
    drain();
    add();
    scale();
    begin();
    start_daemons();
    for (auto& [workload, service] : services_) scale_in(workload, service);
    bool changed = true;
    while (changed) {
      changed = false;
      for (auto& [workload, service] : services_) changed |= attempt(workload, service);
    }
    start_standalone();
    return result();
  }

 private:
  struct Service {
    std::int64_t desired = 0;
    std::int64_t left = 0;
    std::int64_t started = 0;
    std::vector<std::size_t> placeless;
  };

  /// It drains, because of the events or since before them.
  bool is_leaving(std::uint32_t instance) const { return profile(instance).status == InstanceStatus::kDraining; }

  std::pair<std::string, bool> name_of(std::uint32_t workload) const {
    const auto& own = now_.workloads[workload];
    return {own.name, own.kind == WorkloadKind::kService};
  }

  std::uint32_t service_with(const std::string& group) const {
    for (std::uint32_t i = 0; i < is_open_.size(); ++i) {
      const bool is_service = now_.workloads[i].kind == WorkloadKind::kService;
      if (is_service && !is_open_[i] && now_.workloads[i].group == group) return i;
    }
    return kNone;
  }

  /// Workloads for tasks that run without one, so that they can be placed like all others.
  void adopt_running() {
    std::map<std::pair<std::string, std::string>, std::uint32_t> made;
    for (const auto& running : now_.running) {
      const bool is_daemon = std::any_of(now_.workloads.begin(), now_.workloads.end(), [&](const Workload& w) {
        return w.kind == WorkloadKind::kDaemon && w.group == running.group;
      });
      const auto definition = std::find_if(now_.task_definitions.begin(), now_.task_definitions.end(),
                                           [&](const auto& own) { return own.name == running.task_definition; });
      const bool is_known = definition != now_.task_definitions.end();
      Task task;
      task.group = running.stopping ? "" : running.group;
      if (is_known) task.requirement = definition->requirement;
      task.instance = task.stood = running.instance;
      task.gpus = running.gpus;
      task.is_daemon = is_daemon || running.daemon || running.stopping;
      if (!task.is_daemon) {
        task.workload = service_with(running.group);
        const bool is_service = running.group.starts_with("service:");
        const auto key = std::pair(running.group, is_service ? "" : running.task_definition);
        if (task.workload == kNone && made.contains(key)) task.workload = made[key];
        if (task.workload == kNone) {
          Workload workload;
          workload.kind = is_service ? WorkloadKind::kService : WorkloadKind::kTasks;
          workload.name = is_service ? running.group.substr(8)
                                     : running.task_definition.substr(0, running.task_definition.rfind(':'));
          workload.group = running.group;
          workload.count = 0;
          if (is_known) workload.requirement = definition->requirement;
          if (is_known) workload.constraints = definition->constraints;
          made[key] = task.workload = static_cast<std::uint32_t>(now_.workloads.size());
          if (!is_known) unknown_.insert(task.workload);
          now_.workloads.push_back(workload);
        }
        task.name = name_of(task.workload);
        const auto& shares = now_.workloads[task.workload].capacity_providers;
        task.is_dealt = false;
        for (std::size_t i = shares.size(); i-- > 0;) {
          if (shares[i].capacity_provider != profile(running.instance).capacity_provider_name) continue;
          task.provider = i;
          task.is_dealt = true;
        }
      }
      tasks_.push_back(task);
      running_.push_back(running);
    }
  }

  const InstanceProfile& profile(std::uint32_t instance) const {
    return now_.profiles[now_.instances[instance].profile];
  }

  void note_turns() {
    std::map<std::int64_t, const Placement*> placements;
    std::map<std::int64_t, PlacementAttempt> attempts;
    for (const auto& own : placed_.placements) {
      placements[own.attempt.step] = &own;
      attempts[own.attempt.step] = own.attempt;
    }
    for (const auto& own : placed_.failures) attempts[own.attempt.step] = own.attempt;
    auto next = attempts.begin();
    std::uint32_t call_number = 0;
    for (const auto& call : placement_order(now_)) {
      const auto& workload = now_.workloads[call.workload];
      const bool is_daemon = workload.kind == WorkloadKind::kDaemon;
      ProviderDistributor deal(workload.capacity_providers);
      for (std::int64_t i = 0;
           is_daemon ? next != attempts.end() && next->second.workload == call.workload : i < call.count; ++i, ++next) {
        Task task;
        task.workload = call.workload;
        task.name = name_of(call.workload);
        task.group = workload.group;
        task.requirement = workload.requirement;
        task.is_daemon = is_daemon;
        task.number = next->second.number;
        if (!workload.capacity_providers.empty() && workload.kind == WorkloadKind::kTasks) task.provider = deal.next();
        if (workload.kind == WorkloadKind::kTasks) task.call = call_number;
        for (std::size_t p = 0; p < workload.capacity_providers.size() && workload.kind == WorkloadKind::kService;
             ++p) {
          if (next->second.capacity_provider == p) task.provider = p;
        }
        if (const auto own = placements.find(next->first); own != placements.end()) {
          task.instance = task.stood = own->second->instance;
          task.gpus = list_devices(workload.requirement, own->second->gpus);
        } else if (is_daemon) {
          continue;
        }
        tasks_.push_back(task);
      }
      ++call_number;
    }
    calls_ = call_number;
    for (std::uint32_t i = 0; i < now_.workloads.size(); ++i) {
      if (now_.workloads[i].kind == WorkloadKind::kService) services_[i];
    }
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      auto& task = tasks_[i];
      if (task.is_daemon) continue;
      ++figures_[task.name].desired;
      if (task.workload == kNone || now_.workloads[task.workload].kind != WorkloadKind::kService) continue;
      ++services_[task.workload].desired;
      if (task.instance == kNone) services_[task.workload].placeless.push_back(i);
    }
  }

  bool is_service(const Task& task) const {
    return task.workload != kNone && now_.workloads[task.workload].kind == WorkloadKind::kService;
  }

  void lose() {
    for (const auto& event : events_) {
      if (const auto* own = std::get_if<TerminateInstances>(&event))
        gone_.insert(own->instances.begin(), own->instances.end());
      if (const auto* own = std::get_if<DrainInstances>(&event)) {
        for (const std::uint32_t i : own->instances) {
          if (profile(i).status == InstanceStatus::kActive) draining_.insert(i);
          named_to_drain_.insert(i);
        }
      }
    }
    for (const auto& event : events_) {
      if (const auto* own = std::get_if<RemoveInstances>(&event)) remove(*own);
    }
    for (auto& task : tasks_) {
      if (task.instance == kNone || !gone_.contains(task.instance)) continue;
      task.instance = kNone;
      if (task.is_daemon) task.is_wanted = false;
      if (!is_service(task)) continue;
      task.is_wanted = false;
      ++services_[task.workload].left;
    }
  }

  void remove(const RemoveInstances& event) {
    for (std::int64_t count = event.count; count > 0; --count) {
      std::uint32_t best = kNone;
      std::int64_t fewest = 0;
      for (std::uint32_t i = 0; i < now_.instances.size(); ++i) {
        if (profile(i).instance_type != event.instance_type || gone_.contains(i) || named_to_drain_.contains(i))
          continue;
        const auto tasks = std::count_if(tasks_.begin(), tasks_.end(),
                                         [&](const Task& task) { return task.instance == i && !task.is_daemon; });
        if (best != kNone && tasks > fewest) continue;
        best = i;
        fewest = tasks;
      }
      if (best == kNone) return;
      gone_.insert(best);
    }
  }

  void drain() {
    for (const std::uint32_t i : draining_) {
      now_.profiles.push_back(profile(i));
      now_.profiles.back().status = InstanceStatus::kDraining;
      now_.instances[i].profile = static_cast<std::uint32_t>(now_.profiles.size() - 1);
    }
  }

  void add() {
    first_added_ = static_cast<std::uint32_t>(now_.instances.size());
    for (const auto& event : events_) {
      const auto* own = std::get_if<AddInstances>(&event);
      if (own == nullptr) continue;
      for (const auto& instance : own->instances) {
        now_.instances.push_back({instance.id, static_cast<std::uint32_t>(now_.profiles.size())});
        now_.profiles.push_back(own->profiles[instance.profile]);
      }
    }
  }

  void scale() {
    for (const auto& event : events_) {
      const auto* own = std::get_if<Scale>(&event);
      if (own == nullptr) continue;
      const auto workload = own->workloads.front();
      if (now_.workloads[workload].kind == WorkloadKind::kService) {
        figures_[name_of(workload)].desired += own->count - services_[workload].desired;
        services_[workload].desired = own->count;
      } else {
        scale_tasks(*own);
      }
    }
  }

  void scale_tasks(const Scale& event) {
    std::vector<Task*> tasks;
    for (auto& task : tasks_) {
      const bool is_named =
          std::find(event.workloads.begin(), event.workloads.end(), task.workload) != event.workloads.end();
      if (task.call != kNone && is_named) tasks.push_back(&task);
    }
    auto& figures = figures_[name_of(event.workloads.front())];
    while (static_cast<std::int64_t>(tasks.size()) > event.count) {
      const auto last = std::max_element(tasks.begin(), tasks.end(), [](const Task* a, const Task* b) {
        if ((a->instance == kNone) != (b->instance == kNone)) return b->instance == kNone;
        return a->number < b->number;
      });
      (*last)->is_wanted = false;
      (*last)->instance = kNone;
      --figures.desired;
      tasks.erase(last);
    }
    const std::uint32_t workload = event.workloads.back();
    ProviderDistributor deal(now_.workloads[workload].capacity_providers);
    const auto count = event.count - static_cast<std::int64_t>(tasks.size());
    for (std::int64_t i = 0; i < count; ++i) {
      Task task;
      task.workload = workload;
      task.name = name_of(workload);
      task.group = now_.workloads[workload].group;
      task.requirement = now_.workloads[workload].requirement;
      task.call = calls_;
      if (!now_.workloads[workload].capacity_providers.empty()) task.provider = deal.next();
      ++figures.desired;
      tasks_.push_back(task);
    }
    ++calls_;
  }

  /// What is placed as a whole ends as a whole.
  void end_broken_calls() {
    std::set<std::uint32_t> broken;
    for (const auto& task : tasks_) {
      const bool is_lost = task.is_wanted && task.stood != kNone && task.instance == kNone;
      if (is_lost && task.call != kNone && now_.workloads[task.workload].all_or_nothing) broken.insert(task.call);
    }
    for (auto& task : tasks_) {
      if (task.call != kNone && broken.contains(task.call)) task.instance = kNone;
    }
  }

  /// The cluster as the events leave it, before anybody has done anything; those that went leave no gap.
  void begin() {
    end_broken_calls();
    Scenario fresh = now_;
    fresh.running.clear();
    fresh.instances.clear();
    std::vector<InstanceUse> uses;
    for (std::uint32_t i = 0; i < now_.instances.size(); ++i) {
      if (gone_.contains(i)) continue;
      position_[i] = static_cast<std::uint32_t>(fresh.instances.size());
      number_.push_back(i);
      fresh.instances.push_back(now_.instances[i]);
      uses.push_back(i < now_.in_use.size() ? now_.in_use[i] : InstanceUse{});
    }
    for (std::size_t t = 0; t < tasks_.size(); ++t) {
      const auto& task = tasks_[t];
      const bool ran = t < running_.size();
      if (task.instance == kNone) continue;
      const std::uint32_t at = position_.at(task.instance);
      if (!ran) book(fresh, task.requirement, at, task.gpus, uses[at]);
      RunningTask running;
      running.instance = at;
      running.group = ran ? running_[t].group : task.group;
      running.stopping = ran && running_[t].stopping;
      fresh.running.push_back(running);
    }
    fresh.in_use = uses;
    std::stable_sort(fresh.running.begin(), fresh.running.end(),
                     [](const auto& a, const auto& b) { return a.instance < b.instance; });
    fresh_ = std::move(fresh);
    occupancy_.emplace(fresh_);
    chooser_ = plain_chooser(*occupancy_);
  }

  bool try_place(Task& task) {
    if (unknown_.contains(task.workload)) return false;
    const auto& shares = fresh_.workloads[task.workload].capacity_providers;
    const auto choice =
        chooser_->choose(occupancy_->classes().number(task.workload, shares.empty() ? 0 : task.provider));
    if (!choice) return false;
    task.requirement = fresh_.workloads[task.workload].requirement;
    task.group = fresh_.workloads[task.workload].group;
    task.gpus = list_devices(task.requirement, occupancy_->take(task.workload, choice->instance));
    task.instance = number_[choice->instance];
    task.is_dealt = true;
    return true;
  }

  void stop(Task& task) {
    const auto group = occupancy_->group_named(task.group);
    occupancy_->give_back(position_.at(task.instance), task.requirement, group, task.gpus);
    task.instance = kNone;
  }

  void start_daemons() {
    for (std::uint32_t w = 0; w < fresh_.workloads.size(); ++w) {
      if (fresh_.workloads[w].kind != WorkloadKind::kDaemon) continue;
      for (std::uint32_t i = first_added_; i < now_.instances.size(); ++i) {
        const Filter filter(fresh_, occupancy_->groups(), fresh_.workloads[w], occupancy_->group_of(w));
        const std::uint32_t at = position_.at(i);
        const auto& state = occupancy_->states()[at];
        if (filter.wants_daemon(at, state) && filter.passes(at, state, {})) occupancy_->take(w, at);
      }
    }
  }

  std::vector<std::size_t> tasks_of(std::uint32_t workload, bool on_draining) const {
    std::vector<std::size_t> tasks;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto& task = tasks_[i];
      if (task.workload != workload || task.is_daemon || task.instance == kNone) continue;
      if (is_leaving(task.instance) == on_draining) tasks.push_back(i);
    }
    return tasks;
  }

  std::size_t to_stop(std::uint32_t workload, const std::vector<std::size_t>& candidates) const {
    const auto stoppable = [&](const std::vector<std::size_t>& tasks) {
      std::vector<StoppableTask> list;
      for (const std::size_t i : tasks)
        list.push_back({static_cast<std::uint32_t>(i), position_.at(tasks_[i].instance), &tasks_[i].requirement});
      return list;
    };
    auto all = tasks_of(workload, false);
    const auto draining = tasks_of(workload, true);
    all.insert(all.end(), draining.begin(), draining.end());
    return task_to_stop(*occupancy_, stoppable(candidates), stoppable(all), workload);
  }

  std::size_t next_provider(std::uint32_t workload, const Service& service) const {
    const auto& shares = fresh_.workloads[workload].capacity_providers;
    if (shares.empty()) return 0;
    std::vector<std::int64_t> has(shares.size());
    for (const std::size_t i : tasks_of(workload, false)) has[tasks_[i].provider] += tasks_[i].is_dealt ? 1 : 0;
    for (const std::size_t i : service.placeless) ++has[tasks_[i].provider];
    return ProviderDistributor(shares, has).next();
  }

  std::int64_t has(std::uint32_t workload, const Service& service) const {
    return static_cast<std::int64_t>(tasks_of(workload, false).size() + service.placeless.size());
  }

  void scale_in(std::uint32_t workload, Service& service) {
    while (has(workload, service) > service.desired) {
      const bool is_placeless = !service.placeless.empty();
      const std::size_t task = is_placeless ? service.placeless.back() : to_stop(workload, tasks_of(workload, false));
      if (is_placeless) service.placeless.pop_back();
      if (!is_placeless) stop(tasks_[task]);
      tasks_[task].is_wanted = false;
    }
  }

  /// As ECS would, step by step; every list is made anew.
  bool attempt(std::uint32_t workload, Service& service) {
    bool changed = false;
    const auto& own = fresh_.workloads[workload];
    const auto count = [&] { return has(workload, service); };
    const auto draining = [&] { return static_cast<std::int64_t>(tasks_of(workload, true).size()); };
    const std::int64_t most = std::max(service.desired * own.maximum_percent / 100, service.desired);
    while (count() < service.desired && count() + draining() < most) {
      Task task;
      task.workload = workload;
      task.name = name_of(workload);
      task.provider = next_provider(workload, service);
      changed = true;
      service.placeless.push_back(tasks_.size());
      tasks_.push_back(task);
    }
    std::vector<std::size_t> still;
    for (const std::size_t task : service.placeless) {
      if (try_place(tasks_[task])) {
        changed = true;
        ++service.started;
      } else {
        still.push_back(task);
      }
    }
    service.placeless = still;
    const std::int64_t least = (service.desired * own.minimum_healthy_percent + 99) / 100;
    const auto placed = [&] { return static_cast<std::int64_t>(tasks_of(workload, false).size()); };
    const auto stop_one = [&] {
      if (draining() == 0 || placed() + draining() - 1 < least) return false;
      auto& task = tasks_[to_stop(workload, tasks_of(workload, true))];
      stop(task);
      task.is_wanted = false;
      ++service.left;
      changed = true;
      return true;
    };
    while (placed() + draining() > service.desired && stop_one()) {
    }
    const bool is_bounded = count() + draining() >= service.desired * own.maximum_percent / 100;
    const std::int64_t unstarted = is_bounded ? std::max<std::int64_t>(0, service.desired - count()) : 0;
    for (std::int64_t i = static_cast<std::int64_t>(service.placeless.size()) + unstarted; i > 0 && stop_one(); --i) {
    }
    return changed;
  }

  void start_standalone() {
    const std::size_t count = tasks_.size();
    std::set<std::uint32_t> calls;
    for (const int round : {0, 1}) {
      for (std::size_t i = 0; i < count; ++i) {
        auto& task = tasks_[i];
        const bool was_lost = task.stood != kNone;
        if (task.instance != kNone || !task.is_wanted || is_service(task) || task.is_daemon) continue;
        if (was_lost != (round == 0)) continue;
        if (task.call != kNone && now_.workloads[task.workload].all_or_nothing) {
          if (calls.insert(task.call).second) start_call(task.call);
        } else if (try_place(task) && was_lost) {
          ++figures_[task.name].moves;
        }
      }
    }
  }

  void start_call(std::uint32_t call) {
    std::vector<Task*> tasks;
    for (auto& task : tasks_) {
      if (task.call == call && task.is_wanted) tasks.push_back(&task);
    }
    for (auto* task : tasks) {
      if (task->instance != kNone) stop(*task);
    }
    const bool fits = std::all_of(tasks.begin(), tasks.end(), [&](Task* task) { return try_place(*task); });
    for (auto* task : tasks) {
      if (!fits && task->instance != kNone) stop(*task);
      if (fits && task->stood != kNone && task->stood != task->instance) ++figures_[task->name].moves;
    }
  }

  PlainResult result() {
    PlainResult result;
    for (auto& [workload, service] : services_) {
      auto& figures = figures_[name_of(workload)];
      figures.moves += std::min(service.left, service.started);
    }
    for (const auto& task : tasks_) {
      if (task.is_daemon || task.instance == kNone) continue;
      auto& figures = figures_[task.name];
      if (is_leaving(task.instance) && is_service(task)) {
        ++figures.held;
      } else {
        ++figures.placed;
        figures.stays += draining_.contains(task.instance) ? 1 : 0;
      }
    }
    result.names = figures_;
    for (std::uint32_t i = 0; i < fresh_.instances.size(); ++i) {
      auto state = occupancy_->states()[i];
      auto& groups = result.groups[fresh_.instances[i].id];
      for (const auto& own : state.tasks_by_group) groups[occupancy_->groups().name(own.group)] = own.tasks;
      state.tasks_by_group.clear();
      result.states[fresh_.instances[i].id] = state;
    }
    return result;
  }

  Scenario now_;
  const std::vector<InstantEvent>& events_;
  Outcome placed_;
  std::vector<Task> tasks_;  ///< Those that ran before the first turn come first.
  std::vector<RunningTask> running_;
  std::map<std::uint32_t, Service> services_;  ///< By workload.
  std::map<std::pair<std::string, bool>, PlainFigures> figures_;
  std::vector<bool> is_open_;        ///< By workload: without a count.
  std::set<std::uint32_t> unknown_;  ///< Workloads of which nobody knows what they need.
  std::set<std::uint32_t> gone_, draining_, named_to_drain_;
  std::uint32_t first_added_ = 0;
  std::uint32_t calls_ = 0;
  std::map<std::uint32_t, std::uint32_t> position_;  ///< By instance: in the fresh scenario.
  std::vector<std::uint32_t> number_;                ///< The way back.
  Scenario fresh_;
  std::optional<Occupancy> occupancy_;
  std::unique_ptr<Chooser> chooser_;
};

}  // namespace

PlainResult plain_what_if(const Scenario& scenario, const std::vector<InstantEvent>& events) {
  return Plain(scenario, events).run();
}

Scenario as_live(Scenario scenario, const std::vector<bool>& is_frozen) {
  for (std::size_t i = 0; i < scenario.task_definitions.size(); ++i) {
    scenario.task_definitions[i].family = "d" + std::to_string(i);
    scenario.task_definitions[i].name = "d" + std::to_string(i) + ":1";
  }
  const auto outcome = place_plainly(scenario);
  scenario.in_use.resize(scenario.instances.size());
  for (std::size_t i = 0; i < outcome.placements.size(); ++i) {
    const auto& own = outcome.placements[i];
    auto& workload = scenario.workloads[own.attempt.workload];
    const bool is_called = std::any_of(scenario.calls.begin(), scenario.calls.end(),
                                       [&](const Call& call) { return call.workload == own.attempt.workload; });
    if (!is_frozen[i % is_frozen.size()] || !workload.count || is_called || workload.all_or_nothing) continue;
    RunningTask task;
    task.instance = own.instance;
    task.group = workload.group;
    task.task_definition = scenario.task_definitions[workload.task_definition].name;
    task.daemon = workload.kind == WorkloadKind::kDaemon;
    task.gpus = list_devices(workload.requirement, own.gpus);
    book(scenario, workload.requirement, own.instance, task.gpus, scenario.in_use[own.instance]);
    scenario.running.push_back(task);
    if (!task.daemon) --*workload.count;
  }
  std::stable_sort(scenario.running.begin(), scenario.running.end(),
                   [](const auto& a, const auto& b) { return a.instance < b.instance; });
  return scenario;
}

}  // namespace bayplan::study

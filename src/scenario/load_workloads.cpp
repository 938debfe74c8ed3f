// services and tasks -> workloads in the order of placement.
#include <algorithm>
#include <map>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "scenario/live_services.hpp"
#include "scenario/load_timetable.hpp"
#include "scenario/loading.hpp"
#include "scenario/unique_names.hpp"

namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

using text::Value;

namespace {

/// "A provider is known when capacityProviders or any instance names it." What the scenario says of a provider wins
/// over what a live cluster says.
void add_providers(Loading& loading, const model::ScenarioFile& written) {
  for (const auto& provider : written.capacity_providers) {
    const bool scales = provider.managed_scaling.status.value == "ENABLED" || provider.managed_instances.present();
    loading.described_providers.insert_or_assign(std::string(provider.name.value.value_or("")), scales);
  }
  for (const auto& [name, scales] : loading.described_providers) {
    loading.known_providers.insert(name);
    if (scales) loading.scenario.managed_providers.push_back(name);
  }
  for (const auto& profile : loading.scenario.profiles) loading.known_providers.insert(profile.capacity_provider_name);
  loading.known_providers.erase("");
}

/// PutClusterCapacityProviders: of a cluster's own providers, or of Fargate.
void add_default_strategy(Loading& loading) {
  for (const auto& item : loading.written_default) {
    const std::string name(item.capacity_provider.value.value_or(""));
    if (!loading.known_providers.contains(name) && !name.starts_with("FARGATE")) {
      loading.sources.fail(item.capacity_provider.node, fmt::format("no capacity provider '{}'", name),
                           "a default strategy names providers of the cluster: those of capacityProviders, and those "
                           "that instances name in capacityProviderName");
      continue;
    }
    loading.default_providers.push_back({name, item.base.value.value_or(0), item.weight.value.value_or(0)});
  }
  const auto& shares = loading.default_providers;
  const auto has_weight = [](const ProviderShare& share) { return share.weight > 0; };
  if (shares.size() > 1 && !loading.written_default.empty() && std::none_of(shares.begin(), shares.end(), has_weight)) {
    loading.sources.fail(loading.written_default.node,
                         fmt::format("none of the {} capacity providers has a weight above 0", shares.size()),
                         "give one of them a weight of 1 or more; an absent weight is 0");
  }
  loading.scenario.providers.default_strategy = shares;
}

class WorkloadLoader {
 public:
  explicit WorkloadLoader(Loading& loading) : loading_(loading) {
    for (const auto& task : loading.scenario.running) running_[task.group] += task.stopping ? 0 : 1;
  }

  /// The index of its workload; nothing when it has none, which is reported.
  std::optional<std::uint32_t> add_service(const model::Service& service) {
    note_launch_type(loading_, service);
    auto workload = service_workload(loading_, service);
    if (!workload) return std::nullopt;
    const bool is_daemon = workload->kind == WorkloadKind::kDaemon;
    const auto instances = static_cast<std::int64_t>(loading_.scenario.instances.size());
    if (auto beyond = loading_.tasks.add(is_daemon ? instances : workload->count.value_or(0))) {
      loading_.sources.fail_with(is_daemon ? service.service_name.node : service.desired_count.node, *beyond);
    }
    count_running(*workload);
    const auto index = add_workload(loading_, std::move(*workload), service.start_delay, service.duration);
    set_load_balancer(loading_.scenario.timetable, index, model::deployment_settings(service.node));
    return index;
  }

  void add_tasks(const std::vector<Value>& requests, const std::vector<Call>& calls) {
    struct Run {
      std::uint32_t workload = 0;
      model::StringField every;
      bool is_reported = false;
    };
    std::vector<Run> runs;
    bool are_sound = true;
    for (const Value request : requests) {
      const auto run = model::bind_task_run(request, loading_.placeholders);
      runs.push_back({static_cast<std::uint32_t>(loading_.scenario.workloads.size()), run.every, false});
      are_sound = add_run(run) && are_sound;
    }
    if (!are_sound) return;  // reported above
    for (Call call : calls) {
      Run& run = runs[call.workload];
      if (run.is_reported) continue;
      call.workload = run.workload;
      const auto times = times_of(loading_, call.start_at, run.every);
      const auto repeated = (static_cast<std::int64_t>(times.size()) - 1) * call.count;
      const auto beyond = repeated > 0 ? loading_.tasks.add(repeated) : std::nullopt;
      if (beyond) loading_.sources.fail_with(run.every.node, *beyond);
      run.is_reported = times.empty() || beyond;
      if (run.is_reported) continue;
      for (const Seconds time : times) {
        call.start_at = time;
        *loading_.scenario.workloads[call.workload].count += call.count;
        loading_.scenario.calls.push_back(call);
      }
    }
  }

 private:
  bool add_run(const model::TaskRun& run) {
    note_launch_type(loading_, run);
    Workload workload;
    workload.kind = WorkloadKind::kTasks;
    workload.count = 0;  // its calls say
    workload.group = run.group.value.value_or("");
    workload.all_or_nothing = run.all_or_nothing.value.value_or(false);
    const bool is_sound = check_times(run);
    if (!resolve_request(loading_, run, run.overrides, workload) || !is_sound) return false;
    add_workload(loading_, std::move(workload), run.start_delay, {});
    return true;
  }

  /// That of `startDelay` is looked at with the workload.
  bool check_times(const model::TaskRun& run) {
    const std::size_t before = loading_.sources.error_count();
    read_duration(loading_, run.start_at, {});
    read_duration(loading_, run.duration, {});
    return loading_.sources.error_count() == before;
  }

  /// A service that runs in a live cluster gets what it lacks.
  void count_running(Workload& workload) {
    const auto found = running_.find(workload.group);
    if (found == running_.end() || !workload.count || workload.kind == WorkloadKind::kDaemon) return;
    const std::int64_t has = found->second;
    const std::int64_t lacks = std::max<std::int64_t>(0, *workload.count - has);
    assume(loading_.scenario, "service-already-runs", workload.name,
           fmt::format("{} of {} already {}; {} placed to make {}", count_of(has, "task"), workload.name,
                       has == 1 ? "runs" : "run", lacks == 1 ? "1 more is" : fmt::format("{} more are", lacks),
                       *workload.count));
    workload.count = lacks;
  }

  Loading& loading_;
  std::map<std::string, std::int64_t> running_;  ///< Tasks by group, before the first placement.
};

}  // namespace

std::optional<Workload> service_workload(Loading& loading, const model::Service& service) {
  if (!service.service_name) return std::nullopt;
  const bool is_daemon = service.is_daemon();
  Workload workload;
  workload.kind = is_daemon ? WorkloadKind::kDaemon : WorkloadKind::kService;
  workload.name = *service.service_name;
  workload.group = "service:" + workload.name;
  workload.minimum_healthy_percent = service.minimum_healthy_percent.value.value_or(is_daemon ? 0 : 100);
  workload.maximum_percent = service.maximum_percent.value.value_or(is_daemon ? 100 : 200);
  use_controller_percents(model::deployment_settings(service.node), workload);
  workload.count = service.desired_count.value.value_or(0);
  if (!is_daemon && !service.desired_count.present()) {
    loading.sources.fail(service.node, fmt::format("desiredCount of service '{}' is missing", workload.name),
                         "how many tasks it keeps, for example 2");
  }
  if (!resolve_request(loading, service, Value(), workload)) return std::nullopt;
  return workload;
}

void add_workloads(Loading& loading, const model::ScenarioFile& written) {
  UniqueNames names(loading.sources, "serviceName");
  for (const auto& service : written.services) names.add(service.service_name);
  add_providers(loading, written);
  add_default_strategy(loading);
  WorkloadLoader loader(loading);
  std::vector<Value> requests;
  if (written.tasks) requests = loading.requests.distinct(written.tasks);
  if (auto beyond = loading.tasks.add(loading.requests.tasks())) {
    const Value request = loading.requests.first_too_many(written.tasks);
    const Value count = request.find("count");
    loading.sources.fail_with(count ? count : request, *beyond);
    requests.clear();
  }
  std::vector<std::optional<std::uint32_t>> workloads(written.services.size());
  std::vector<ServicePlan> live;
  for (const bool daemons : {true, false}) {
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      if (written.services[i].is_daemon() == daemons) workloads[i] = loader.add_service(written.services[i]);
    }
    const auto more = add_live_workloads(loading, written, daemons);
    live.insert(live.end(), more.begin(), more.end());
  }
  add_service_plans(loading, written, workloads);
  auto& plans = loading.scenario.timetable.services;
  plans.insert(plans.end(), live.begin(), live.end());
  add_in_flight(loading, written);
  if (!requests.empty()) loader.add_tasks(requests, loading.requests.calls());
}

}  // namespace bayplan::scenario

#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "placement/model/timetable.hpp"
#include "scenario/load_scenario.hpp"
#include "scenario/loading.hpp"

/// What a scenario says of time -> Scenario::timetable. Between the files of the folder that load a scenario.
namespace bayplan::scenario {

using namespace placement;  // NOLINT: what is loaded becomes the input of placement

struct DurationRange {
  Seconds least = 0;
  Seconds most = kLongestDuration;
};

/// Seconds; nothing when absent, or with the error noted when they are out of range.
std::optional<Seconds> read_duration(Loading& loading, const model::StringField& written, DurationRange range);

/// When something happens that begins at `first` and, if `every` is stated, happens again after each such duration
/// until
/// --until. Empty with the error noted.
std::vector<Seconds> times_of(Loading& loading, Seconds first, const model::StringField& every);

/// `spot`: how often Spot instances are interrupted.
void read_spot_rates(Loading& loading, text::Value written);

/// settings.timing
void read_timing(Loading& loading, text::Value written);

/// Puts a workload behind the others, with how long its tasks take; its index.
std::uint32_t add_workload(Loading& loading, Workload workload, const model::StringField& start_delay,
                           const model::StringField& duration);

/// The times that a load balancer adds to those of the workload's tasks.
void set_load_balancer(Timetable& timetable, std::uint32_t workload, const model::DeploymentSettings& settings);

/// CODE_DEPLOY and EXTERNAL have the default percents, which hold while instances drain (API_DeploymentConfiguration).
void use_controller_percents(const model::DeploymentSettings& settings, Workload& workload);

/// `workloads`: by the services of the scenario.
void add_service_plans(Loading& loading, const model::ScenarioFile& written,
                       const std::vector<std::optional<std::uint32_t>>& workloads);
CircuitBreaker circuit_breaker_of(const model::DeploymentCircuitBreaker& written);
/// What can never work is an error where `written` says it.
void check_percents(Loading& loading, const model::Service& written, const Workload& workload);

/// Where a capacity provider launches instances.
struct LaunchZone {
  std::string name;
  std::string subnet;  ///< Empty when none is stated.
};
/// The zones stated, else those of the subnets, as far as they are known.
std::vector<LaunchZone> stated_zones(Loading& loading, const std::string& capacity_provider,
                                     const model::List<model::StringField>& availability_zones,
                                     const model::List<model::StringField>& subnets);

/// Auto Scaling groups and Managed Instances of the scenario's capacity providers.
void add_groups(Loading& loading, const model::ScenarioFile& written);
/// Groups of the Managed Instances that a described cluster has: of a scenario over time, and where the cluster has no
/// instances. Otherwise its instances are counted as they are.
void add_described_groups(Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written);

/// Returns whether a provider of Managed Instances can be simulated: some type matches its requirements, has a price in
/// the region, and has memory that is known.
bool has_types_to_launch(Loading& loading, const model::CapacityProvider& provider);
/// Adds the provider's instance types as a group that launches what waiting tasks need. `boot_time_is_set`: the
/// scenario states settings.timing.bootTime.
void add_managed_instances(Loading& loading, const model::CapacityProvider& provider, bool boot_time_is_set);
/// What Managed Instances do not support, and workloads that no type of their provider can run.
void check_managed_workloads(Loading& loading);

/// `events`. The workloads of new deployments come after all others.
void add_events(Loading& loading, const model::ScenarioFile& written);

/// Once all else is loaded: whether the scenario is one over time.
void finish_timetable(Loading& loading, const ScenarioRequest& request, const model::ScenarioFile& written);

}  // namespace bayplan::scenario

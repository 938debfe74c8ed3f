#include "bayplan/place.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "library/errors.hpp"
#include "library/loaded_input.hpp"
#include "placement/engine/engine.hpp"
#include "placement/engine/not_placeable.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/verify/verify.hpp"
#include "report/place/place_report.hpp"
#include "report/place/place_words.hpp"
#include "study/in_flight.hpp"

namespace bayplan::v0 {
namespace {

namespace inner = bayplan::placement;

std::optional<std::string> stated(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

Error nothing_to_place() {
  return {.message = "nothing to place", .help = "name a scenario, or a cluster or instances, and tasks"};
}

const inner::Workload& workload_of(const inner::Scenario& scenario, const inner::PlacementAttempt& attempt) {
  return scenario.workloads[attempt.workload];
}

const inner::TaskDefinition& definition_of(const inner::Scenario& scenario, const inner::PlacementAttempt& attempt) {
  return scenario.task_definitions[workload_of(scenario, attempt).task_definition];
}

Placement public_placement(const inner::Scenario& scenario, const inner::Placement& one) {
  Placement made;
  made.task = inner::task_id(scenario, one.attempt);
  made.task_definition = definition_of(scenario, one.attempt).name;
  made.group = workload_of(scenario, one.attempt).group;
  made.instance = one.instance;
  made.capacity_provider = stated(inner::capacity_provider_of(scenario, one.attempt));
  for (const auto& given : one.gpus) {
    ContainerGpus gpus{definition_of(scenario, one.attempt).container_names[given.container], {}};
    for (const auto device : given.devices) gpus.gpu_ids.push_back(inner::gpu_id(scenario, one.instance, device));
    made.containers.push_back(std::move(gpus));
  }
  made.tied = one.tied;
  return made;
}

Rejection public_rejection(const inner::Scenario& scenario, const inner::Rejection& one) {
  Rejection made;
  made.instance = one.instance;
  const auto status = scenario.profiles[scenario.instances[one.instance].profile].status;
  for (const auto check : one.failed.list()) made.reasons.push_back(inner::reason_text(check, status));
  const auto& lacking = one.shortfall;
  made.shortfall.cpu = lacking.cpu;
  made.shortfall.memory = lacking.memory;
  made.shortfall.gpus = lacking.gpus;
  if (lacking.network_interfaces > 0) made.shortfall.network_interfaces = lacking.network_interfaces;
  if (lacking.ebs_attachments > 0) made.shortfall.ebs_attachments = lacking.ebs_attachments;
  made.shortfall.tcp_ports = lacking.tcp_ports;
  made.shortfall.udp_ports = lacking.udp_ports;
  made.gpu_fraction = static_cast<double>(lacking.gpu_fraction_millionths) / 1e6;
  made.gpu_memory = lacking.mps_memory;
  made.attributes = lacking.attributes;
  return made;
}

void count(std::map<std::string, std::int64_t>& counts, std::string reason, std::int64_t number) {
  if (number > 0) counts[std::move(reason)] = number;
}

std::map<std::string, std::int64_t> counts_of(const inner::RejectedCounts& rejected) {
  std::map<std::string, std::int64_t> counts;
  for (std::size_t i = 0; i < inner::kCheckCount; ++i) {
    const auto check = static_cast<inner::Check>(i);
    if (check != inner::Check::kStatus) count(counts, inner::reason_text(check), rejected.of(check));
  }
  for (std::size_t i = 0; i < inner::kStatusCount; ++i) {
    const auto status = static_cast<inner::InstanceStatus>(i);
    count(counts, inner::reason_text(inner::Check::kStatus, status), rejected.by_status[i]);
  }
  return counts;
}

Failure public_failure(const inner::Scenario& scenario, const inner::Outcome& outcome, const inner::Failure& one) {
  const auto& first = inner::explained(outcome, one);
  Failure made;
  made.task = inner::task_id(scenario, one.attempt);
  made.task_definition = definition_of(scenario, one.attempt).name;
  made.group = workload_of(scenario, one.attempt).group;
  made.capacity_provider = stated(inner::capacity_provider_of(scenario, one.attempt));
  made.reason = inner::failure_reason(scenario, first);
  made.message = inner::failure_message(scenario, first);
  made.provisioning = inner::is_provisioning(scenario, one);
  if (first.closest) made.closest = *first.closest;
  made.explained_by = inner::task_id(scenario, first.attempt);
  for (const auto& rejected : one.instances) made.instances.push_back(public_rejection(scenario, rejected));
  made.rejected = counts_of(first.rejected);
  made.would_fit = one.would_fit;
  return made;
}

FitLimit public_limit(const inner::Scenario& scenario, const inner::Outcome& outcome,
                      const bayplan::report::FitLimit& one) {
  const auto& workload = scenario.workloads[one.workload];
  FitLimit made{workload.name, scenario.task_definitions[workload.task_definition].name, one.fit, {}};
  if (one.why != nullptr) made.ended_by = public_failure(scenario, outcome, *one.why);
  return made;
}

Gpu public_gpu(const inner::Scenario& scenario, const inner::Outcome& outcome, std::uint32_t instance,
               std::uint32_t device, std::span<const std::uint32_t> placements) {
  const auto& state = outcome.instances[instance].gpus[device];
  const auto& profile = scenario.profiles[scenario.instances[instance].profile];
  const auto memory = bayplan::report::gpu_memory(profile, state);
  Gpu made{inner::gpu_id(scenario, instance, device), std::string(inner::name_of(state.state)), {}, {}, {}};
  if (memory.total > 0) made.memory = memory.total;
  if (memory.total > 0) made.remaining_memory = memory.remaining;
  for (const auto& task : scenario.running_on(instance)) {
    if (std::find(task.gpus.begin(), task.gpus.end(), device) != task.gpus.end()) made.tasks.push_back(task.id);
  }
  for (const auto index : placements) {
    const auto& one = outcome.placements[index];
    if (inner::uses_device(one, device)) made.tasks.push_back(inner::task_id(scenario, one.attempt));
  }
  return made;
}

Instance public_instance(const inner::Scenario& scenario, const inner::Outcome& outcome, std::uint32_t index,
                         std::span<const std::uint32_t> placements) {
  const auto& profile = scenario.profiles[scenario.instances[index].profile];
  const auto& state = outcome.instances[index];
  Instance made;
  made.id = scenario.instances[index].id;
  made.instance_type = profile.instance_type;
  made.availability_zone = profile.availability_zone;
  made.status = inner::name_of(profile.status);
  made.registered = {
      profile.cpu, profile.memory, profile.gpu_count, {}, {}, profile.reserved_tcp_ports, profile.reserved_udp_ports};
  made.remaining = {state.cpu, state.memory, inner::idle_gpus(state.gpus), {}, {}, state.tcp_ports, state.udp_ports};
  if (profile.network_interfaces != inner::kUnlimitedInterfaces) {
    made.registered.network_interfaces = profile.network_interfaces;
    made.remaining.network_interfaces = state.network_interfaces;
  }
  if (profile.ebs_attachments != inner::kUnlimitedAttachments) {
    made.registered.ebs_attachments = profile.ebs_attachments;
    made.remaining.ebs_attachments = inner::free_attachments(state);
  }
  made.tasks = state.tasks;
  for (std::uint32_t i = 0; i < state.gpus.size(); ++i)
    made.gpus.push_back(public_gpu(scenario, outcome, index, i, placements));
  made.hourly_price = profile.hourly_price;
  return made;
}

std::vector<Instance> public_instances(const bayplan::report::PlaceReport& report) {
  const inner::Scenario& scenario = report.scenario;
  const inner::PlacementsByInstance placements(report.outcome);
  std::vector<Instance> made;
  made.reserve(scenario.instances.size());
  for (std::uint32_t i = 0; i < scenario.instances.size(); ++i)
    made.push_back(public_instance(scenario, report.outcome, i, placements[i]));
  return made;
}

PlaceSummary public_summary(const bayplan::report::PlaceReport& report) {
  const auto& all = report.summary;
  return {all.placed, all.unplaced, all.provisioning, all.instances_used, all.hourly_cost, all.ties};
}

/// Converts the engine's outcome to the public types.
PlaceReport public_report(const bayplan::report::PlaceReport& report) {
  const inner::Scenario& scenario = report.scenario;
  const inner::Outcome& outcome = report.outcome;
  PlaceReport made;
  made.answer = bayplan::report::headline(report);
  made.seed = scenario.seed;
  made.placements.reserve(outcome.placements.size());
  for (const auto& one : outcome.placements) made.placements.push_back(public_placement(scenario, one));
  made.failures.reserve(outcome.failures.size());
  for (const auto& one : outcome.failures) made.failures.push_back(public_failure(scenario, outcome, one));
  for (const auto& one : bayplan::report::limits_of(report))
    made.limits.push_back(public_limit(scenario, outcome, one));
  made.instances = public_instances(report);
  for (const auto& one : report.assumptions) made.assumptions.push_back({one.id, one.subject, one.text});
  made.summary = public_summary(report);
  made.tie_orders_tried = report.tie_orders.tried;
  made.tie_orders_fit = report.tie_orders.fit;
  return made;
}

}  // namespace

Result<PlaceReport> place(const ScenarioInput& input, const PlaceOptions& options) {
  if (input.path.empty() && input.tasks.empty() && !input.cluster) return nothing_to_place();
  auto catalog = bayplan::catalog::Catalog::load();
  auto request = request_of(input, catalog);
  if (!request) return request.errors();
  request->strategies = options.strategies;
  request->constraints = options.constraints;
  const InputFiles files(input.texts, input.reads_disk);
  auto scenario = load(*request, files, catalog, limits_of(input));
  if (!scenario) return scenario.errors();
  bayplan::study::ask_for_unsettled(*scenario);
  if (auto errors = inner::not_placeable(*scenario); !errors.empty()) return public_errors(std::move(errors));
  if (scenario->timetable.has_time) return public_errors(inner::refuse_over_time(*scenario, "place of the library"));
  if (auto errors = refused_definitions(input, *scenario); !errors.empty()) return errors;
  const auto outcome = inner::place(*scenario);
  if (const auto mistakes = inner::verify(*scenario, outcome); !mistakes.empty()) return internal_errors(mistakes);
  return public_report(bayplan::report::make_place_report(*scenario, outcome));
}

}  // namespace bayplan::v0

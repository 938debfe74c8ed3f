#include "bayplan/place.hpp"

#include <algorithm>
#include <utility>

#include "library/errors.hpp"
#include "library/loaded_input.hpp"
#include "placement/engine/engine.hpp"
#include "placement/engine/not_placeable.hpp"
#include "placement/engine/over_time.hpp"
#include "placement/explain/ecs_words.hpp"
#include "placement/verify/verify.hpp"
#include "report/place/place_report.hpp"
#include "report/place/place_words.hpp"

namespace bayplan::v0 {
namespace {

namespace inner = bayplan::placement;

std::optional<std::string> stated(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional<std::string>(text);
}

Error nothing_to_place() {
  return {.message = "nothing to place", .help = "name a scenario, or a cluster or instances, and tasks"};
}

/// Puts the engine's outcome into the public types.
class ReportMaker {
 public:
  explicit ReportMaker(const bayplan::report::PlaceReport& report)
      : report_(report), scenario_(report.scenario), outcome_(report.outcome) {}

  PlaceReport make() const {
    PlaceReport made;
    made.answer = bayplan::report::headline(report_);
    made.seed = scenario_.seed;
    made.placements.reserve(outcome_.placements.size());
    for (const auto& one : outcome_.placements) made.placements.push_back(placement(one));
    made.failures.reserve(outcome_.failures.size());
    for (const auto& one : outcome_.failures) made.failures.push_back(failure(one));
    for (const auto& one : bayplan::report::limits_of(report_)) made.limits.push_back(limit(one));
    made.instances = instances();
    for (const auto& one : report_.assumptions) made.assumptions.push_back({one.id, one.subject, one.text});
    made.summary = summary();
    made.tie_orders_tried = report_.tie_orders.tried;
    made.tie_orders_fit = report_.tie_orders.fit;
    return made;
  }

 private:
  const inner::Workload& workload_of(const inner::PlacementAttempt& attempt) const {
    return scenario_.workloads[attempt.workload];
  }
  const inner::TaskDefinition& definition_of(const inner::PlacementAttempt& attempt) const {
    return scenario_.task_definitions[workload_of(attempt).task_definition];
  }

  Placement placement(const inner::Placement& one) const {
    Placement made;
    made.task = inner::task_id(scenario_, one.attempt);
    made.task_definition = definition_of(one.attempt).name;
    made.group = workload_of(one.attempt).group;
    made.instance = one.instance;
    made.capacity_provider = stated(one.attempt.capacity_provider);
    for (const auto& given : one.gpus) {
      ContainerGpus gpus{definition_of(one.attempt).container_names[given.container], {}};
      for (const auto device : given.devices) gpus.gpu_ids.push_back(inner::gpu_id(scenario_, one.instance, device));
      made.containers.push_back(std::move(gpus));
    }
    made.tied = one.tied;
    return made;
  }

  Rejection rejection(const inner::Rejection& one) const {
    Rejection made;
    made.instance = one.instance;
    const auto status = scenario_.profiles[scenario_.instances[one.instance].profile].status;
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

  static void count(std::map<std::string, std::int64_t>& counts, std::string reason, std::int64_t number) {
    if (number > 0) counts[std::move(reason)] = number;
  }

  static std::map<std::string, std::int64_t> counts_of(const inner::RejectedCounts& rejected) {
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

  Failure failure(const inner::Failure& one) const {
    const auto& first = inner::explained(outcome_, one);
    Failure made;
    made.task = inner::task_id(scenario_, one.attempt);
    made.task_definition = definition_of(one.attempt).name;
    made.group = workload_of(one.attempt).group;
    made.capacity_provider = stated(one.attempt.capacity_provider);
    made.reason = inner::failure_reason(scenario_, first);
    made.message = inner::failure_message(scenario_, first);
    made.provisioning = inner::is_provisioning(scenario_, one);
    if (first.closest) made.closest = *first.closest;
    made.explained_by = inner::task_id(scenario_, first.attempt);
    for (const auto& rejected : one.instances) made.instances.push_back(rejection(rejected));
    made.rejected = counts_of(first.rejected);
    made.would_fit = one.would_fit;
    return made;
  }

  FitLimit limit(const bayplan::report::FitLimit& one) const {
    const auto& workload = scenario_.workloads[one.workload];
    FitLimit made{workload.name, scenario_.task_definitions[workload.task_definition].name, one.fit, {}};
    if (one.why != nullptr) made.ended_by = failure(*one.why);
    return made;
  }

  Gpu gpu(std::uint32_t instance, std::uint32_t device, const std::vector<std::uint32_t>& placements) const {
    const auto& state = outcome_.instances[instance].gpus[device];
    const auto& profile = scenario_.profiles[scenario_.instances[instance].profile];
    const auto memory = bayplan::report::gpu_memory(profile, state);
    Gpu made{inner::gpu_id(scenario_, instance, device), std::string(inner::name_of(state.state)), {}, {}, {}};
    if (memory.total > 0) made.memory = memory.total;
    if (memory.total > 0) made.remaining_memory = memory.remaining;
    for (const auto& task : scenario_.running_on(instance)) {
      if (std::find(task.gpus.begin(), task.gpus.end(), device) != task.gpus.end()) made.tasks.push_back(task.id);
    }
    for (const auto index : placements) {
      const auto& one = outcome_.placements[index];
      if (inner::uses_device(one, device)) made.tasks.push_back(inner::task_id(scenario_, one.attempt));
    }
    return made;
  }

  Instance instance(std::uint32_t index, const std::vector<std::uint32_t>& placements) const {
    const auto& profile = scenario_.profiles[scenario_.instances[index].profile];
    const auto& state = outcome_.instances[index];
    Instance made;
    made.id = scenario_.instances[index].id;
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
    for (std::uint32_t i = 0; i < state.gpus.size(); ++i) made.gpus.push_back(gpu(index, i, placements));
    made.hourly_price = profile.hourly_price;
    return made;
  }

  std::vector<Instance> instances() const {
    const auto placements = bayplan::report::placements_by_instance(report_);
    std::vector<Instance> made;
    made.reserve(scenario_.instances.size());
    for (std::uint32_t i = 0; i < scenario_.instances.size(); ++i) made.push_back(instance(i, placements[i]));
    return made;
  }

  PlaceSummary summary() const {
    const auto& all = report_.summary;
    return {all.placed, all.unplaced, all.provisioning, all.instances_used, all.hourly_cost, all.ties};
  }

  const bayplan::report::PlaceReport& report_;
  const inner::Scenario& scenario_;
  const inner::Outcome& outcome_;
};

}  // namespace

Result<PlaceReport> place(const ScenarioInput& input, const PlaceOptions& options) {
  if (input.path.empty() && input.tasks.empty() && !input.cluster) return nothing_to_place();
  auto catalog = bayplan::catalog::Catalog::load();
  auto request = request_of(input, catalog);
  if (!request) return request.errors();
  request->strategies = options.strategies;
  request->constraints = options.constraints;
  const InputFiles files(input.texts, input.reads_disk);
  const auto scenario = load(*request, files, catalog, limits_of(input));
  if (!scenario) return scenario.errors();
  if (auto errors = inner::not_placeable(*scenario); !errors.empty()) return public_errors(std::move(errors));
  if (scenario->timetable.has_time) return public_errors(inner::refuse_over_time(*scenario, "place of the library"));
  if (auto errors = refused_definitions(input, *scenario); !errors.empty()) return errors;
  const auto outcome = inner::place(*scenario);
  if (const auto mistakes = inner::verify(*scenario, outcome); !mistakes.empty()) return internal_errors(mistakes);
  return ReportMaker(bayplan::report::make_place_report(*scenario, outcome)).make();
}

}  // namespace bayplan::v0

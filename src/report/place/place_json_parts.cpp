#include "report/place/place_json_parts.hpp"

#include "placement/explain/ecs_words.hpp"
#include "report/document/json_parts.hpp"

namespace bayplan::report {

using namespace placement;  // NOLINT: the report is about nothing else

namespace {

using Layout = JsonWriter::Layout;

}  // namespace

void write_shortfall(JsonWriter& json, const Shortfall& lacking) {
  json.key("shortfall").begin_object(Layout::kLine);
  if (lacking.cpu > 0) json.member("CPU", lacking.cpu);
  if (lacking.memory > 0) json.member("MEMORY", lacking.memory);
  if (!lacking.tcp_ports.empty()) write_list(json, "TCP", lacking.tcp_ports);
  if (!lacking.udp_ports.empty()) write_list(json, "UDP", lacking.udp_ports);
  if (lacking.ports_over_limit > 0) json.member("PORTS", lacking.ports_over_limit);
  if (lacking.gpus > 0) json.member("GPU", lacking.gpus);
  if (lacking.gpu_fraction_millionths > 0) {
    json.member("GPU", static_cast<double>(lacking.gpu_fraction_millionths) / 1e6);
  }
  if (lacking.neuron_devices > 0) json.member("NEURON_DEVICE", lacking.neuron_devices);
  if (lacking.mps_memory > 0) json.member("mpsMemory", lacking.mps_memory);
  if (lacking.network_interfaces > 0) json.member("ENI", lacking.network_interfaces);
  if (lacking.ebs_attachments > 0) json.member("EBS", lacking.ebs_attachments);
  if (!lacking.attributes.empty()) write_list(json, "attributes", lacking.attributes);
  json.end_object();
}

void write_zone(JsonWriter& json, const InstanceProfile& profile) {
  json.member_or_null("availabilityZone", profile.availability_zone);
}

void write_task(JsonWriter& json, const Scenario& scenario, const PlacementAttempt& attempt) {
  const auto& workload = scenario.workloads[attempt.workload];
  json.member("task", task_id(scenario, attempt));
  json.member("taskDefinition", scenario.task_definitions[workload.task_definition].name);
  json.member("group", workload.group);
  if (attempt.capacity_provider) json.member("capacityProviderName", capacity_provider_of(scenario, attempt));
}

/// gpuIds, or neuronDeviceIds and an empty list of GPUs, as API_Container calls them.
void write_device_ids(JsonWriter& json, const Scenario& scenario, std::uint32_t instance,
                      const std::vector<std::uint32_t>& devices) {
  const bool is_neuron = scenario.profiles[scenario.instances[instance].profile].neuron_devices > 0;
  json.key("gpuIds").begin_array(Layout::kLine);
  if (is_neuron && !devices.empty()) json.end_array().key("neuronDeviceIds").begin_array(Layout::kLine);
  for (const auto device : devices) json.value(gpu_id(scenario, instance, device));
  json.end_array();
}

void write_containers(JsonWriter& json, const Scenario& scenario, const Placement& placement) {
  const auto& workload = scenario.workloads[placement.attempt.workload];
  const auto& names = scenario.task_definitions[workload.task_definition].container_names;
  json.key("containers").begin_array(Layout::kLine);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::uint32_t> devices;
    for (const auto& container : placement.gpus) {
      if (container.container == i) devices.insert(devices.end(), container.devices.begin(), container.devices.end());
    }
    json.begin_object(Layout::kLine).member("name", names[i]);
    write_device_ids(json, scenario, placement.instance, devices);
    json.end_object();
  }
  json.end_array();
}

void write_running(JsonWriter& json, const Scenario& scenario) {
  if (scenario.running.empty()) return;
  json.key("runningTasks").begin_array();
  for (const auto& task : scenario.running) {
    json.begin_object(Layout::kLine);
    json.member("task", task.id).member("taskDefinition", task.task_definition).member("group", task.group);
    json.member("containerInstance", scenario.instances[task.instance].id);
    write_device_ids(json, scenario, task.instance, task.gpus);
    json.end_object();
  }
  json.end_array();
}

void write_rejections(JsonWriter& json, const Scenario& scenario, const Failure& failure) {
  json.key("instances").begin_array();
  for (const auto& rejection : failure.instances) {
    const auto& instance = scenario.instances[rejection.instance];
    json.begin_object(Layout::kLine).member("containerInstance", instance.id);
    json.key("reasons").begin_array(Layout::kLine);
    for (const Check check : rejection.failed.list()) {
      json.value(reason_text(check, scenario.profiles[instance.profile].status));
    }
    json.end_array();
    write_shortfall(json, rejection.shortfall);
    json.end_object();
  }
  json.end_array();
}

void write_rejected(JsonWriter& json, const RejectedCounts& counts) {
  json.key("rejected").begin_object(Layout::kLine);
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    const auto check = static_cast<Check>(i);
    if (check == Check::kStatus) continue;
    const bool is_optional =
        check == Check::kCapacityProvider || check == Check::kEbsAttachment || check == Check::kNeuronDevice;
    if (is_optional && counts.by_check[i] == 0) continue;
    json.member(reason_text(check), counts.by_check[i]);
  }
  for (std::size_t i = 0; i < kStatusCount; ++i) {
    if (counts.by_status[i] == 0) continue;
    json.member(reason_text(Check::kStatus, static_cast<InstanceStatus>(i)), counts.by_status[i]);
  }
  json.end_object();
}

using namespace placement;  // NOLINT: the report is about nothing else

void write_millionths(JsonWriter& json, std::int64_t millionths) {
  if (millionths % 1'000'000 == 0) {
    json.value(millionths / 1'000'000);
  } else {
    json.value(static_cast<double>(millionths) / 1e6);
  }
}

void write_gpu_request(JsonWriter& json, const capacity::TaskRequirement& task) {
  if (!task.wants_devices()) return;
  json.key(task.wants_neuron() ? "NEURON_DEVICE" : "GPU").begin_object(Layout::kLine);
  switch (task.gpu_form) {
    case capacity::GpuForm::kCount:
      json.member("count", task.gpu_count);
      break;
    case capacity::GpuForm::kAll:
    case capacity::GpuForm::kNeuron:
      json.member("all", true);
      break;
    case capacity::GpuForm::kFraction:
      json.key("fraction");
      write_millionths(json, task.gpu_fraction_millionths);
      break;
    case capacity::GpuForm::kMps:
      json.member("mpsMemory", task.mps_memory);
      break;
    case capacity::GpuForm::kNone:
      break;
  }
  json.end_object();
}

namespace {

void write_room(JsonWriter& json, const Scenario& scenario, const GpuRoom& room) {
  json.begin_object(Layout::kLine).member("taskDefinition", scenario.task_definitions[room.task_definition].name);
  write_gpu_request(json, room.requirement);
  json.member("copies", room.copies).member("stranded", room.stranded);
  json.key("strandedBy").begin_object(Layout::kLine);
  for (std::size_t i = 0; i < kCheckCount; ++i) {
    if (room.stranded_by_check[i] > 0) json.member(reason_text(static_cast<Check>(i)), room.stranded_by_check[i]);
  }
  json.end_object().end_object();
}

}  // namespace

void write_gpu_summary(JsonWriter& json, const Scenario& scenario, const GpuSummary& summary,
                       const std::vector<FreeGpus>& free, const std::vector<GpuRoom>& room) {
  json.key("gpu").begin_object();
  write_gpu_counts(json, summary);
  json.key("freeBlocks").begin_array(Layout::kLine);
  for (const auto& block : free) {
    json.begin_object(Layout::kLine).member("free", block.free).member("instances", block.instances).end_object();
  }
  json.end_array().key("room").begin_array();
  for (const auto& own : room) write_room(json, scenario, own);
  json.end_array().end_object();
}

}  // namespace bayplan::report

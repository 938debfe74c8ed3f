// resourceRequirements of type NeuronDevice (API_ResourceRequirement; ECS developer guide, ecs-inference-task-def).
#include "rules/gpu/gpu_requests.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using Requirement = model::ResourceRequirement;

struct NeuronRequest {
  const model::ContainerDefinition* container = nullptr;
  const Requirement* entry = nullptr;
};

std::vector<NeuronRequest> neuron_requests(const Context& ctx) {
  std::vector<NeuronRequest> requests;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& entry : container.resource_requirements) {
      if (entry.type && *entry.type == "NeuronDevice") requests.push_back({&container, &entry});
    }
  }
  return requests;
}

void neuron_value(const Context& ctx, Emitter& emit) {
  for (const auto& request : neuron_requests(ctx)) {
    const auto& value = request.entry->value;
    if (!value.present()) {
      emit.missing(request.entry->node, "value")
          .says("NeuronDevice requirement has no value; must be ALL according to the documentation")
          .help("use {}", member_text(ctx.document, "value", "ALL"));
      continue;
    }
    if (!value.node.is_string() || !emit.knows(value) || *value == "ALL") continue;
    emit.at(value)
        .says("NeuronDevice value must be ALL according to the documentation, got \"{}\"", *value)
        .help("use {}; the instance type determines the number of devices", member_text(ctx.document, "value", "ALL"))
        .fix(value.span(), "\"ALL\"", false);
  }
}

void neuron_one_container(const Context& ctx, Emitter& emit) {
  const auto requests = neuron_requests(ctx);
  for (const auto& request : requests) {
    if (request.container == requests.front().container) continue;
    emit.at(request.entry->node)
        .related(requests.front().entry->node, "first requested here")
        .says("only one container of a task can request NeuronDevice according to the documentation")
        .help("keep the requirement in one container");
  }
}

void neuron_scope(const Context& ctx, Emitter& emit) {
  if (ctx.task.requires_compatibilities.empty() && !ctx.task.assumed_compatibility) return;
  const bool on_ec2 = ctx.targets(Compatibility::kEc2);
  if (!on_ec2 && !ctx.targets(Compatibility::kFargate) && !ctx.targets(Compatibility::kExternal)) return;
  for (const auto& request : neuron_requests(ctx)) {
    auto report = emit.at(request.entry->type);
    report.says("NeuronDevice is supported on MANAGED_INSTANCES only according to the documentation");
    if (on_ec2) {
      report.help("on EC2, map the devices in linuxParameters: \"devices\": [{\"hostPath\": \"/dev/neuron0\"}]");
    } else {
      report.help("use MANAGED_INSTANCES, or EC2 with the devices mapped in linuxParameters");
    }
  }
}

void neuron_and_gpu(const Context& ctx, Emitter& emit) {
  const auto neurons = neuron_requests(ctx);
  if (neurons.empty()) return;
  for (const auto& request : gpu_requests(ctx)) {
    if (request.is_none()) continue;
    emit.at(request.entry->type)
        .related(neurons.front().entry->type.node, "NeuronDevice is requested here")
        .says("task requests a GPU and Neuron devices, but no instance type has both")
        .help("use two tasks");
    return;
  }
}

}  // namespace

std::span<const Rule> neuron_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY418", kTaskDefinition, neuron_value},
      {"BAY419", kTaskDefinition, neuron_one_container},
      {"BAY420", kTaskDefinition, neuron_scope},
      {"BAY421", kTaskDefinition, neuron_and_gpu},
  };
  return kRules;
}

}  // namespace bayplan::rules

// GPU requests in the words of Compose, Kubernetes, AWS Batch and others.
#include <algorithm>
#include <array>

#include "base/strings.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

constexpr std::array<std::string_view, 7> kCountKeys{"count",     "quantity", "devices", "device_ids",
                                                     "deviceIds", "limits",   "requests"};
constexpr std::array<std::string_view, 2> kDriverKeys{"capabilities", "driver"};
constexpr std::array<std::string_view, 10> kRequestKeys{"gpu",  "gpus",   "GPU",          "gpuCount",       "gpu_count",
                                                        "GPUs", "nvidia", "accelerators", "nvidia.com/gpu", "runtime"};

/// An entry that asks for a GPU, or that has no type but keys which only a GPU request has.
bool is_gpu_entry(const model::ResourceRequirement& entry) {
  return means_gpu(entry.type) || !entry.type.present();
}

bool has_value(const model::ResourceRequirement& entry) {
  return entry.value.present() || (entry.sharing_strategy && !entry.sharing_strategy.is_null());
}

/// The first key that says how many: only that one becomes `value`.
bool is_first_count(Value member) {
  for (const Value sibling : member.parent().children()) {
    if (is_among(sibling.key(), kCountKeys)) return sibling == member;
  }
  return false;
}

void report_count_key(const Context& ctx, Emitter& emit, const model::ResourceRequirement& entry, Value member) {
  const auto count = gpu_count_meant(member);
  auto report = emit.at_key(member).says("unknown key \"{}\" in GPU requirement; only type and value are supported{}",
                                         member.key(), dropped_words(ctx, member));
  // A key that the client drops is not refused, and to make a request of it would change what runs.
  const bool is_dropped = is_dropped_by_terraform(ctx, member);
  if (is_dropped) report.severity(Severity::kWarning);
  if (has_value(entry) || !is_first_count(member)) {
    report.help("delete it; {}",
                has_value(entry) ? "value already sets the number of GPUs" : "use value for the number of GPUs");
    return;
  }
  const std::string type = entry.type.present() ? "" : member_text(ctx.document, "type", "GPU") + ", ";
  const std::string wanted = type + member_text(ctx.document, "value", count.value_or("1"));
  if (member.key().starts_with("device")) {
    report.help("use {}; ECS selects the devices", wanted);
    return;
  }
  report.help("use {}", wanted);
  if (count && !member.is_object() && !member.is_array()) {
    report.fix({member.key_span().begin, member.span().end}, wanted, !is_dropped);
  }
}

void report_driver_key(const Context& ctx, Emitter& emit, Value member) {
  auto report = emit.at_key(member).says("unknown key \"{}\" in GPU requirement; only type and value are supported{}",
                                         member.key(), dropped_words(ctx, member));
  if (is_dropped_by_terraform(ctx, member)) report.severity(Severity::kWarning);
  if (member.key() == "driver") {
    report.help("delete it; the driver comes from the GPU AMI of the instance");
  } else {
    report.help("delete it; set driver capabilities in environment: NVIDIA_DRIVER_CAPABILITIES=compute,utility");
  }
}

/// `runtime` is asked of Docker for other reasons too.
bool asks_for_gpu(Value member) {
  if (!is_among(member.key(), kRequestKeys) || member.is_null()) return false;
  return member.key() != "runtime" || lower(member.text()).find("nvidia") != std::string::npos;
}

void report_container_alias(const Context& ctx, Emitter& emit, const model::ContainerDefinition& container,
                            Value member) {
  auto report = emit.at_key(member).says("unknown key \"{}\" in container{}", member.key(), dropped_words(ctx, member));
  // A key that the client drops is not refused, and to make a request of it would change what runs.
  const bool is_dropped = is_dropped_by_terraform(ctx, member);
  if (is_dropped) report.severity(Severity::kWarning);
  if (wants_gpu(container)) {
    report.help("delete it; resourceRequirements already requests the GPU");
    return;
  }
  const auto count = gpu_count_meant(member);
  const bool is_off = (member.text() == "0" || member.text() == "false") && !count;
  if (is_off) {
    report.help("delete it; without resourceRequirements the container has no GPU");
    return;
  }
  const std::string wanted = requirements_text(ctx.document, count.value_or("1"));
  report.help("use {}", wanted);
  if (count && !container.resource_requirements.present()) {
    report.fix({member.key_span().begin, member.span().end}, wanted, !is_dropped);
  }
}

void gpu_extra_key(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& entry : container.resource_requirements) {
      if (!is_gpu_entry(entry)) continue;
      for (const Value member : entry.node.children()) {
        if (is_among(member.key(), kCountKeys)) report_count_key(ctx, emit, entry, member);
        if (is_among(member.key(), kDriverKeys)) report_driver_key(ctx, emit, member);
      }
    }
  }
}

void gpu_alias_key(const Context& ctx, Emitter& emit) {
  for (const auto& container : ctx.task.container_definitions) {
    for (const Value member : container.node.children()) {
      if (asks_for_gpu(member)) report_container_alias(ctx, emit, container, member);
    }
  }
  if (!ctx.sees_task()) return;
  for (const Value member : ctx.root.children()) {
    if (!asks_for_gpu(member)) continue;
    emit.at_key(member)
        .says("unknown key \"{}\" in task definition; GPUs are requested in a container", member.key())
        .help("use {} in the container", requirements_text(ctx.document, gpu_count_meant(member).value_or("1")));
  }
}

}  // namespace

bool is_torn_off(Value entry) {
  if (entry.size() != 1 || !entry.find("value") || entry.position_in_parent() == 0) return false;
  const Value before = entry.parent().at(entry.position_in_parent() - 1);
  return before.size() == 1 && before.find("type");
}

bool counts_gpus_by_other_key(Value entry) {
  if (entry.find("value") || entry.find("sharingStrategy")) return false;
  const auto members = entry.children();
  return std::any_of(members.begin(), members.end(), [](Value member) { return is_among(member.key(), kCountKeys); });
}

std::span<const Rule> gpu_key_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY405", kTaskDefinition, gpu_extra_key},
      {"BAY406", kTaskDefinition, gpu_alias_key},
  };
  return kRules;
}

}  // namespace bayplan::rules

// GPU sharing by NVIDIA MPS (API_ResourceRequirement, API_SharingStrategy, API_NvidiaMpsAllocation, read 2026-09).
#include <algorithm>

#include <fmt/core.h>

#include "base/strings.hpp"
#include "rules/gpu/gpu_requests.hpp"
#include "rules/topics.hpp"

namespace bayplan::rules {
namespace {

using model::Compatibility;
using text::Value;

constexpr std::string_view kExample = "{\"nvidiaMps\": {\"memory\": 4096}}";

bool present(Value value) {
  return value && !value.is_null();
}

/// Keys of other tools explain why there is no value: BAY405 speaks.
bool has_foreign_key(Value entry) {
  const auto members = entry.children();
  return std::any_of(members.begin(), members.end(), [](Value member) {
    return member.key() != "type" && member.key() != "value" && member.key() != "sharingStrategy";
  });
}

std::string shown(Value value) {
  return value.is_object() || value.is_array() ? std::string(text::name_of(value.kind())) : std::string(value.text());
}

/// The number of MiB that "4GB" or "4 GiB" was meant to be.
std::optional<std::int64_t> mebibytes_meant(std::string_view text) {
  const std::string word = lower(trim(text));
  const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  const auto number = to_integer(word.substr(0, digits));
  const std::string_view unit = trim(std::string_view(word).substr(digits));
  if (!number || *number > 1'000'000) return std::nullopt;
  if (unit == "g" || unit == "gb" || unit == "gib" || unit == "gi") return *number * kMiBPerGiB;
  if (unit == "m" || unit == "mb" || unit == "mib" || unit == "mi") return *number;
  return std::nullopt;
}

void check_memory(const model::NvidiaMps& mps, Emitter& emit) {
  const auto& memory = mps.memory;
  if (!memory.present()) {
    emit.missing(mps.node, "memory")
        .severity(Severity::kError)
        .says("nvidiaMps memory is missing")
        .help("add \"memory\": 4096, in MiB");
    return;
  }
  if (memory.node.is_string() && memory.known()) return;  // digits in quotes: the shape rule speaks
  if (!memory.known() && !memory.unknown()) {
    const auto meant = mebibytes_meant(memory.node.text());
    emit.at(memory)
        .severity(Severity::kError)
        .says("memory must be a whole number of MiB, got \"{}\"", shown(memory.node))
        .help("use {}", meant.value_or(4096));
    return;
  }
  if (!emit.knows(memory) || *memory >= 1) return;
  emit.at(memory)
      .severity(Severity::kError)
      .says("memory must be 1 MiB or more, got {}", *memory)
      .help("use a number of MiB of GPU memory, such as 4096");
}

void check_percent(const model::NvidiaMps& mps, Emitter& emit) {
  const auto& percent = mps.max_compute_percent;
  if (!percent.present() || percent.node.is_string() || !emit.knows(percent)) return;
  if (*percent >= 1 && *percent <= 100) return;
  emit.at(percent)
      .says("maxComputePercent must be 1 to 100, got {}", *percent)
      .help("use 1 to 100, or omit it for no limit");
}

void check_unknown_keys(Value object, std::string_view first, std::string_view second, Emitter& emit) {
  for (const Value member : object.children()) {
    if (member.key() == first || member.key() == second) continue;
    emit.at_key(member)
        .says("unknown key \"{}\" in {}", member.key(), object.key())
        .help("{} supports {}", object.key(),
              second.empty() ? std::string(first) : fmt::format("{} and {}", first, second));
  }
}

void report_no_strategy(Value strategy, Emitter& emit) {
  if (!strategy.is_object() || strategy.find("nvidiaMps")) return;  // the shape rules speak
  const Value other = strategy.at(0);
  auto report = other ? emit.at_key(other) : emit.at(strategy);
  if (other) {
    report.says("invalid sharing strategy \"{}\"; must be nvidiaMps", other.key());
  } else {
    report.says("sharingStrategy is empty; must be nvidiaMps");
  }
  report.help("use \"sharingStrategy\": {}", kExample);
}

MiB largest_gpu(const catalog::Catalog& catalog) {
  MiB largest = 0;
  for (const auto& type : catalog.types()) {
    if (type.has_nvidia_gpu()) largest = std::max(largest, type.gpu->memory);
  }
  return largest;
}

/// Beside a container with a fraction of a GPU no other one may ask for GPUs (ecs-gpu-specifying, 2026).
void check_fraction_alone(Emitter& emit, const std::vector<GpuRequest>& requests) {
  const auto fraction = std::find_if(requests.begin(), requests.end(), [](const auto& one) {
    return one.value && one.value->form == capacity::GpuForm::kFraction;
  });
  if (fraction == requests.end()) return;
  const auto other = std::find_if(requests.begin(), requests.end(), [&](const auto& one) {
    return one.position != fraction->position && one.value && !one.is_none();
  });
  if (other == requests.end()) return;
  emit.at(std::max(fraction, other)->entry->value)
      .related(std::min(fraction, other)->entry->node, "the other request")
      .says("a fraction of a GPU must be the only GPU requirement of a task according to the documentation")
      .help("request whole GPUs, or run the containers in separate tasks");
}

void gpu_sharing_or_value(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  for (const auto& container : ctx.task.container_definitions) {
    for (const auto& entry : container.resource_requirements) {
      const bool shares = present(entry.sharing_strategy);
      if (!entry.type || entry.type.unknown()) continue;
      if (!means_gpu(entry.type)) {
        if (!shares) continue;
        emit.at_key(entry.sharing_strategy)
            .says("sharingStrategy requires type GPU, got {}", *entry.type)
            .help("delete sharingStrategy");
      } else if (shares && entry.value.present()) {
        emit.at_key(entry.sharing_strategy)
            .related(entry.value.node, "value is set here")
            .says("value and sharingStrategy are mutually exclusive")
            .help("delete value to share a GPU, or sharingStrategy to use it exclusively");
      } else if (!shares && !entry.value.present() && !has_foreign_key(entry.node)) {
        auto report = emit.missing(entry.node, "value");
        report.says("GPU requirement has no value");
        const Value next = entry.node.parent().at(entry.node.position_in_parent() + 1);
        if (next && is_torn_off(next)) {
          report.related(next, "value is in a separate element")
              .help("use one element with both: {{type: GPU, value: \"{}\"}}", next.at(0).text());
        } else {
          report.help("use {}", member_text(ctx.document, "value", "1"));
        }
      }
    }
  }
}

void gpu_sharing_mixed(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  const auto requests = gpu_requests(ctx);
  check_fraction_alone(emit, requests);
  const auto sharing = std::find_if(requests.begin(), requests.end(), [](const auto& one) { return one.shares(); });
  const auto counting = std::find_if(requests.begin(), requests.end(), [](const auto& one) {
    return !one.shares() && one.entry->value.present() && !one.is_none();
  });
  if (sharing == requests.end() || counting == requests.end() || sharing->entry == counting->entry) return;
  const auto& later = std::max(sharing, counting)->entry->node;
  emit.at(later)
      .related(std::min(sharing, counting)->entry->node, "the other form is used here")
      .says(
          "value and sharingStrategy are mixed; all containers of a task must use the same one according to the "
          "documentation")
      .help("use value in every container, or sharingStrategy in every container");
}

void gpu_sharing_scope(const Context& ctx, Emitter& emit) {
  // On Fargate BAY408 refuses every GPU.
  if (!ctx.targets(Compatibility::kExternal)) return;
  for (const auto& request : gpu_requests(ctx)) {
    if (!request.shares()) continue;
    emit.at_key(request.entry->sharing_strategy)
        .says("sharingStrategy is not supported on EXTERNAL according to the documentation")
        .help("use EC2 or MANAGED_INSTANCES, or {} instead", member_text(ctx.document, "value", "1"));
  }
}

void gpu_sharing_shape(const Context& ctx, Emitter& emit) {
  for (const auto& request : gpu_requests(ctx)) {
    if (!request.shares()) continue;
    const Value strategy = request.entry->sharing_strategy;
    if (!request.entry->nvidia_mps) {
      report_no_strategy(strategy, emit);
      continue;
    }
    check_unknown_keys(strategy, "nvidiaMps", {}, emit);
    check_unknown_keys(request.entry->nvidia_mps->node, "memory", "maxComputePercent", emit);
    check_memory(*request.entry->nvidia_mps, emit);
    check_percent(*request.entry->nvidia_mps, emit);
  }
}

void gpu_sharing_too_large(const Context& ctx, Emitter& emit) {
  if (!places_on_instances(ctx)) return;
  MiB sum = 0;
  const model::NvidiaMps* most = nullptr;
  for (const auto& request : gpu_requests(ctx)) {
    const auto& mps = request.entry->nvidia_mps;
    if (!mps || !mps->memory) continue;
    sum += std::clamp<MiB>(*mps->memory, 0, 1'000'000'000);
    if (most == nullptr || *mps->memory > *most->memory) most = &*mps;
  }
  if (most == nullptr) return;
  const MiB largest = largest_gpu(ctx.catalog.get());
  if (sum <= largest) return;
  emit.at(most->memory)
      .says("containers share one GPU and need {} MiB of its memory in total, but the largest known GPU has {} MiB",
            sum, largest)
      .help("use {} MiB or less in total, or split the task", largest);
}

}  // namespace

std::span<const Rule> gpu_sharing_rules() {
  using enum Scope;
  static constexpr Rule kRules[] = {
      {"BAY413", kTaskDefinition, gpu_sharing_or_value},  {"BAY414", kTaskDefinition, gpu_sharing_mixed},
      {"BAY415", kTaskDefinition, gpu_sharing_scope},     {"BAY416", kTaskDefinition, gpu_sharing_shape},
      {"BAY417", kTaskDefinition, gpu_sharing_too_large},
  };
  return kRules;
}

}  // namespace bayplan::rules

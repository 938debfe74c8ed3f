#include "rules/stated_needs.hpp"

#include <algorithm>

#include "base/edit_distance.hpp"
#include "base/fill.hpp"
#include "base/strings.hpp"

namespace bayplan::rules {
namespace {

using text::Value;

constexpr std::string_view kPrefix = "bayplan.";
constexpr std::string_view kGpuMemory = "bayplan.gpu-memory";
constexpr std::string_view kComputeCapability = "bayplan.min-compute-capability";
constexpr std::string_view kInterconnect = "bayplan.interconnect";

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

template <class Function>
void for_each_need(const model::ContainerDefinition& container, const model::Placeholders& placeholders,
                   Function function) {
  if (!container.docker_labels || !container.docker_labels.is_object()) return;
  for (const Value label : container.docker_labels.children()) {
    if (label.key().starts_with(kPrefix) && !placeholders.holds(label)) function(label);
  }
}

std::optional<NeedFault> fault_of(Value label) {
  const std::string_view text = label.text();
  if (label.key() == kGpuMemory) {
    if (parse_gpu_memory(text)) return std::nullopt;
    const bool lacks_unit = is_digits(trim(text));
    return NeedFault{label, false, fill("\"{}\" is not an amount of GPU memory with its unit", {text}),
                     fill("write \"{}GiB\"; the units are GiB, MiB and GB", {lacks_unit ? trim(text) : "14"})};
  }
  if (label.key() == kComputeCapability) {
    if (parse_tenths(text)) return std::nullopt;
    return NeedFault{label, false, fill("\"{}\" is not a compute capability", {text}),
                     "write it as NVIDIA does: \"7.0\" for V100, \"7.5\" for T4, \"8.0\" for A100"};
  }
  if (label.key() == kInterconnect) {
    if (parse_interconnect(text)) return std::nullopt;
    return NeedFault{label, false, fill("\"{}\" is not an interconnect that bayplan knows", {text}),
                     "write \"nvlink\" or \"pcie\""};
  }
  const auto meant = nearest(label.key(), {kGpuMemory, kComputeCapability, kInterconnect});
  return NeedFault{label, true, fill("\"{}\" is not a need that bayplan knows", {label.key()}),
                   meant ? fill("write \"{}\"", {*meant})
                         : fill("the needs are {}, {} and {}", {kGpuMemory, kComputeCapability, kInterconnect})};
}

/// What config or scenario say under `name`, where nothing closer said it before.
void add_given(const Context& ctx, std::string_view name, const model::ContainerDefinition& container,
               StatedNeeds& needs) {
  const auto found = ctx.options.needs.find(name);
  if (found == ctx.options.needs.end()) return;
  const Value requests = container.resource_requirements.node;
  const Value place = requests ? requests : container.node;
  const Needs& given = found->second;
  if (!needs.gpu_memory_place && given.gpu_memory) {
    needs.gpu_memory = given.gpu_memory;
    needs.gpu_memory_place = place;
  }
  if (!needs.compute_capability_place && given.min_compute_capability) {
    needs.min_compute_capability = given.min_compute_capability;
    needs.compute_capability_place = place;
  }
  if (!needs.interconnect_place && given.interconnect) {
    needs.interconnect = given.interconnect;
    needs.interconnect_place = place;
  }
}

}  // namespace

StatedNeeds stated_needs(const Context& ctx, const model::ContainerDefinition& container) {
  StatedNeeds needs;
  for_each_need(container, ctx.placeholders, [&](Value label) {
    if (label.key() == kGpuMemory) {
      needs.gpu_memory = parse_gpu_memory(label.text());
      needs.gpu_memory_place = label;
    } else if (label.key() == kComputeCapability) {
      needs.min_compute_capability = parse_tenths(label.text());
      needs.compute_capability_place = label;
    } else if (label.key() == kInterconnect) {
      needs.interconnect = parse_interconnect(label.text());
      needs.interconnect_place = label;
    }
  });
  if (ctx.options.needs.empty() || !ctx.task.family || !container.name) return needs;
  add_given(ctx, std::string(*ctx.task.family) + "/" + std::string(*container.name), container, needs);
  add_given(ctx, *ctx.task.family, container, needs);
  return needs;
}

std::vector<NeedFault> need_faults(const model::ContainerDefinition& container,
                                   const model::Placeholders& placeholders) {
  std::vector<NeedFault> faults;
  for_each_need(container, placeholders, [&](Value label) {
    if (auto fault = fault_of(label)) faults.push_back(std::move(*fault));
  });
  return faults;
}

}  // namespace bayplan::rules

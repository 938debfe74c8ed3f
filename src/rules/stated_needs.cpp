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

std::optional<Interconnect> parse_interconnect(std::string_view text) {
  const std::string word = lower(trim(text));
  if (word == "nvlink" || word == "nvswitch") return Interconnect::kNvlink;
  return word == "pcie" ? std::optional(Interconnect::kPcie) : std::nullopt;
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

}  // namespace

std::optional<MiB> parse_gpu_memory(std::string_view text) {
  const std::string word = lower(trim(text));
  const std::size_t end = std::min(word.find_first_not_of("0123456789"), word.size());
  const auto number = to_integer(word.substr(0, end));
  const std::string_view unit = trim(std::string_view(word).substr(end));
  if (!number || *number < 1 || *number > 10'000'000) return std::nullopt;
  if (unit == "mib") return *number;
  if (unit == "gib") return *number * kMiBPerGiB;
  if (unit == "gb") return (*number * 1'000'000'000 + (1 << 20) - 1) >> 20;
  return std::nullopt;
}

std::optional<Tenths> parse_tenths(std::string_view text) {
  text = trim(text);
  const auto point = text.find('.');
  const std::string_view whole = text.substr(0, point);
  const std::string_view tenth = point == std::string_view::npos ? "0" : text.substr(point + 1);
  if (!is_digits(whole) || whole.size() > 2 || !is_digits(tenth) || tenth.size() > 1) return std::nullopt;
  return *to_integer(whole) * 10 + *to_integer(tenth);
}

std::string text_of_tenths(Tenths version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

StatedNeeds stated_needs(const model::ContainerDefinition& container, const model::Placeholders& placeholders) {
  StatedNeeds needs;
  for_each_need(container, placeholders, [&](Value label) {
    if (label.key() == kGpuMemory) {
      needs.gpu_memory = parse_gpu_memory(label.text());
      needs.gpu_memory_label = label;
    } else if (label.key() == kComputeCapability) {
      needs.min_compute_capability = parse_tenths(label.text());
      needs.compute_capability_label = label;
    } else if (label.key() == kInterconnect) {
      needs.interconnect = parse_interconnect(label.text());
      needs.interconnect_label = label;
    }
  });
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

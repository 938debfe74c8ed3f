#include "rules/needs.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace bayplan::rules {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::optional<Interconnect> parse_interconnect(std::string_view text) {
  const std::string word = lower(trim(text));
  if (word == "nvlink" || word == "nvswitch") return Interconnect::kNvlink;
  return word == "pcie" ? std::optional(Interconnect::kPcie) : std::nullopt;
}

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

NeedsByName bind_needs(text::Value object) {
  NeedsByName needs;
  if (!object || !object.is_object()) return needs;
  for (const text::Value entry : object.children()) {
    const text::Value memory = entry.find("gpuMemory");
    const text::Value capability = entry.find("minComputeCapability");
    const text::Value interconnect = entry.find("interconnect");
    Needs& own = needs[std::string(entry.key())];
    if (memory) own.gpu_memory = memory.integer() ? memory.integer() : parse_gpu_memory(memory.text());
    if (capability) own.min_compute_capability = parse_tenths(capability.text());
    if (interconnect) own.interconnect = parse_interconnect(interconnect.text());
  }
  return needs;
}

}  // namespace bayplan::rules

#include "report/document/json_parts.hpp"

#include <fmt/core.h>

#include "base/version.hpp"
#include "report/document/figures.hpp"

namespace bayplan::report {
namespace {

void write_share(JsonWriter& json, std::string_view name, const placement::Share& part) {
  json.key(name);
  part.registered == 0 ? json.null()
                       : json.value(static_cast<double>(part.reserved) / static_cast<double>(part.registered));
}

}  // namespace

void begin_report(JsonWriter& json, std::string_view name, std::string_view answer) {
  json.begin_object().member("schema", fmt::format("bayplan/{}/1", name)).member("version", version());
  if (!answer.empty()) json.member("answer", answer);
}

void write_usd(JsonWriter& json, std::string_view name, const std::optional<MicroUsd>& amount) {
  json.key(name);
  amount ? json.value(usd_number(*amount)) : json.null();
}

void write_distribution(JsonWriter& json, std::string_view name, const placement::Distribution& distribution) {
  json.key(name).begin_object(JsonWriter::Layout::kLine).member("min", distribution.min);
  json.member("median", distribution.median).member("max", distribution.max).end_object();
}

void write_utilization(JsonWriter& json, const placement::Summary& summary) {
  json.key("utilization").begin_object(JsonWriter::Layout::kLine);
  write_share(json, "CPU", summary.cpu);
  write_share(json, "MEMORY", summary.memory);
  write_share(json, "GPU", summary.gpu_devices);
  if (summary.neuron_devices.registered > 0) write_share(json, "NEURON_DEVICE", summary.neuron_devices);
  json.end_object();
}

void write_gpu_counts(JsonWriter& json, const placement::GpuSummary& gpu) {
  json.member("total", gpu.total).member("free", gpu.free);
  json.member("largestFreeBlock", gpu.largest_free_block).member("stranded", gpu.stranded);
}

}  // namespace bayplan::report

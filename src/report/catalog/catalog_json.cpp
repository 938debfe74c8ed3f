#include "report/catalog/catalog_report.hpp"

#include "base/json_writer.hpp"
#include "capacity/fit.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"

namespace bayplan::report {

using catalog::Gpu;
using catalog::InstanceType;

namespace {

using Layout = JsonWriter::Layout;

/// Empty text is a figure that nobody gives: null.
void write_text(JsonWriter& json, std::string_view key, const std::string& text) {
  json.key(key);
  text.empty() ? json.null() : json.value(text);
}

/// So is zero, where zero cannot be.
void write_known(JsonWriter& json, std::string_view key, std::int64_t number) {
  json.key(key);
  number == 0 ? json.null() : json.value(number);
}

void write_gpu(JsonWriter& json, const std::optional<Gpu>& gpu) {
  json.key("gpu");
  if (!gpu) {
    json.null();
    return;
  }
  json.begin_object(Layout::kLine)
      .member("count", gpu->count)
      .member("fraction", static_cast<double>(gpu->fraction_millionths) / 1e6)
      .member("manufacturer", gpu->manufacturer)
      .member("model", gpu->model);
  write_known(json, "memory", gpu->memory);
  write_text(json, "computeCapability", gpu->compute_capability);
  write_text(json, "architecture", gpu->architecture);
  json.member("fp32Tflops", gpu->fp32_tflops)
      .member("tensorFp16Tflops", gpu->tensor_fp16_tflops)
      .member("memoryBandwidth", gpu->memory_bandwidth_gb_per_s);
  write_text(json, "interconnect", gpu->interconnect);
  json.member("interconnectGBps", gpu->interconnect_gb_per_s);
  write_text(json, "note", gpu->note);
  write_list(json, "sources", gpu->sources);
  json.end_object();
}

void write_network(JsonWriter& json, const InstanceType& type) {
  write_known(json, "networkInterfaces", type.max_enis);
  json.key("awsvpcTasks");
  type.max_enis == 0 ? json.null() : json.value(type.eni_task_limit);
  json.member("awsvpcTasksTrunking", type.eni_task_limit_trunking);
  write_text(json, "trunkingSource", type.trunking_source);
  json.member("ebsAttachments", type.ebs_attachments);
  write_text(json, "ebsLimit", !type.ebs_attachments ? "" : type.has_shared_ebs_limit ? "shared" : "dedicated");
  write_text(json, "ebsSource", type.ebs_source);
  json.member("networkGbps", type.network_gbps);
}

void write_price(JsonWriter& json, const InstanceType& type, const std::string& region) {
  const auto price = type.price_in(region).value_or(catalog::Price{});
  json.key("hourlyPrice");
  price.hourly == 0 ? json.null() : json.value(usd_number(price.hourly));
  write_text(json, "priceDate", price.date);
  write_text(json, "priceSource", price.source);
  const auto per_gpu = price_per_gpu(type, region);
  write_usd(json, "pricePerGpuHour", per_gpu);
}

void write_type(JsonWriter& json, const InstanceType& type, const std::string& region) {
  json.begin_object(Layout::kLine)
      .member("instanceType", type.name)
      .member("vcpus", type.vcpus)
      .member("memory", type.memory);
  write_known(json, "registeredMemory", type.registered_memory);
  json.member("memoryBasis", type.memory_basis_text).member("memoryError", type.memory_error());
  write_list(json, "architectures", type.architectures);
  write_text(json, "hypervisor", type.hypervisor);
  json.member("generation", name_of(type.generation));
  write_text(json, "accelerator", type.accelerator_kind);
  write_gpu(json, type.gpu);
  write_network(json, type);
  write_price(json, type, region);
  write_list(json, "regions", type.regions);
  write_text(json, "recordDate", type.record_date);
  write_text(json, "note", type.note);
  json.end_object();
}

}  // namespace

void write_catalog_json(std::ostream& out, const CatalogReport& report) {
  const auto& types = report.types;
  JsonWriter json(out);
  begin_report(json, "catalog-report", catalog_answer(report));
  write_assumptions_json(json, capacity::memory_assumptions(types));
  json.member("region", report.region).member("dataDate", report.catalog.data_date());
  write_prices_json(json, capacity::price_range(types, report.region));
  json.key("types").begin_array();
  for (const auto* type : types) write_type(json, *type, report.region);
  json.end_array();
  json.key("sources").begin_array();
  for (const auto& source : report.catalog.sources()) {
    json.begin_object(Layout::kLine).member("key", source.key).member("text", source.text);
    write_text(json, "date", source.date);
    json.end_object();
  }
  json.end_array().end_object().finish();
}

}  // namespace bayplan::report

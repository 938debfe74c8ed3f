#include "report/catalog/catalog_report.hpp"

#include "base/json_writer.hpp"
#include "capacity/fit.hpp"
#include "catalog/cpu_credits.hpp"
#include "report/document/assumptions.hpp"
#include "report/document/figures.hpp"
#include "report/document/json_parts.hpp"
#include "report/document/prices.hpp"

namespace bayplan::report {

using catalog::Gpu;
using catalog::InstanceType;

namespace {

using Layout = JsonWriter::Layout;

/// Writes null for a number of which zero means that it is not known.
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
  json.member_or_null("computeCapability", gpu->compute_capability);
  json.member_or_null("architecture", gpu->architecture);
  json.member("fp32Tflops", gpu->fp32_tflops)
      .member("tensorFp16Tflops", gpu->tensor_fp16_tflops)
      .member("memoryBandwidth", gpu->memory_bandwidth_gb_per_s);
  json.member_or_null("interconnect", gpu->interconnect);
  json.member("interconnectGBps", gpu->interconnect_gb_per_s);
  json.member_or_null("note", gpu->note);
  write_list(json, "sources", gpu->sources);
  json.end_object();
}

void write_network(JsonWriter& json, const InstanceType& type) {
  write_known(json, "networkInterfaces", type.max_enis);
  json.key("awsvpcTasks");
  type.max_enis == 0 ? json.null() : json.value(type.eni_task_limit);
  json.member("awsvpcTasksTrunking", type.eni_task_limit_trunking);
  json.member_or_null("trunkingSource", type.trunking_source);
  json.member("ebsAttachments", type.ebs_attachments);
  json.member_or_null("ebsLimit", !type.ebs_attachments ? "" : type.has_shared_ebs_limit ? "shared" : "dedicated");
  json.member_or_null("ebsSource", type.ebs_source);
  json.member("networkGbps", type.network_gbps);
}

/// No disk: the type has no instance store. Null: not known.
void write_local_storage(JsonWriter& json, const InstanceType& type) {
  json.key("localStorage");
  if (!type.local_storage) {
    json.null();
    return;
  }
  const auto& storage = *type.local_storage;
  json.begin_object(Layout::kLine).member("disks", storage.disks).member("diskGb", storage.disk_gb);
  json.member_or_null("kind", storage.kind);
  json.end_object();
}

void write_baseline(JsonWriter& json, const InstanceType& type) {
  const auto baseline = catalog::find_baseline(type);
  json.key("baselinePercent");
  baseline ? json.value(static_cast<double>(baseline->permille) / 10) : json.null();
  json.member_or_null("creditMode", !baseline ? "" : baseline->is_unlimited ? "unlimited" : "standard");
  json.member_or_null("baselineSource", baseline ? baseline->source : "");
}

void write_price(JsonWriter& json, const InstanceType& type, const std::string& region) {
  const auto price = type.price_in(region).value_or(catalog::Price{});
  json.key("hourlyPrice");
  price.hourly == 0 ? json.null() : json.value(usd_number(price.hourly));
  json.member_or_null("priceDate", price.date);
  json.member_or_null("priceSource", price.source);
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
  json.member_or_null("hypervisor", type.hypervisor);
  json.member("generation", name_of(type.generation));
  json.member_or_null("accelerator", type.accelerator_kind);
  write_gpu(json, type.gpu);
  if (type.neuron.devices > 0) {
    json.key("neuron").begin_object(Layout::kLine).member("devices", type.neuron.devices);
    json.member("assigned", type.neuron.assigned).member_or_null("source", type.neuron.source).end_object();
  }
  write_network(json, type);
  write_local_storage(json, type);
  write_baseline(json, type);
  write_price(json, type, region);
  write_list(json, "regions", type.regions.names());
  json.member_or_null("recordDate", type.record_date);
  json.member_or_null("source", type.source);
  json.member_or_null("note", type.note);
  json.end_object();
}

}  // namespace

void write_catalog_json(std::ostream& out, const CatalogReport& report) {
  const auto& types = report.types;
  JsonWriter json(out);
  const auto prices = capacity::price_range(types, report.region);
  begin_report(json, "catalog-report", catalog_answer(report, prices));
  write_assumptions_json(json, capacity::memory_assumptions(types));
  json.member("region", report.region).member("dataDate", report.catalog.data_date());
  write_prices_json(json, prices);
  json.key("types").begin_array();
  for (const auto* type : types) write_type(json, *type, report.region);
  json.end_array();
  json.key("sources").begin_array();
  for (const auto& source : report.catalog.sources()) {
    json.begin_object(Layout::kLine).member("key", source.key).member("text", source.text);
    json.member_or_null("date", source.date);
    json.end_object();
  }
  json.end_array().end_object().finish();
}

}  // namespace bayplan::report

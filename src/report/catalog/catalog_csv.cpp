#include "report/catalog/catalog_report.hpp"

#include "report/document/csv.hpp"

namespace bayplan::report {

using catalog::InstanceType;

namespace {

void write_gpu_cells(CsvWriter& csv, const std::optional<catalog::Gpu>& gpu) {
  if (!gpu) {
    for (int i = 0; i < 12; ++i) csv.nothing();
    return;
  }
  csv.number(gpu->count).number(static_cast<double>(gpu->fraction_millionths) / 1e6);
  csv.text(gpu->manufacturer).text(gpu->model).known(gpu->memory).text(gpu->compute_capability);
  csv.text(gpu->architecture).number(gpu->fp32_tflops).number(gpu->tensor_fp16_tflops);
  csv.number(gpu->memory_bandwidth_gb_per_s).text(gpu->interconnect).number(gpu->interconnect_gb_per_s);
}

void write_type_row(CsvWriter& csv, const InstanceType& type, const std::string& region) {
  csv.text(type.name).number(type.vcpus).number(type.memory).known(type.registered_memory);
  csv.text(type.memory_basis_text).number(type.memory_error()).list(type.architectures).text(type.hypervisor);
  csv.text(name_of(type.generation)).text(type.accelerator_kind);
  write_gpu_cells(csv, type.gpu);
  csv.known(type.max_enis);
  type.max_enis == 0 ? csv.nothing() : csv.number(type.eni_task_limit);
  csv.number(type.eni_task_limit_trunking).number(type.network_gbps);
  const auto price = type.price_in(region);
  csv.usd(price ? std::optional(price->hourly) : std::nullopt).text(price ? price->date : "");
  csv.usd(price_per_gpu(type, region)).text(type.note).end_row();
}

}  // namespace

void write_catalog_csv(std::ostream& out, const CatalogReport& report) {
  CsvWriter csv(out);
  csv.header({"instanceType",
              "vcpus",
              "memory",
              "registeredMemory",
              "memoryBasis",
              "memoryError",
              "architectures",
              "hypervisor",
              "generation",
              "accelerator",
              "gpuCount",
              "gpuFraction",
              "gpuManufacturer",
              "gpuModel",
              "gpuMemory",
              "computeCapability",
              "gpuArchitecture",
              "fp32Tflops",
              "tensorFp16Tflops",
              "memoryBandwidth",
              "interconnect",
              "interconnectGBps",
              "networkInterfaces",
              "awsvpcTasks",
              "awsvpcTasksTrunking",
              "networkGbps",
              "hourlyPrice",
              "priceDate",
              "pricePerGpuHour",
              "note"});
  for (const auto* type : report.types) write_type_row(csv, *type, report.region);
}

}  // namespace bayplan::report

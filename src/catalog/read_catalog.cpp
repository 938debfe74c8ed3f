#include "catalog/read_catalog.hpp"

#include <algorithm>
#include <cmath>

#include "base/strings.hpp"
#include "text/document.hpp"
#include "text/read.hpp"

namespace bayplan::catalog {

using text::Value;

namespace {

std::string string_in(Value object, std::string_view key) {
  const Value value = object.find(key);
  return value ? std::string(value.text()) : std::string();
}

std::int64_t integer_in(Value object, std::string_view key) {
  const Value value = object.find(key);
  return value ? value.integer().value_or(0) : 0;
}

std::optional<double> number_in(Value object, std::string_view key) {
  const Value value = object.find(key);
  return value ? to_number(value.text()) : std::nullopt;
}

std::vector<std::string> strings_in(Value object, std::string_view key) {
  std::vector<std::string> texts;
  const Value list = object.find(key);
  if (!list) return texts;
  for (const Value item : list.children()) texts.emplace_back(item.text());
  return texts;
}

std::int64_t millionths(double number) {
  return std::llround(number * 1'000'000);
}

Generation generation_named(std::string_view name) {
  if (name == "current") return Generation::kCurrent;
  if (name == "previous") return Generation::kPrevious;
  if (name == "retired") return Generation::kRetired;
  return Generation::kUnknown;
}

/// `device` is the board's entry under "devices"; the type may override its memory bandwidth (p4de's A100).
Gpu read_gpu(Value gpu, Value device) {
  Gpu result;
  result.model = string_in(gpu, "model");
  result.count = integer_in(gpu, "count");
  result.memory = integer_in(gpu, "memory");
  result.interconnect = string_in(gpu, "interconnect");
  result.interconnect_gb_per_s = number_in(gpu, "interconnectGBps");
  if (const auto fraction = number_in(gpu, "fraction")) result.fraction_millionths = millionths(*fraction);
  result.manufacturer = string_in(device, "manufacturer");
  result.architecture = string_in(device, "architecture");
  result.compute_capability = string_in(device, "computeCapability");
  result.fp32_tflops = number_in(device, "fp32Tflops");
  result.tensor_fp16_tflops = number_in(device, "tensorFp16Tflops");
  const auto own_bandwidth = number_in(gpu, "memoryBandwidth");
  result.memory_bandwidth_gb_per_s = own_bandwidth ? own_bandwidth : number_in(device, "memoryBandwidth");
  result.note = string_in(device, "note");
  result.sources = strings_in(device, "sources");
  return result;
}

void read_memory(Value node, InstanceType& type) {
  type.memory = integer_in(node, "memory");
  type.registered_memory = integer_in(node, "registeredMemory");
  const std::string source = string_in(node, "memorySource");
  if (source == "measured-memory") {
    type.memory_basis = MemoryBasis::kMeasured;
    type.memory_basis_text = "measured MemTotal";
  } else if (source == "memory-model") {
    type.memory_basis = MemoryBasis::kModel;
    type.memory_basis_text = "model " + type.hypervisor + "/" + type.architectures.front();
  } else {
    type.memory_basis_text = "not known";
  }
}

void read_network(Value node, InstanceType& type) {
  type.max_enis = integer_in(node, "networkInterfaces");
  type.eni_task_limit = integer_in(node, "awsvpcTasks");
  if (const Value limit = node.find("trunkingTasks")) type.eni_task_limit_trunking = limit.integer();
  type.trunking_source = string_in(node, "trunkingSource");
  if (const Value limit = node.find("ebsAttachments")) type.ebs_attachments = limit.integer();
  type.has_shared_ebs_limit = string_in(node, "ebsLimit") == "shared";
  type.ebs_source = string_in(node, "ebsSource");
  type.network_gbps = number_in(node, "networkGbps");
}

void read_prices(Value node, Value sources, InstanceType& type) {
  const Value by_source = node.find("prices");
  if (!by_source) return;
  for (const Value source : by_source.children()) {
    const std::string date = string_in(sources.find(source.key()), "date");
    for (const Value price : source.children()) {
      type.prices[std::string(price.key())] = {millionths(to_number(price.text()).value_or(0)), date,
                                               std::string(source.key())};
    }
  }
}

InstanceType read_type(Value node, Value devices, Value sources) {
  InstanceType type;
  type.name = string_in(node, "instanceType");
  type.vcpus = integer_in(node, "vcpus");
  type.cpu = type.vcpus * kUnitsPerVcpu;
  type.architectures = {string_in(node, "architecture")};
  type.hypervisor = string_in(node, "hypervisor");
  type.generation = generation_named(string_in(node, "generation"));
  type.accelerator_kind = string_in(node, "accelerator");
  if (const Value gpu = node.find("gpu")) type.gpu = read_gpu(gpu, devices.find(string_in(gpu, "model")));
  read_memory(node, type);
  read_network(node, type);
  read_prices(node, sources, type);
  type.regions = strings_in(node, "regions");
  type.note = string_in(node, "note");
  type.record_date = string_in(node, "recordDate");
  return type;
}

}  // namespace

CatalogData read_catalog(std::string json) {
  const auto document = text::read_document(std::move(json), {.format = text::Format::kJson});
  const Value root = document->root();
  const Value sources = root.find("sources");
  CatalogData data;
  for (const Value source : sources.children()) {
    data.sources.push_back({std::string(source.key()), string_in(source, "text"), string_in(source, "date")});
  }
  const Value devices = root.find("devices");
  const Value types = root.find("instanceTypes");
  data.types.reserve(types.size());
  for (const Value node : types.children()) data.types.push_back(read_type(node, devices, sources));
  return data;
}

}  // namespace bayplan::catalog

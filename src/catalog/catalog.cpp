#include "catalog/catalog.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "catalog/neuron_devices.hpp"
#include "embedded/ec2_prices.hpp"
#include "embedded/instance_types.hpp"
#include "text/document.hpp"
#include "text/read.hpp"

namespace bayplan::catalog {

namespace {

/// Content of data/instance-types.json.
struct CatalogData {
  std::vector<InstanceType> types;  ///< Listed in file order.
  std::vector<Source> sources;
};

using text::Value;

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

InstanceType read_type(Value node, Value devices, const PriceTables& prices) {
  InstanceType type;
  type.name = string_in(node, "instanceType");
  type.vcpus = integer_in(node, "vcpus");
  type.cpu = type.vcpus * kUnitsPerVcpu;
  type.architectures = {string_in(node, "architecture")};
  type.hypervisor = string_in(node, "hypervisor");
  type.generation = generation_named(string_in(node, "generation"));
  type.accelerator_kind = string_in(node, "accelerator");
  if (type.accelerator_kind == "neuron") type.neuron = neuron_devices(type.name);
  if (const Value gpu = node.find("gpu")) type.gpu = read_gpu(gpu, devices.find(string_in(gpu, "model")));
  read_memory(node, type);
  read_network(node, type);
  type.prices = prices.of(type.name);
  type.regions = strings_in(node, "regions");
  type.note = string_in(node, "note");
  type.record_date = string_in(node, "recordDate");
  return type;
}

/// `json` is the project's own data: a test holds it against the format, so nothing is checked here.
CatalogData read_catalog(std::string json, const PriceTables& prices) {
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
  for (const Value node : types.children()) data.types.push_back(read_type(node, devices, prices));
  return data;
}

/// large < xlarge < 2xlarge < metal; sizes outside the list (own types) come first, by name.
std::int64_t size_rank(std::string_view size) {
  constexpr std::array<std::string_view, 6> kSmall{"nano", "micro", "small", "medium", "large", "xlarge"};
  constexpr std::int64_t kMetal = 1'000'000;
  const auto small = std::find(kSmall.begin(), kSmall.end(), size);
  if (small != kSmall.end()) return small - kSmall.begin() + 1;
  if (size == "metal") return kMetal;
  const bool is_metal = size.starts_with("metal-");
  if (is_metal) size.remove_prefix(sizeof("metal-") - 1);
  const auto factor = to_integer(size.substr(0, size.find('x')));
  return (is_metal ? kMetal : std::int64_t{kSmall.size()}) + factor.value_or(0);
}

}  // namespace

bool size_less(const InstanceType& a, const InstanceType& b) {
  if (a.family() != b.family()) return natural_less(a.family(), b.family());
  const auto rank = [](const InstanceType& type) {
    return size_rank(type.name.substr(std::min(type.name.size(), type.family().size() + 1)));
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return natural_less(a.name, b.name);
}

std::string_view name_of(Generation generation) {
  switch (generation) {
    case Generation::kCurrent:
      return "current";
    case Generation::kPrevious:
      return "previous";
    case Generation::kRetired:
      return "retired";
    case Generation::kUnknown:
      return "unknown";
  }
  return "unknown";
}

// 95 % of the measured types lie within 2 % of the model; two boots of one type differ by up to 1 %; the smallest types
// keep the same fixed amount and so lose a larger share of it.
MiB InstanceType::memory_error() const {
  if (memory_basis == MemoryBasis::kStated || memory_basis == MemoryBasis::kUnknown) return 0;
  const MiB percent = memory < 2 * kMiBPerGiB ? 5 : memory_basis == MemoryBasis::kMeasured ? 1 : 2;
  return (registered_memory * percent + 99) / 100;
}

std::optional<Price> InstanceType::price_in(std::string_view region) const {
  return prices.in(region);
}

Catalog Catalog::load() {
  const PriceTables prices(embedded::ec2_prices());
  CatalogData data = read_catalog(std::string(embedded::instance_types()), prices);
  Catalog catalog;
  catalog.priced_regions_ = prices.regions();
  catalog.sources_ = std::move(data.sources);
  for (const auto& source : catalog.sources_) {
    if (source.key == "ec2-api") catalog.data_date_ = source.date;
  }
  std::sort(data.types.begin(), data.types.end(), size_less);
  catalog.types_ = std::move(data.types);
  for (std::size_t i = 0; i < catalog.types_.size(); ++i) catalog.positions_[catalog.types_[i].name] = i;
  return catalog;
}

const InstanceType* Catalog::find(std::string_view name) const {
  const auto position = positions_.find(name);
  return position == positions_.end() ? nullptr : &types_[position->second];
}

std::vector<const InstanceType*> Catalog::matching(const std::vector<std::string>& globs) const {
  std::vector<const InstanceType*> found;
  for (const auto& type : types_) {
    const bool wanted = globs.empty() || std::any_of(globs.begin(), globs.end(),
                                                     [&](const auto& glob) { return glob_matches(glob, type.name); });
    if (wanted) found.push_back(&type);
  }
  return found;
}

void Catalog::add(InstanceType type) {
  const auto [position, is_new] = positions_.try_emplace(type.name, types_.size());
  if (is_new) {
    types_.push_back(std::move(type));
  } else {
    types_[position->second] = std::move(type);
  }
}

}  // namespace bayplan::catalog

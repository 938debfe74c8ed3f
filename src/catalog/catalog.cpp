#include "catalog/catalog.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "catalog/cells.hpp"
#include "catalog/neuron_devices.hpp"
#include "embedded/ec2_prices.hpp"
#include "embedded/instance_regions.hpp"
#include "embedded/instance_type_table.hpp"
#include "embedded/instance_types.hpp"
#include "text/document.hpp"
#include "text/read.hpp"

namespace bayplan::catalog {

namespace {

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

/// How the registered memory is known: "measured-memory", "measured-sibling:c5a.2xlarge", "memory-model".
void read_memory_source(std::string_view source, InstanceType& type) {
  constexpr std::string_view kSibling = "measured-sibling:";
  if (source == "measured-memory") {
    type.memory_basis = MemoryBasis::kMeasured;
    type.memory_basis_text = "measured MemTotal";
  } else if (source.starts_with(kSibling)) {
    type.memory_basis = MemoryBasis::kSibling;
    type.memory_basis_text = "measured " + std::string(source.substr(kSibling.size()));
  } else if (source == "memory-model") {
    type.memory_basis = MemoryBasis::kModel;
    type.memory_basis_text = "model " + type.hypervisor + "/" + type.architectures.front();
  } else {
    type.memory_basis_text = "not known";
  }
}

/// "2x1900 nvme", "none"; an empty cell says nothing.
std::optional<LocalStorage> read_local_storage(std::string_view cell) {
  if (cell.empty()) return std::nullopt;
  if (cell == "none") return LocalStorage{};
  LocalStorage storage;
  storage.disks = to_integer(take_until(cell, 'x')).value_or(0);
  storage.disk_gb = to_integer(take_until(cell, ' ')).value_or(0);
  storage.kind = cell;
  return storage;
}

/// A row of data/instance-types.csv, cell by cell in the order of its header; rows may end early.
InstanceType read_type(std::string_view row) {
  const auto text = [&row] { return take_until(row, ','); };
  const auto integer = [&text] { return to_integer(text()); };
  InstanceType type;
  type.name = text();
  type.vcpus = integer().value_or(0);
  type.cpu = type.vcpus * kUnitsPerVcpu;
  type.memory = integer().value_or(0);
  type.registered_memory = integer().value_or(0);
  const auto memory_source = text();
  type.architectures = {std::string(text())};
  type.hypervisor = text();
  read_memory_source(memory_source, type);
  type.generation = generation_named(text());
  type.accelerator_kind = text();
  if (type.accelerator_kind == "neuron") type.neuron = neuron_devices(type.name);
  type.max_enis = integer().value_or(0);
  type.eni_task_limit = std::max<std::int64_t>(0, type.max_enis - 1);  // one interface is the instance's own
  type.eni_task_limit_trunking = integer();
  type.trunking_source = text();
  type.ebs_attachments = integer();
  type.has_shared_ebs_limit = text() == "shared";
  type.ebs_source = text();
  type.network_gbps = to_number(text());
  type.local_storage = read_local_storage(text());
  type.record_date = text();
  type.source = text();
  type.note = row;  // may contain commas
  return type;
}

/// data/instance-regions.csv: by family, and by type where a type differs from its family.
std::unordered_map<std::string_view, Regions> read_regions(std::string_view csv) {
  std::unordered_map<std::string_view, Regions> regions;
  for (auto line : lines_of(csv)) {
    const auto name = take_until(line, ',');
    std::vector<std::string> names;
    while (!line.empty()) names.emplace_back(take_until(line, ','));
    regions.emplace(name, Regions(std::move(names)));
  }
  return regions;
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
Regions::Regions(std::vector<std::string> sorted_names)
    : names_(std::make_shared<const std::vector<std::string>>(std::move(sorted_names))) {}

const std::vector<std::string>& Regions::names() const {
  static const std::vector<std::string> kNone;
  return names_ == nullptr ? kNone : *names_;
}

bool Regions::may_include(std::string_view region) const {
  return !is_known() || std::binary_search(names_->begin(), names_->end(), region, std::less<>());
}

MiB InstanceType::memory_error() const {
  // Of two operating system images, the smallest types registered up to 52 MiB more on the older one: a t3.nano with
  // Amazon Linux 2 459 MiB (2020), where 407 were measured in 2026; a t2.micro 993 (2018) and 949.
  constexpr MiB kBetweenImages = 56;
  if (memory_basis == MemoryBasis::kStated || memory_basis == MemoryBasis::kUnknown) return 0;
  const auto percent = [this](MiB number) { return (registered_memory * number + 99) / 100; };
  if (memory < 2 * kMiBPerGiB) return std::max(percent(5), kBetweenImages);
  return percent(memory_basis == MemoryBasis::kModel ? 2 : 1);
}

std::optional<Price> InstanceType::price_in(std::string_view region) const {
  return prices.in(region);
}

Catalog Catalog::load() {
  // The project's own data: a test compares it with its format, so nothing is checked here. The types are a table, not
  // JSON, because they are read by most commands: 1,432 rows take a fifth of the time.
  const auto document = text::read_document(std::string(embedded::instance_types()), {.format = text::Format::kJson});
  const Value root = document->root();
  Catalog catalog;
  const Value sources = root.find("sources");
  for (const Value source : sources.children()) {
    catalog.sources_.push_back({std::string(source.key()), string_in(source, "text"), string_in(source, "date")});
    if (source.key() == "ec2-api") catalog.data_date_ = string_in(source, "date");
  }

  const PriceTables prices(embedded::ec2_prices());
  const auto regions = read_regions(embedded::instance_regions());
  catalog.priced_regions_ = prices.regions();
  const auto lines = lines_of(embedded::instance_type_table());
  catalog.types_.reserve(lines.size() - 1);
  for (auto line = lines.begin() + 1; line != lines.end(); ++line) {  // the first is the header
    InstanceType type = read_type(*line);
    type.prices = prices.of(type.name);
    const auto own = regions.find(type.name);
    const auto of_family = own != regions.end() ? own : regions.find(type.family());
    if (of_family != regions.end()) type.regions = of_family->second;
    catalog.positions_.emplace(type.name, catalog.types_.size());
    catalog.types_.push_back(std::move(type));
  }

  const Value devices = root.find("devices");
  const Value gpus = root.find("gpus");
  for (const Value gpu : gpus.children()) {
    const auto position = catalog.positions_.find(gpu.key());
    catalog.types_[position->second].gpu = read_gpu(gpu, devices.find(string_in(gpu, "model")));
  }
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

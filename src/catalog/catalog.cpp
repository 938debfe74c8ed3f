#include "catalog/catalog.hpp"

#include <algorithm>

#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "catalog/read_catalog.hpp"
#include "embedded/instance_types.hpp"

namespace bayplan::catalog {

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
  if (own_price) return Price{.hourly = *own_price};
  const auto price = prices.find(region);
  return price == prices.end() ? std::nullopt : std::optional(price->second);
}

InstanceType from_own(const OwnType& own, const InstanceType* known) {
  InstanceType type = known ? *known : InstanceType{.name = own.name, .memory_basis_text = "not known"};
  type.is_own = true;
  if (own.cpu) {
    type.cpu = *own.cpu;
    type.vcpus = *own.cpu / kUnitsPerVcpu;
  }
  if (own.memory) {
    type.registered_memory = *own.memory;
    if (!known) type.memory = *own.memory;
    type.memory_basis = MemoryBasis::kStated;
    type.memory_basis_text = "stated";
  }
  if (own.gpus) {
    // What registers a GPU with ECS is NVIDIA's: the agent asks that driver.
    if (!type.gpu) type.gpu = Gpu{.manufacturer = "NVIDIA"};
    type.gpu->count = *own.gpus;
    type.accelerator_kind = "gpu";
    if (*own.gpus == 0) type.gpu.reset();
  }
  if (own.gpu_memory && type.gpu) type.gpu->memory = *own.gpu_memory;
  if (own.max_network_interfaces) {
    type.max_enis = *own.max_network_interfaces;
    type.eni_task_limit = std::max<std::int64_t>(0, type.max_enis - 1);
  }
  if (own.hourly_price) type.own_price = own.hourly_price;
  return type;
}

Catalog Catalog::load() {
  CatalogData data = read_catalog(std::string(embedded::instance_types()));
  Catalog catalog;
  catalog.sources_ = std::move(data.sources);
  for (const auto& source : catalog.sources_) {
    if (source.key == "ec2-api") catalog.data_date_ = source.date;
    if (source.key.starts_with("price-")) catalog.prices_date_ = std::max(catalog.prices_date_, source.date);
  }
  std::sort(data.types.begin(), data.types.end(),
            [](const auto& a, const auto& b) { return natural_less(a.name, b.name); });
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

#include "catalog/catalog.hpp"

#include <algorithm>
#include <array>

#include "base/pattern.hpp"
#include "base/strings.hpp"
#include "catalog/read_catalog.hpp"
#include "embedded/instance_types.hpp"

namespace bayplan::catalog {

namespace {

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

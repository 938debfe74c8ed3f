#include "catalog/filter.hpp"

#include <algorithm>

#include "base/strings.hpp"

namespace bayplan::catalog {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& wanted) {
  return std::find(list.begin(), list.end(), wanted) != list.end();
}

bool accepts_gpu(const TypeFilter& filter, const InstanceType& type) {
  const bool asks =
      filter.gpu_only || filter.min_gpus > 0 || filter.min_gpu_memory > 0 || filter.min_compute_capability;
  if (!asks) return true;
  if (!type.has_nvidia_gpu() || type.gpu->count < filter.min_gpus || type.gpu->memory < filter.min_gpu_memory)
    return false;
  if (!filter.min_compute_capability) return true;
  const auto rank = compute_capability_rank(type.gpu->compute_capability);
  return rank && *rank >= *filter.min_compute_capability;
}

/// Disks are stated in GB of 10^9 bytes.
MiB local_storage(const InstanceType& type) {
  constexpr std::int64_t kGb = 1'000'000'000;
  constexpr std::int64_t kBytesPerMiB = std::int64_t{1} << 20U;
  return type.local_storage ? type.local_storage->total_gb() * kGb / kBytesPerMiB : 0;
}

}  // namespace

std::optional<std::int64_t> compute_capability_rank(std::string_view text) {
  const auto parts = split(text, '.');
  if (parts.empty() || parts.size() > 2) return std::nullopt;
  const auto major = to_integer(parts[0]);
  const auto minor = parts.size() == 2 ? to_integer(parts[1]) : std::optional<std::int64_t>(0);
  if (!major || !minor || *major < 0 || *major > 99 || *minor < 0 || *minor > 99) return std::nullopt;
  return *major * 100 + *minor;
}

bool TypeFilter::accepts(const InstanceType& type) const {
  if (!accepts_gpu(*this, type)) return false;
  if (type.vcpus < min_vcpus || type.memory < min_memory) return false;
  if (local_storage(type) < min_local_storage) return false;
  if (!architecture.empty() && !type.architectures.empty() && !contains(type.architectures, architecture)) return false;
  return region.empty() || type.regions.may_include(region);
}

}  // namespace bayplan::catalog

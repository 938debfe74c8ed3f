#include "capacity/fargate_size.hpp"

#include <algorithm>
#include <array>

#include <fmt/core.h>

namespace bayplan::capacity {

namespace {

constexpr std::array<FargateSizes, 8> kSizes{{{256, 512, 2048, 0, 1024},
                                              {512, 1024, 4096, 1024, 0},
                                              {1024, 2048, 8192, 1024, 0},
                                              {2048, 4096, 16384, 1024, 0},
                                              {4096, 8192, 30720, 1024, 0},
                                              {8192, 16384, 61440, 4096, 0},
                                              {16384, 32768, 122880, 8192, 0},
                                              {32768, 61440, 249856, 0, 122880}}};

}  // namespace

bool FargateSizes::allows(MiB memory) const {
  if (step == 0) return memory == smallest || memory == middle || memory == largest;
  return memory >= smallest && memory <= largest && (memory - smallest) % step == 0;
}

MiB FargateSizes::nearest_above(MiB memory) const {
  if (memory <= smallest) return smallest;
  if (memory >= largest) return largest;
  if (step == 0) return memory <= middle ? middle : largest;
  return smallest + (memory - smallest + step - 1) / step * step;
}

std::string FargateSizes::text() const {
  if (step == 0) return fmt::format("{}, {} or {}", smallest, middle, largest);
  return fmt::format("{} to {} in steps of {}", smallest, largest, step);
}

const FargateSizes* fargate_sizes(CpuUnits cpu) {
  const auto found = std::find_if(kSizes.begin(), kSizes.end(), [&](const auto& sizes) { return sizes.cpu == cpu; });
  return found == kSizes.end() ? nullptr : &*found;
}

CpuUnits nearest_fargate_cpu(CpuUnits cpu) {
  const auto found = std::find_if(kSizes.begin(), kSizes.end(), [&](const auto& sizes) { return sizes.cpu >= cpu; });
  return found == kSizes.end() ? kSizes.back().cpu : found->cpu;
}

const FargateSizes* fargate_sizes_with(CpuUnits cpu, MiB memory) {
  const auto found = std::find_if(kSizes.begin(), kSizes.end(),
                                  [&](const auto& sizes) { return sizes.cpu >= cpu && sizes.largest >= memory; });
  return found == kSizes.end() ? nullptr : &*found;
}

std::optional<FargateSize> smallest_fargate_size(CpuUnits cpu, MiB memory, bool windows) {
  const FargateSizes* sizes = fargate_sizes_with(windows ? std::max(cpu, kSmallestWindowsFargateCpu) : cpu, memory);
  if (sizes == nullptr || (windows && sizes->cpu > kLargestWindowsFargateCpu)) return std::nullopt;
  return FargateSize{sizes->cpu, sizes->nearest_above(memory)};
}

}  // namespace bayplan::capacity

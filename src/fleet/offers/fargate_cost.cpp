#include "fleet/offers/fargate_cost.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace bayplan::fleet {

using catalog::FargatePlatform;
using catalog::FargatePrices;
using catalog::FargateRate;

namespace {

constexpr std::int64_t kPercent = 100;

const std::optional<FargateRate>& rate_of(const FargatePrices& prices, FargatePlatform platform) {
  return prices[static_cast<std::size_t>(platform)];
}

/// Rounded to the nearest, halves up.
NanoUsd share(NanoUsd rate, std::int64_t amount, std::int64_t whole) {
  return (rate * amount + whole / 2) / whole;
}

std::string_view words_of(FargatePlatform platform) {
  switch (platform) {
    case FargatePlatform::kLinuxArm:
    case FargatePlatform::kLinuxArmSpot:
      return "Linux on ARM64";
    case FargatePlatform::kWindows:
      return "Windows";
    default:
      return "Linux on X86_64";
  }
}

struct ChosenRate {
  std::optional<FargateRate> rate;
  std::string name;
  bool is_estimate = false;
};

ChosenRate spot_rate(const FargatePrices& prices, FargatePlatform on_demand) {
  const auto platform =
      on_demand == FargatePlatform::kLinuxArm ? FargatePlatform::kLinuxArmSpot : FargatePlatform::kLinuxX86Spot;
  const std::string name(name_of(platform));
  if (const auto& known = rate_of(prices, platform)) return {known, name};
  auto rate = rate_of(prices, on_demand);
  if (!rate) return {{}, name};
  rate->vcpu = share(rate->vcpu, kPercent - catalog::kFargateSpotDiscount, kPercent);
  rate->gb = share(rate->gb, kPercent - catalog::kFargateSpotDiscount, kPercent);
  rate->source = std::string(kEstimatedSpotRate);
  rate->date.clear();  // it was read on no day
  return {std::move(rate), name, true};
}

}  // namespace

FargateCost fargate_cost(const FargateTask& task, const FargatePrices& prices, const std::string& region,
                         bool is_spot) {
  FargateCost cost;
  const auto platform = task.windows                   ? FargatePlatform::kWindows
                        : task.architecture == "arm64" ? FargatePlatform::kLinuxArm
                                                       : FargatePlatform::kLinuxX86;
  const auto chosen =
      is_spot ? spot_rate(prices, platform) : ChosenRate{rate_of(prices, platform), std::string(name_of(platform))};
  cost.is_spot_estimate = chosen.is_estimate;
  if (const auto& rate = chosen.rate) {
    cost.hourly += share(rate->vcpu + rate->license, task.size.cpu, kUnitsPerVcpu);
    cost.hourly += share(rate->gb, task.size.memory, kMiBPerGiB);
    cost.rates.push_back({chosen.name + " vCPU", rate->vcpu, rate->date, rate->source});
    cost.rates.push_back({chosen.name + " GB", rate->gb, rate->date, rate->source});
    if (rate->license > 0)
      cost.rates.push_back({chosen.name + " license per vCPU", rate->license, rate->date, rate->source});
  } else {
    cost.missing.push_back(
        fmt::format("the Fargate{} rates of {} in {}", is_spot ? " Spot" : "", words_of(platform), region));
  }
  const auto storage = std::max<std::int64_t>(0, task.storage - catalog::kFreeFargateStorage);
  if (storage == 0) return cost;
  if (const auto& rate = rate_of(prices, FargatePlatform::kStorage)) {
    cost.hourly += storage * rate->gb;
    cost.rates.push_back({"storage GB above 20", rate->gb, rate->date, rate->source});
  } else {
    cost.missing.push_back(fmt::format("the Fargate rate of ephemeral storage in {}", region));
  }
  return cost;
}

}  // namespace bayplan::fleet

#pragma once
#include <string>
#include <utility>
#include <vector>

#include "fleet/offers/market.hpp"
#include "placement/build.hpp"

/// Markets written by hand.
namespace bayplan::fleet::test {

inline Offer offer(placement::InstanceProfile profile, MicroUsd price, std::int64_t limit = packing::kUnlimited) {
  Offer made;
  made.profile = std::move(profile);
  made.hourly_price = price;
  made.limit = limit;
  return made;
}

/// In no zone yet.
inline placement::InstanceProfile bought(std::string type, CpuUnits cpu, MiB memory, placement::build::Gpus gpus = {}) {
  auto made = placement::build::instance(std::move(type), cpu, memory, gpus, "");
  made.attributes.erase("ecs.availability-zone");
  return made;
}

inline Market market(std::vector<Offer> offers) {
  Market made;
  made.region = "us-east-1";
  made.offers = std::move(offers);
  return made;
}

/// A small and a large type, and one with four GPUs.
inline Market usual_market() {
  return market({offer(bought("c.small", 2048, 4000), 100'000), offer(bought("c.large", 8192, 16000), 400'000),
                 offer(bought("g.four", 16384, 64000, {4, 16000}), 2'000'000)});
}

}  // namespace bayplan::fleet::test

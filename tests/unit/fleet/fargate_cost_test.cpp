#include "fleet/offers/fargate_cost.hpp"

#include "catch.hpp"

namespace bayplan::fleet {
namespace {

using Texts = std::vector<std::string>;

FargateTask task(CpuUnits cpu, MiB memory) {
  FargateTask made;
  made.size = {cpu, memory};
  return made;
}

NanoUsd hourly(const FargateTask& task, const std::string& region, bool is_spot = false) {
  const auto cost = fargate_cost(task, catalog::fargate_prices(region), region, is_spot);
  CHECK(cost.is_known());
  return cost.hourly;
}

// By hand with the rates of the price list of 2026-09-11 and the Spot feed of 2026-09-28.
TEST_CASE("a task on Fargate costs its vCPUs and its memory") {
  CHECK(hourly(task(256, 512), "us-east-1") == 12'342'500);    // 0.25 * 0.04048 + 0.5 * 0.004445
  CHECK(hourly(task(1024, 2048), "us-east-1") == 49'370'000);  // 0.04048 + 2 * 0.004445
  auto arm = task(1024, 4096);
  arm.architecture = "arm64";
  CHECK(hourly(arm, "us-east-1") == 46'620'000);        // 0.03238 + 4 * 0.00356
  CHECK(hourly(arm, "us-east-1", true) == 14'843'650);  // 0.01030969 + 4 * 0.00113349
  auto windows = task(2048, 4096);
  windows.windows = true;
  CHECK(hourly(windows, "us-east-1") == 205'551'000);  // 2 * (0.046552 + 0.046) + 4 * 0.00511175
}

TEST_CASE("20 GB of storage are part of a task on Fargate") {
  auto large = task(8192, 32768);
  for (const std::int64_t storage : {0, 20}) {
    large.storage = storage;
    CHECK(hourly(large, "us-east-1") == 466'080'000);
  }
  large.storage = 100;
  CHECK(hourly(large, "us-east-1") == 474'960'000);  // 0.46608 + 80 * 0.000111
}

TEST_CASE("a rate of Fargate that is not known is named") {
  auto large = task(1024, 2048);
  large.storage = 30;
  const auto prices = catalog::fargate_prices("eu-north-1");
  const auto cost = fargate_cost(large, prices, "eu-north-1", false);
  CHECK(cost.missing == Texts{"the Fargate rate of ephemeral storage in eu-north-1"});
  CHECK(cost.hourly == 54'300'000);  // what can still be said: 0.0445 + 2 * 0.0049
  auto arm = task(1024, 2048);
  arm.architecture = "arm64";
  CHECK(fargate_cost(arm, prices, "eu-north-1", false).missing ==
        Texts{"the Fargate rates of Linux on ARM64 in eu-north-1"});
  CHECK(fargate_cost(arm, prices, "eu-north-1", true).missing ==
        Texts{"the Fargate Spot rates of Linux on ARM64 in eu-north-1"});
  CHECK(fargate_cost(task(256, 512), catalog::fargate_prices("mx-central-1"), "mx-central-1", false).missing ==
        Texts{"the Fargate rates of Linux on X86_64 in mx-central-1"});
}

TEST_CASE("a region without Fargate Spot prices has the mean discount") {
  const auto prices = catalog::fargate_prices("us-west-2");
  const auto cost = fargate_cost(task(1024, 2048), prices, "us-west-2", true);
  CHECK(cost.is_known());
  CHECK(cost.is_spot_estimate);
  CHECK(cost.hourly == 15'798'400);  // 0.32 * (0.04048 + 2 * 0.004445)
  CHECK(cost.rates.front().source == "fargate-spot-average");
  CHECK_FALSE(fargate_cost(task(256, 512), catalog::fargate_prices("us-east-1"), "us-east-1", true).is_spot_estimate);
}

}  // namespace
}  // namespace bayplan::fleet

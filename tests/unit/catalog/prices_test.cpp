#include <array>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "base/strings.hpp"
#include "catalog/catalog.hpp"
#include "catalog/fargate_prices.hpp"
#include "catalog/managed_instances.hpp"
#include "catch.hpp"
#include "support/in_sources.hpp"

namespace bayplan::catalog {
namespace {

std::vector<std::vector<std::string>> rows_of(const std::string& file) {
  std::ifstream in(in_sources(file));
  std::vector<std::vector<std::string>> rows;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    auto& row = rows.emplace_back();
    for (const auto cell : split(line, ',')) row.emplace_back(cell);
  }
  return rows;
}

TEST_CASE("prices of instance types are known in 28 regions") {
  const auto catalog = Catalog::load();
  CHECK(catalog.priced_regions().size() == 28);
  const auto* type = catalog.find("m5.large");
  REQUIRE(type != nullptr);
  // Price List of 2026-02-07, and of us-east-1 of 2026-07-20.
  CHECK(type->price_in("us-east-1")->hourly == 96'000);
  CHECK(type->price_in("us-east-1")->date == "2026-07-20");
  CHECK(type->price_in("us-east-1")->source == "price-us-east-1");
  CHECK(type->price_in("eu-central-1")->hourly == 115'000);
  CHECK(type->price_in("eu-central-1")->date == "2026-02-07");
  CHECK(type->price_in("sa-east-1")->source == "price-regions");
  CHECK_FALSE(type->price_in("us-gov-west-1"));
  CHECK_FALSE(type->price_in(""));
  CHECK(type->prices.regions().size() == 28);
}

// AWS Price List of 2026-02-07, in place of the prices of dedicated tenancy that a newer table has.
TEST_CASE("metal types of us-east-1 cost what shared tenancy costs") {
  const auto catalog = Catalog::load();
  const std::array<std::pair<const char*, MicroUsd>, 10> prices = {{{"c6g.metal", 2'176'000},
                                                                    {"c7i.metal-24xl", 4'284'000},
                                                                    {"c8g.metal-24xl", 3'828'480},
                                                                    {"m6g.metal", 2'464'000},
                                                                    {"m7i.metal-24xl", 4'838'400},
                                                                    {"m8g.metal-24xl", 4'308'480},
                                                                    {"r6g.metal", 3'225'600},
                                                                    {"r7i.metal-24xl", 6'350'400},
                                                                    {"r8g.metal-24xl", 5'655'360},
                                                                    {"x2gd.metal", 5'344'000}}};
  for (const auto& [name, price] : prices) {
    CAPTURE(name);
    REQUIRE(catalog.find(name) != nullptr);
    CHECK(catalog.find(name)->price_in("us-east-1")->hourly == price);
    CHECK(catalog.find(name)->price_in("us-east-1")->date == "2026-02-07");
  }
}

TEST_CASE("what a user states replaces the price of a region") {
  RegionPrices prices;
  prices.add({"table", "2026-01-02", "eu-west-1,us-east-1,us-east-2", "0.5,,0.25"});
  CHECK(prices.in("eu-west-1")->hourly == 500'000);
  CHECK_FALSE(prices.in("us-east-1"));
  CHECK(prices.regions() == std::vector<std::string>{"eu-west-1", "us-east-2"});
  prices.set("us-east-1", {7, {}, {}});
  prices.set("eu-west-1", {8, {}, {}});
  CHECK(prices.in("us-east-1")->hourly == 7);
  CHECK(prices.in("eu-west-1")->hourly == 8);
  CHECK(prices.regions() == std::vector<std::string>{"eu-west-1", "us-east-1", "us-east-2"});
}

TEST_CASE("every table of prices is well formed and names a known source") {
  const auto catalog = Catalog::load();
  std::map<std::string, std::string> sources;
  for (const auto& source : catalog.sources()) sources[source.key] = source.date;
  std::size_t columns = 0;
  std::set<std::string> of_table;
  for (const auto& row : rows_of("data/ec2-prices.csv")) {
    CAPTURE(row.front());
    const auto at = row.front().find('@');
    if (at != std::string::npos) {
      CHECK(sources.at(row.front().substr(0, at)) == row.front().substr(at + 1));
      columns = row.size();
      of_table.clear();
      continue;
    }
    CHECK(catalog.find(row.front()) != nullptr);
    CHECK(of_table.insert(row.front()).second);
    CHECK(row.size() <= columns);
    for (std::size_t i = 1; i < row.size(); ++i) CHECK((row[i].empty() || to_number(row[i]).value_or(0) > 0));
  }
  for (const auto& row : rows_of("data/fargate-prices.csv")) {
    if (row.front() == "region") continue;
    REQUIRE(row.size() == 7);
    CAPTURE(row.front(), row[1]);
    CHECK(sources.contains(row[6]));
    CHECK(row[5].size() == 10);
    const auto rates = fargate_prices(row.front());
    const auto platform = std::find(kFargatePlatforms.begin(), kFargatePlatforms.end(), row[1]);
    REQUIRE(platform != kFargatePlatforms.end());
    const auto& rate = rates[static_cast<std::size_t>(platform - kFargatePlatforms.begin())];
    REQUIRE(rate);
    CHECK(rate->gb > 0);
    CHECK((rate->vcpu > 0) == (row[1] != "storage"));
    CHECK((rate->license > 0) == (row[1] == "windows"));
  }
  for (const auto& row : rows_of("data/managed-instances.csv")) {
    if (row.front() == "family") continue;
    REQUIRE(row.size() == 4);
    CAPTURE(row.front());
    CHECK(sources.contains(row[2]));
    CHECK(std::any_of(catalog.types().begin(), catalog.types().end(),
                      [&](const auto& type) { return type.family() == row.front(); }));
  }
  CHECK(sources.contains("fargate-spot-average"));
}

TEST_CASE("rates of Fargate are those of the region") {
  const auto virginia = fargate_prices("us-east-1");
  const auto& arm = virginia[static_cast<std::size_t>(FargatePlatform::kLinuxArmSpot)];
  REQUIRE(arm);
  CHECK(arm->vcpu == 10'309'690);
  CHECK(arm->gb == 1'133'490);
  CHECK(arm->date == "2026-09-28");
  const auto windows = virginia[static_cast<std::size_t>(FargatePlatform::kWindows)];
  REQUIRE(windows);
  CHECK(windows->gb == 5'111'750);
  CHECK(windows->license == 46'000'000);
  for (const auto& rate : fargate_prices("us-east")) CHECK_FALSE(rate);
  CHECK_FALSE(fargate_prices("us-west-2")[static_cast<std::size_t>(FargatePlatform::kLinuxArm)]);
}

// Fees of the AmazonECS offer and the pricing page, rounded there to a thousandth (2026-09).
TEST_CASE("the fee of Managed Instances follows from the price") {
  const auto catalog = Catalog::load();
  const auto fee = [&](const char* name, MicroUsd price) { return managed_instances(*catalog.find(name)).fee(price); };
  CHECK(fee("c6a.2xlarge", 306'000) == 36'720);
  CHECK(fee("c8g.4xlarge", 800'480) == 96'058);
  CHECK(fee("g6.xlarge", 1'167'200) == 91'042);
  CHECK(fee("g5.xlarge", 1'459'000) == 113'802);
  CHECK(fee("p5.48xlarge", 10'000'000) == 480'000);
}

TEST_CASE("Managed Instances have some of the instance types") {
  const auto catalog = Catalog::load();
  const auto why_not = [&](const char* name) { return managed_instances(*catalog.find(name)).why_not; };
  CHECK(why_not("m5.large").empty());
  CHECK(why_not("t3.medium").empty());
  CHECK(why_not("t3.micro") == "it is too small");
  CHECK(why_not("c7g.medium") == "it has one vCPU");
  CHECK(why_not("p3.2xlarge") == "the family p3 is not offered");
  CHECK(why_not("c4.large") == "the family c4 is not offered");
  CHECK(is_burstable(*catalog.find("t4g.large")));
  CHECK_FALSE(is_burstable(*catalog.find("trn1.2xlarge")));
}

}  // namespace
}  // namespace bayplan::catalog

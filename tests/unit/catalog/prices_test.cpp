#include <array>
#include <set>
#include <string>

#include "base/strings.hpp"
#include "catalog/catalog.hpp"
#include "catalog/fargate_prices.hpp"
#include "catalog/managed_instances.hpp"
#include "catalog/price_age.hpp"
#include "catch.hpp"
#include "support/data_table.hpp"

namespace bayplan::catalog {
namespace {

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

// AWS Price List of 2026-02-07 (aws-samples/sample-ecs-managed-instances-pricing-calculator
// public/data/ec2-prices.json), in micro-USD: us-east-1, us-west-2, eu-central-1, ap-northeast-1. The newer table of
// us-east-1 has the same prices.
struct PricedRow {
  const char* name;
  std::array<MicroUsd, 4> prices;
};

constexpr std::array<PricedRow, 60> kPricedRows = {{
    {"c3.4xlarge", {840'000, 840'000, 1'032'000, 1'021'000}},
    {"c5a.2xlarge", {308'000, 308'000, 348'000, 384'000}},
    {"c5d.18xlarge", {3'456'000, 3'456'000, 3'996'000, 4'392'000}},
    {"c6a.4xlarge", {612'000, 612'000, 698'400, 770'400}},
    {"c6gn.medium", {43'200, 43'200, 49'300, 54'500}},
    {"c6id.16xlarge", {3'225'600, 3'225'600, 3'729'600, 4'099'200}},
    {"c6in.2xlarge", {453'600, 453'600, 516'600, 571'200}},
    {"c7g.large", {72'500, 72'500, 82'500, 91'000}},
    {"c7gd.xlarge", {181'400, 181'400, 209'800, 230'600}},
    {"c7i-flex.16xlarge", {2'713'200, 2'713'200, 3'096'240, 3'415'440}},
    {"c8gd.24xlarge", {4'703'040, 4'703'040, 5'438'400, 5'976'960}},
    {"c8i.metal-48xl", {8'996'160, 8'996'160, 10'266'240, 11'325'120}},
    {"c8i-flex.12xlarge", {2'136'480, 2'136'480, 2'438'160, 2'689'680}},
    {"c8id.large", {110'880, 110'880, 128'210, 140'910}},
    {"f2.6xlarge", {1'980'000, 1'980'000, 2'475'000, 2'673'600}},
    {"g4dn.16xlarge", {4'352'000, 4'352'000, 5'440'000, 5'875'000}},
    {"g5g.4xlarge", {828'000, 828'000, 1'035'800, 1'117'600}},
    {"g6e.2xlarge", {2'242'080, 2'242'080, 2'803'500, 3'251'680}},
    {"i7i.xlarge", {377'500, 377'500, 450'100, 442'900}},
    {"i7ie.metal-24xl", {12'475'200, 12'475'200, 14'904'000, 14'683'200}},
    {"i8g.4xlarge", {1'372'800, 1'372'800, 1'636'800, 1'612'800}},
    {"im4gn.8xlarge", {2'910'340, 2'910'340, 3'470'020, 3'414'050}},
    {"is4gen.4xlarge", {2'305'200, 2'305'200, 2'754'000, 2'713'200}},
    {"m3.medium", {67'000, 67'000, 79'000, 96'000}},
    {"m5a.8xlarge", {1'376'000, 1'376'000, 1'664'000, 1'792'000}},
    {"m5ad.xlarge", {206'000, 206'000, 250'000, 268'000}},
    {"m5d.12xlarge", {2'712'000, 2'712'000, 3'264'000, 3'504'000}},
    {"m5dn.8xlarge", {2'176'000, 2'176'000, 2'592'000, 2'800'000}},
    {"m6g.16xlarge", {2'464'000, 2'464'000, 2'944'000, 3'168'000}},
    {"m6gd.medium", {45'200, 45'200, 54'500, 58'500}},
    {"m6id.32xlarge", {7'593'600, 7'593'600, 9'139'200, 9'811'200}},
    {"m6idn.24xlarge", {7'637'760, 7'637'760, 9'097'920, 9'828'000}},
    {"m6in.32xlarge", {8'910'720, 8'910'720, 10'558'080, 11'456'640}},
    {"m7a.2xlarge", {463'680, 463'680, 555'440, 598'920}},
    {"m7gd.medium", {53'400, 53'400, 64'300, 69'000}},
    {"m7i.48xlarge", {9'676'800, 9'676'800, 11'592'000, 12'499'200}},
    {"m7i-flex.4xlarge", {766'080, 766'080, 917'680, 989'520}},
    {"m8a.medium", {60'860, 60'860, 72'900, 78'610}},
    {"m8azn.12xlarge", {4'955'040, 4'955'040, 5'935'920, 6'400'560}},
    {"m8g.large", {89'760, 89'760, 107'540, 115'940}},
    {"m8gd.metal-48xl", {11'070'720, 11'070'720, 13'324'800, 14'304'000}},
    {"m8i-flex.2xlarge", {402'200, 402'200, 481'800, 519'480}},
    {"m8id.metal-96xl", {25'059'840, 25'059'840, 30'159'360, 32'376'960}},
    {"r3.2xlarge", {665'000, 665'000, 800'000, 798'000}},
    {"r4.8xlarge", {2'128'000, 2'128'000, 2'560'800, 2'560'000}},
    {"r5b.2xlarge", {596'000, 596'000, 712'000, 724'000}},
    {"r5dn.metal", {8'016'000, 8'016'000, 9'552'000, 9'744'000}},
    {"r6gd.8xlarge", {1'843'200, 1'843'200, 2'208'000, 2'224'000}},
    {"r6id.metal", {9'676'800, 9'676'800, 11'625'600, 11'692'800}},
    {"r6idn.24xlarge", {9'378'720, 9'378'720, 11'175'840, 11'400'480}},
    {"r6in.4xlarge", {1'394'640, 1'394'640, 1'666'080, 1'694'160}},
    {"r7gd.8xlarge", {2'177'300, 2'177'300, 2'615'800, 2'630'900}},
    {"r7iz.16xlarge", {5'952'000, 5'952'000, 7'200'000, 7'264'000}},
    {"r8a.24xlarge", {7'668'480, 7'668'480, 9'250'560, 9'250'560}},
    {"r8gd.medium", {73'480, 73'480, 88'280, 88'790}},
    {"r8i.32xlarge", {8'890'880, 8'890'880, 10'725'120, 10'725'120}},
    {"r8i-flex.12xlarge", {3'167'280, 3'167'280, 3'820'800, 3'820'800}},
    {"t2.2xlarge", {371'200, 371'200, 428'800, 486'400}},
    {"t3.medium", {41'600, 41'600, 48'000, 54'400}},
    {"z1d.xlarge", {372'000, 372'000, 450'000, 454'000}},
}};

TEST_CASE("prices of 60 types in four regions are those of the price list") {
  const auto catalog = Catalog::load();
  const std::array<const char*, 4> regions = {"us-east-1", "us-west-2", "eu-central-1", "ap-northeast-1"};
  for (const auto& row : kPricedRows) {
    CAPTURE(row.name);
    const auto* type = catalog.find(row.name);
    REQUIRE(type != nullptr);
    for (std::size_t i = 0; i < regions.size(); ++i) {
      CAPTURE(regions[i]);
      const auto price = type->price_in(regions[i]);
      REQUIRE(price);
      CHECK(price->hourly == row.prices[i]);
      CHECK_FALSE(price->is_estimated());
    }
  }
}

TEST_CASE("prices that are derived from others say so") {
  const auto catalog = Catalog::load();
  const auto price = [&](const char* type, const char* region) { return *catalog.find(type)->price_in(region); };
  // Read in a price list, and derived: by size, by vCPUs, from us-east-1.
  CHECK_FALSE(price("m9g.large", "us-east-1").is_estimated());
  CHECK_FALSE(price("m9g.large", "eu-central-1").is_estimated());
  CHECK(price("m9g.large", "us-east-2").source == "price-estimate-as-us-east-1");
  CHECK(price("m9g.large", "us-east-2").hourly == price("m9g.large", "us-east-1").hourly);
  CHECK(price("m9g.metal-48xl", "us-east-1").source == "price-estimate-metal-by-size");
  CHECK(price("m9g.metal-48xl", "us-east-1").hourly == price("m9g.48xlarge", "us-east-1").hourly);
  CHECK(price("r9g.16xlarge", "us-east-1").source == "price-estimate-r9g-by-vcpus");
  CHECK(price("r9g.large", "us-east-1").source == "price-r9g");
  CHECK(price("r9g.large", "us-east-1").hourly == 128'420);
  CHECK(price("r9g.large", "us-east-2").is_estimated());
  CHECK(price("r9g.48xlarge", "us-east-1").hourly == 12'328'300);
  // No price is a guess: T8i and R9gd have none anywhere, and R9g none in Europe.
  CHECK(catalog.find("t8i.medium")->prices.regions().empty());
  CHECK(catalog.find("r9gd.large")->prices.regions().empty());
  CHECK_FALSE(catalog.find("r9g.large")->price_in("eu-central-1"));
}

TEST_CASE("the age of a price is counted from the newest price of the data") {
  CHECK(newest_price_day() == "2026-09-05");
  CHECK(days_behind("2026-09-05") == 0);
  CHECK(days_behind("2026-07-20") == 47);
  CHECK(days_behind("2026-02-07") == 210);
  CHECK(days_behind("2025-09-05") == 365);
  CHECK(days_behind("") == 0);
  CHECK(days_behind("2026-13-01") == 0);
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
  for (const auto& row : table_rows("data/ec2-prices.csv")) {
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
  for (const auto& row : table_rows("data/fargate-prices.csv")) {
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
  for (const auto& row : table_rows("data/managed-instances.csv")) {
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

#include "fleet/offers/market.hpp"

#include <algorithm>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "scenario/load_scenario.hpp"

namespace bayplan::fleet {
namespace {

using Texts = std::vector<std::string>;

/// The catalog of a scenario, what it says, and what may be bought for it.
struct Loaded {
  catalog::Catalog catalog = catalog::Catalog::load();
  placement::Scenario scenario;
  LoadedMarket market;
};

std::unique_ptr<Loaded> load(const MarketRequest& request, const std::string& yaml,
                             std::map<std::string, std::string> files = {}) {
  auto loaded = std::make_unique<Loaded>();
  files["s.yaml"] = yaml;
  files["web.json"] =
      R"({"family": "web", "containerDefinitions": [{"name": "web", "image": "web:1", "memory": 100}]})";
  const MemoryFiles all(files);
  auto scenario =
      scenario::load_scenario({.scenario = "s.yaml", .keeps_groups = true, .may_be_idle = true}, all, loaded->catalog);
  INFO((scenario.errors.empty() ? std::string() : scenario.errors.front().message));
  REQUIRE(scenario.scenario);
  loaded->scenario = std::move(*scenario.scenario);
  loaded->market = load_market(request, loaded->scenario, loaded->catalog, all);
  return loaded;
}

constexpr const char* kNoCluster = "region: us-east-1\ntaskDefinitions: [web.json]\ntasks: [{taskDefinition: web}]\n";

std::string with_instances(const std::string& instances, const std::string& more = {}) {
  return std::string(kNoCluster) + "cluster:\n containerInstances:\n" + instances + more;
}

/// "m5.large 96000 x4": type, price, limit.
Texts offers_of(const Loaded& loaded) {
  REQUIRE(loaded.market.errors.empty());
  Texts texts;
  for (const auto& offer : loaded.market.market->offers) {
    std::string text = offer.profile.instance_type + " " + std::to_string(offer.hourly_price);
    if (offer.limit != packing::kUnlimited) text += " x" + std::to_string(offer.limit);
    if (offer.is_owned) text += " owned";
    if (!offer.standing.empty()) text += " standing";
    texts.push_back(std::move(text));
  }
  return texts;
}

Texts messages_of(const Loaded& loaded) {
  CHECK_FALSE(loaded.market.market);
  Texts texts;
  for (const auto& error : loaded.market.errors) texts.push_back(error.message);
  return texts;
}

std::string why_left_out(const Loaded& loaded, const std::string& type) {
  for (const auto& left : loaded.market.market->left_out) {
    if (left.instance_type == type) return left.why;
  }
  return {};
}

TEST_CASE("without globs every type on sale may be bought retired ones not") {
  const auto loaded = load({}, kNoCluster);
  REQUIRE(loaded->market.market);
  const auto& offers = loaded->market.market->offers;
  CHECK(offers.size() > 400);
  for (const auto& offer : offers) {
    CHECK(offer.hourly_price > 0);
    CHECK(offer.listed->hourly == offer.hourly_price);
    CHECK_FALSE(offer.profile.type->is_retired());
    CHECK(offer.profile.attributes.at("ecs.instance-type") == offer.profile.instance_type);
    CHECK(offer.profile.availability_zone.empty());
  }
  const bool has_previous = std::any_of(offers.begin(), offers.end(), [](const Offer& offer) {
    return offer.profile.type->generation == catalog::Generation::kPrevious;
  });
  CHECK(has_previous);
  CHECK(std::is_sorted(offers.begin(), offers.end(), [](const Offer& a, const Offer& b) {
    return catalog::size_less(*a.profile.type, *b.profile.type);
  }));
}

TEST_CASE("globs choose the types retired ones only where they name the family") {
  const auto wide = load({.types = {"p*.2xlarge", "p4d.*"}}, kNoCluster);
  CHECK(offers_of(*wide) == Texts{"p4d.24xlarge 21957642"});
  CHECK(why_left_out(*wide, "p3.2xlarge") == "no longer sold; include it with --types 'p3.*'");
  CHECK(offers_of(*load({.types = {"p3.2*"}}, kNoCluster)) == Texts{"p3.2xlarge 3060000"});
}

TEST_CASE("a glob without a type is an error with a hint") {
  const auto loaded = load({.types = {"g4dn.*", "g4.xlarge"}}, kNoCluster);
  CHECK(messages_of(*loaded) == Texts{"--types 'g4.xlarge': no instance type matches it"});
  CHECK(loaded->market.errors.front().help.find("g4dn.xlarge") != std::string::npos);
}

TEST_CASE("a type of the cluster is offered as its instances are set up") {
  const auto loaded =
      load({.types = {"m5.large", "m5.xlarge"}},
           with_instances("  - {instanceType: m5.large, count: 3, availabilityZones: [us-east-1a, us-east-1b],"
                          " reservedMemory: 256, attributes: {rack: a}}\n"
                          "  - {instanceType: m5.large, attributes: {rack: b}, status: DRAINING}\n"
                          "  - {instanceType: m5.large, awsvpcTrunking: true}\n"));
  CHECK(offers_of(*loaded) == Texts{"m5.large 96000", "m5.large 96000", "m5.large 96000", "m5.xlarge 192000"});
  const auto& offers = loaded->market.market->offers;
  CHECK(offers[0].profile.memory == offers[1].profile.memory - 256);
  CHECK(offers[0].profile.availability_zone.empty());
  CHECK(offers[1].profile.status == placement::InstanceStatus::kActive);
  CHECK(offers[2].profile.awsvpc_trunking);
}

TEST_CASE("attributes that no constraint names make no other set-up") {
  const std::string instances =
      "  - {instanceType: m5.large, attributes: {rack: a, team: ml}}\n"
      "  - {instanceType: m5.large, attributes: {rack: b, team: ml}}\n";
  const auto merged = load({.types = {"m5.large"}}, with_instances(instances));
  REQUIRE(offers_of(*merged) == Texts{"m5.large 96000"});
  const auto& attributes = merged->market.market->offers.front().profile.attributes;
  CHECK(attributes.at("team") == "ml");
  CHECK_FALSE(attributes.contains("rack"));

  const std::string constrained =
      "services: [{serviceName: api, desiredCount: 1, taskDefinition: web, placementConstraints: "
      "[{type: memberOf, expression: 'attribute:rack == a'}]}]\n";
  CHECK(offers_of(*load({.types = {"m5.large"}}, with_instances(instances, constrained))).size() == 2);
  const std::string spread =
      "services: [{serviceName: api, desiredCount: 1, taskDefinition: web, placementStrategy: "
      "[{type: spread, field: 'attribute:rack'}]}]\n";
  CHECK(offers_of(*load({.types = {"m5.large"}}, with_instances(instances, spread))).size() == 2);
}

TEST_CASE("types of a group are offered with its provider in its zones where these are not all") {
  const std::string yaml = with_instances(
      "  - {instanceType: m5.large, availabilityZones: [us-east-1a, us-east-1b, us-east-1c], count: 3}\n",
      "capacityProviders:\n"
      "  - {name: gpus, managedScaling: {status: ENABLED}, autoScalingGroup: {minSize: 1, instanceTypes: "
      "[g4dn.xlarge], maxSize: 4,"
      " availabilityZones: [us-east-1a, us-east-1b]}}\n"
      "  - {name: all, autoScalingGroup: {instanceTypes: [m5.xlarge], maxSize: 4,"
      " availabilityZones: [us-east-1a, us-east-1b, us-east-1c]}}\n");
  const auto loaded = load({.types = {"g4dn.xlarge", "m5.*large"}}, yaml);
  CHECK_FALSE(loaded->scenario.timetable.has_time);
  REQUIRE(loaded->market.market);
  Texts seen;
  for (const auto& offer : loaded->market.market->offers) {
    const auto& profile = offer.profile;
    if (profile.instance_type == "g4dn.xlarge" || profile.instance_type == "m5.xlarge")
      seen.push_back(profile.instance_type + " " + profile.capacity_provider_name + " " + profile.availability_zone);
  }
  CHECK(seen == Texts{"g4dn.xlarge gpus us-east-1a", "g4dn.xlarge gpus us-east-1b", "m5.xlarge all "});
}

TEST_CASE("a retired type of the cluster and a type of their own may be bought without being named") {
  const auto loaded = load({}, with_instances("  - {instanceType: p3.2xlarge}\n",
                                              "instanceTypes:\n  - {instanceType: rack-a, registeredResources: "
                                              "{CPU: 98304, MEMORY: 393216}, hourlyPrice: 1.5}\n"));
  const auto texts = offers_of(*loaded);
  CHECK(std::count(texts.begin(), texts.end(), "p3.2xlarge 3060000") == 1);
  CHECK(texts.back() == "rack-a 1500000");
}

TEST_CASE("instances with Windows are told to be priced as on Linux") {
  const auto loaded = load({.types = {"m5.*large"}},
                           with_instances("  - {instanceType: m5.large, attributes: {ecs.os-type: windows}}\n"));
  REQUIRE(loaded->market.market);
  REQUIRE(loaded->market.market->assumptions.size() == 1);
  CHECK(loaded->market.market->assumptions.front().text == "m5.large runs Windows and is priced as on Linux");
}

TEST_CASE("the nearest discount counts to the micro-USD") {
  const auto loaded = load({.types = {"g4dn.*xlarge"},
                            .discounts = {"g4dn.2xlarge=0.5", "g4dn=0.72", "g4*=0.9", "*.4xlarge=0.333333", "m5=1"}},
                           kNoCluster);
  const auto texts = offers_of(*loaded);
  CHECK(texts.at(0) == "g4dn.xlarge 378720");
  CHECK(texts.at(1) == "g4dn.2xlarge 376000");
  CHECK(loaded->market.market->offers.at(1).listed->hourly == 752'000);

  const auto globs =
      load({.types = {"g4dn.xlarge", "m5.large"}, .discounts = {"g*=0.9", "*.xlarge=0.333333"}}, kNoCluster);
  CHECK(offers_of(*globs) == Texts{"g4dn.xlarge 175333", "m5.large 96000"});
}

TEST_CASE("owned instances come first at no price and count to the limit") {
  const auto loaded =
      load({.types = {"g4dn.*"}, .limits = {"g4dn.xlarge=5"}, .owned = {"g4dn.xlarge=2", "p3.2xlarge=1"}}, kNoCluster);
  const auto texts = offers_of(*loaded);
  CHECK(texts.at(0) == "g4dn.xlarge 0 x2 owned");
  CHECK(texts.at(1) == "g4dn.xlarge 526000 x3");
  CHECK(texts.back() == "p3.2xlarge 0 x1 owned");
}

TEST_CASE("a limit of several set-ups is one of the type") {
  const auto loaded =
      load({.types = {"m5.large"}, .limits = {"m5.large=7"}},
           with_instances("  - {instanceType: m5.large}\n  - {instanceType: m5.large, awsvpcTrunking: true}\n"));
  CHECK(offers_of(*loaded) == Texts{"m5.large 96000 x7", "m5.large 96000 x7"});
  REQUIRE(loaded->market.market->limits.size() == 1);
  CHECK(loaded->market.market->limits.front().count == 7);
}

TEST_CASE("where limits and quotas leave nothing to buy the types are offered as they forbid") {
  const auto none = load({.types = {"p3.2xlarge"}, .limits = {"p3.2xlarge=0"}}, kNoCluster);
  CHECK(offers_of(*none) == Texts{"p3.2xlarge 3060000 x0"});
  CHECK(none->market.market->left_out.empty());
  const auto small = load({.types = {"p3.8xlarge"}, .quotas = {"P=31"}}, kNoCluster);
  CHECK(offers_of(*small) == Texts{"p3.8xlarge 12240000"});
  CHECK(small->market.market->quotas.front().vcpus == 31);
  const auto other = load({.types = {"p3.2xlarge", "m5.large"}, .limits = {"p3.2xlarge=0"}}, kNoCluster);
  CHECK(offers_of(*other) == Texts{"m5.large 96000"});
  CHECK(other->market.market->left_out.front().why == "--limit p3.2xlarge=0");
}

TEST_CASE("a quota that is enough for one leaves the type to buy") {
  const auto enough = load({.types = {"p3.*"}, .quotas = {"p=32"}}, kNoCluster);
  CHECK(offers_of(*enough) == Texts{"p3.2xlarge 3060000", "p3.8xlarge 12240000"});
  CHECK(enough->market.market->quotas.front().vcpus == 32);
  CHECK(enough->market.market->offers.front().quota == "P");
  const auto contradiction = load({.limits = {"p3.2xlarge=1"}, .owned = {"p3.2xlarge=2"}}, kNoCluster);
  CHECK(messages_of(*contradiction) == Texts{"--limit p3.2xlarge=1 contradicts --owned p3.2xlarge=2"});
}

TEST_CASE("every mistake in a flag is told with its place") {
  const auto loaded =
      load({.discounts = {"g4dn", "g4dn=0", "g4dn=1.5", "g4dn=28%", "gx=0.5", "g4dn=0.5", "g4dn=0.6", "zz*=0.5"},
            .limits = {"p3.2xlarge=-1", "p3.*=2", "p3.2xlargex=2", "=2"},
            .owned = {"p3.2xlarge=0", "px.large=1"},
            .quotas = {"GPU=256", "P=many", "P=1", "P=2"}},
           kNoCluster);
  CHECK(messages_of(*loaded) ==
        Texts{"--discount 'g4dn' is not NAME=VALUE", "--discount 'g4dn=0': the factor cannot be '0'",
              "--discount 'g4dn=1.5': the factor cannot be '1.5'", "--discount 'g4dn=28%': the factor cannot be '28%'",
              "--discount 'gx=0.5': unknown instance type 'gx'", "duplicate --discount for g4dn",
              "--discount 'zz*=0.5': no instance type matches 'zz*'",
              "--limit 'p3.2xlarge=-1': the number cannot be '-1'", "--limit 'p3.*=2' matches more than one type",
              "--limit 'p3.2xlargex=2': unknown instance type 'p3.2xlargex'", "--limit '=2' is not NAME=VALUE",
              "--owned 'p3.2xlarge=0': the number cannot be '0'",
              "--owned 'px.large=1': unknown instance type 'px.large'",
              "--quota 'GPU=256': EC2 has no vCPU quota 'GPU'",
              "--quota 'P=many': the number of vCPUs cannot be 'many'", "duplicate --quota for P"});
}

TEST_CASE("flags about types that may be newer than the catalog have no effect and the types are left out") {
  const auto loaded = load({.types = {"m5.large", "m10i.xlarge"},
                            .discounts = {"m10i=0.5", "m11*=0.5"},
                            .limits = {"m10i.large=3"},
                            .owned = {"m10i.large=2"}},
                           kNoCluster);
  CHECK(offers_of(*loaded) == Texts{"m5.large 96000"});
  Texts names;
  for (const auto& one : loaded->market.market->left_out) names.push_back(one.instance_type);
  CHECK(names == Texts{"m10i", "m10i.large", "m10i.xlarge", "m11*"});
  CHECK(why_left_out(*loaded, "m10i.large").starts_with("not in the catalog (EC2 data of "));
}

TEST_CASE("types without a price in the region are left out with the regions that have one") {
  const std::string yaml = "region: us-east-2\ntaskDefinitions: [web.json]\ntasks: [{taskDefinition: web}]\n";
  const auto some = load({.types = {"g4dn.xlarge", "g7.2xlarge"}}, yaml);
  CHECK(offers_of(*some) == Texts{"g4dn.xlarge 526000"});
  CHECK(why_left_out(*some, "g7.2xlarge") == "no price in us-east-2; known in us-east-1");
  CHECK(some->market.market->left_out.front().is_unpriced);
  const auto none = load({.types = {"g7.2xlarge"}}, yaml);
  CHECK(messages_of(*none) == Texts{"none of the types that may be bought has a price in us-east-2"});
  CHECK(none->market.errors.front().help.find("prices are known in us-east-1;") == 0);
}

TEST_CASE("unpriced types that are allowed are planned with at the price of another region") {
  const std::string yaml = "region: us-east-2\ntaskDefinitions: [web.json]\ntasks: [{taskDefinition: web}]\n";
  const auto loaded =
      load({.types = {"g4dn.xlarge", "g7.2xlarge"}, .discounts = {"g7=0.5"}, .allow_unpriced = true}, yaml);
  CHECK(offers_of(*loaded) == Texts{"g4dn.xlarge 526000", "g7.2xlarge 1260000"});
  const auto& offer = loaded->market.market->offers.back();
  CHECK_FALSE(offer.listed);
  CHECK(offer.price_basis == "us-east-1");
  REQUIRE(loaded->market.market->assumptions.size() == 1);
  CHECK(loaded->market.market->assumptions.front().text ==
        "no price in us-east-2 for g7.2xlarge: planned with that of us-east-1");
}

TEST_CASE("vCPUs count where no type has a price anywhere and a type without one never wins against others") {
  const std::string own =
      "instanceTypes:\n"
      "  - {instanceType: rack-a, registeredResources: {CPU: 98304, MEMORY: 393216}}\n"
      "  - {instanceType: rack-b, registeredResources: {CPU: 1500, MEMORY: 4000}}\n";
  const auto all = load({.types = {"rack-*"}, .allow_unpriced = true}, kNoCluster + own);
  CHECK(offers_of(*all) == Texts{"rack-a 96000000", "rack-b 2000000"});
  CHECK(all->market.market->counts_vcpus);
  const auto mixed = load({.types = {"rack-*", "m5.large"}, .allow_unpriced = true}, kNoCluster + own);
  CHECK(offers_of(*mixed) == Texts{"m5.large 96000"});
  CHECK(why_left_out(*mixed, "rack-a") == "no hourlyPrice stated");
  CHECK_FALSE(mixed->market.market->counts_vcpus);
}

TEST_CASE("prices of a file take the place of those of the catalog but for types of the scenario") {
  const std::string own =
      "instanceTypes: [{instanceType: rack-a, registeredResources: {CPU: 2048, MEMORY: 4000}, hourlyPrice: 1.5}]\n";
  const auto loaded =
      load({.types = {"m5.*large", "rack-a"}, .prices = "prices.csv", .discounts = {"m5=0.5"}}, kNoCluster + own,
           {{"prices.csv", "instanceType,hourlyPrice,date\nm5.large,0.05,2026-10-01\nm5.lagre,0.05,\n"}});
  CHECK(offers_of(*loaded) == Texts{"m5.large 25000", "rack-a 1500000"});
  const auto& market = *loaded->market.market;
  CHECK(market.offers.front().listed->hourly == 50'000);
  CHECK(market.offers.front().listed->date == "2026-10-01");
  CHECK(market.offers.front().listed->source == "prices.csv");
  CHECK(why_left_out(*loaded, "m5.xlarge") == "no price in prices.csv");
  REQUIRE(market.assumptions.size() == 1);
  CHECK(market.assumptions.front().text == "prices.csv has prices of unknown types, which are ignored: m5.lagre");

  const auto none = load({.types = {"c5.large"}, .prices = "prices.csv"}, kNoCluster,
                         {{"prices.csv", "instanceType,hourlyPrice\nm5.large,0.05\n"}});
  CHECK(messages_of(*none) == Texts{"none of the types that may be bought has a price in prices.csv"});
  const auto standing_in = load({.types = {"c5.large"}, .prices = "prices.csv", .allow_unpriced = true}, kNoCluster,
                                {{"prices.csv", "instanceType,hourlyPrice\nm5.large,0.05\n"}});
  CHECK(offers_of(*standing_in) == Texts{"c5.large 85000"});
  CHECK(standing_in->market.market->assumptions.front().text ==
        "no price in prices.csv for c5.large: planned with that of us-east-1 in the catalog");
}

TEST_CASE("mistakes in a price file are told beside those in flags") {
  const auto loaded = load({.prices = "prices.csv", .limits = {"x"}}, kNoCluster,
                           {{"prices.csv", "instanceType,hourlyPrice\nm5.large,free\n"}});
  CHECK(messages_of(*loaded) == Texts{"--limit 'x' is not NAME=VALUE", "the price of m5.large cannot be 'free'"});
  CHECK(loaded->market.errors.back().line == 2);
}

TEST_CASE("spot prices are told to be such") {
  const auto loaded = load({.prices = "spot.json"}, kNoCluster, {{"spot.json", R"({"SpotPriceHistory": [
    {"InstanceType": "m5.large", "AvailabilityZone": "us-east-1a", "SpotPrice": "0.03", "ProductDescription": "Linux/UNIX"},
    {"InstanceType": "m5.large", "AvailabilityZone": "us-east-1b", "SpotPrice": "0.04", "ProductDescription": "Linux/UNIX"},
    {"InstanceType": "zz.large", "AvailabilityZone": "us-east-1b", "SpotPrice": "0.04", "ProductDescription": "Linux/UNIX"}]})"}});
  CHECK(offers_of(*loaded) == Texts{"m5.large 40000"});
  REQUIRE(loaded->market.market->assumptions.size() == 1);
  CHECK(loaded->market.market->assumptions.front().text ==
        "prices are the newest spot prices of spot.json, the highest of 2 zones: they change by the hour");
}

TEST_CASE("a kept cluster is offered as it stands alike instances together") {
  const std::string instances =
      "  - {instanceType: m5.large, count: 2, availabilityZone: us-east-1a}\n"
      "  - {instanceType: m5.large, availabilityZone: us-east-1b}\n"
      "  - {instanceType: m5.large, status: DRAINING}\n";
  const auto loaded =
      load({.types = {"m5.xlarge"}, .quotas = {"Standard=12"}, .keeps_cluster = true}, with_instances(instances));
  CHECK(offers_of(*loaded) == Texts{"m5.large 0 x2 standing", "m5.large 0 x1 standing", "m5.xlarge 192000"});
  const auto& market = *loaded->market.market;
  CHECK(market.offers[0].standing == std::vector<std::uint32_t>{0, 1});
  CHECK(market.offers[0].profile.availability_zone == "us-east-1a");
  CHECK(market.offers[0].quota.empty());
  CHECK(market.quotas.front().left() == 4);
}

TEST_CASE("owned instances count to their quota, whether they are used or not") {
  const auto loaded = load({.types = {"m5.xlarge"}, .owned = {"m5.large=3"}, .quotas = {"Standard=12"}}, kNoCluster);
  const auto& market = *loaded->market.market;
  CHECK(market.quotas.front().vcpus == 12);
  CHECK(market.quotas.front().in_use == 6);
  CHECK(market.quotas.front().left() == 6);
  for (const auto& offer : market.offers) CHECK(offer.quota.empty() == offer.is_owned);
  const auto none = load({.types = {"m5.xlarge"}, .owned = {"m5.large=5"}, .quotas = {"Standard=12"}}, kNoCluster);
  REQUIRE(none->market.market->left_out.size() == 1);
  CHECK(none->market.market->left_out.front().why == "one has 4 vCPUs, and the quota Standard leaves 2");
}

TEST_CASE("instances that hold different tasks stand apart") {
  auto loaded = load({.types = {"m5.xlarge"}}, with_instances("  - {instanceType: m5.large, count: 4}\n"));
  auto& scenario = loaded->scenario;
  scenario.in_use.resize(3);
  scenario.in_use[1].memory = 512;
  scenario.in_use[2].memory = 512;
  loaded->market =
      load_market({.types = {"m5.xlarge"}, .keeps_cluster = true}, scenario, loaded->catalog, MemoryFiles());
  CHECK(offers_of(*loaded) == Texts{"m5.large 0 x2 standing", "m5.large 0 x2 standing", "m5.xlarge 192000"});
  CHECK(loaded->market.market->offers[0].standing == std::vector<std::uint32_t>{0, 3});
}

}  // namespace
}  // namespace bayplan::fleet

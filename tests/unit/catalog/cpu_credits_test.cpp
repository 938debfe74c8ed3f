#include "catalog/cpu_credits.hpp"

#include <algorithm>

#include "catalog/managed_instances.hpp"
#include "catch.hpp"

namespace bayplan::catalog {

TEST_CASE("cpu credits - every burstable type has a baseline, a price and their sources") {
  const Catalog catalog = Catalog::load();
  const auto is_source = [&](const std::string& key) {
    return std::any_of(catalog.sources().begin(), catalog.sources().end(),
                       [&](const Source& source) { return source.key == key; });
  };
  std::size_t burstable = 0;
  for (const auto& type : catalog.types()) {
    CAPTURE(type.name);
    const auto baseline = find_baseline(type);
    const bool is_in_guide = type.family() != "t1" && type.family() != "t8i";  // the guide of the data has neither
    REQUIRE(baseline.has_value() == (is_burstable(type) && is_in_guide));
    const auto price = credit_price(type, "eu-north-1");
    REQUIRE(price.has_value() == baseline.has_value());
    if (!baseline) continue;
    ++burstable;
    CHECK(is_source(baseline->source));
    CHECK(is_source(price->source));
    CHECK(baseline->is_unlimited == (type.family() != "t2"));
    CHECK(price->price == (type.family() == "t4g" ? 40'000'000 : 50'000'000));
    // The user guide states credits an hour, too: 36 for a t3.large are 30 % of two vCPUs.
    CHECK(baseline->permille * type.vcpus * 60 % 100 == 0);
  }
  CHECK(burstable == 28);
}

TEST_CASE("cpu credits - baselines as the user guide has them") {
  const Catalog catalog = Catalog::load();
  const auto percent = [&](std::string_view name) { return find_baseline(*catalog.find(name))->percent(); };
  CHECK(percent("t3.nano") == "5%");
  CHECK(percent("t3a.medium") == "20%");
  CHECK(percent("t4g.2xlarge") == "40%");
  CHECK(percent("t2.xlarge") == "22.5%");
  CHECK(percent("t2.2xlarge") == "17%");
  InstanceType own = *catalog.find("t3.large");
  own.is_own = true;
  CHECK_FALSE(find_baseline(own));
}

}  // namespace bayplan::catalog

#include "catalog/neuron_devices.hpp"

#include <algorithm>

#include "catch.hpp"

namespace bayplan::catalog {
namespace {

bool is_source(const Catalog& catalog, const std::string& key) {
  return std::any_of(catalog.sources().begin(), catalog.sources().end(),
                     [&](const Source& source) { return source.key == key; });
}

}  // namespace

TEST_CASE("neuron devices - every inf and trn type has some, and no other type has any") {
  const Catalog catalog = Catalog::load();
  std::size_t types = 0;
  for (const auto& type : catalog.types()) {
    CAPTURE(type.name);
    const bool is_neuron = type.family().starts_with("inf") || type.family().starts_with("trn");
    REQUIRE((type.neuron.devices > 0) == is_neuron);
    REQUIRE((type.accelerator_kind == "neuron") == is_neuron);
    if (!is_neuron) continue;
    ++types;
    CHECK(type.neuron.cores_per_device > 0);
    CHECK(type.neuron.assigned == (type.family() != "inf1"));
    CHECK(is_source(catalog, type.neuron.source));
  }
  CHECK(types >= 13);
}

TEST_CASE("neuron devices - counts as the EC2 API has them") {
  CHECK(neuron_devices("inf1.6xlarge").devices == 4);
  CHECK(neuron_devices("inf2.xlarge").devices == 1);
  CHECK(neuron_devices("inf2.24xlarge").devices == 6);
  CHECK(neuron_devices("inf2.48xlarge").devices == 12);
  CHECK(neuron_devices("trn1.32xlarge").devices == 16);
  CHECK(neuron_devices("trn2.3xlarge").cores_per_device == 8);
  CHECK(neuron_devices("trn2u.48xlarge").devices == 16);
  CHECK(neuron_devices("trn1").devices == 0);
  CHECK(neuron_devices("m5.large").devices == 0);
}

}  // namespace bayplan::catalog

// Public answers of the AWS CLI that lie beside the project, where they do: each is read, or refused with its place.
#include "base/files.hpp"
#include "catch.hpp"
#include "placement/engine/engine.hpp"
#include "placement/verify/verify.hpp"
#include "scenario/load_scenario.hpp"
#include "support/in_sources.hpp"

using namespace bayplan;
using namespace bayplan::placement;
using namespace bayplan::scenario;

TEST_CASE("public answers of the AWS CLI are read or refused") {
  const std::string shared = in_sources("../shared/data/");
  const DiskFiles files;
  if (!files.exists(shared)) {
    WARN("skipped: no public answers beside the project");
    return;
  }
  catalog::Catalog catalog = catalog::Catalog::load();
  std::size_t read = 0, refused = 0;
  for (const std::string folder : {"clusters", "describe-samples"}) {
    const auto names = files.list(shared + folder);
    REQUIRE(names.ok());
    for (const auto& name : *names) {
      if (!name.ends_with(".json")) continue;
      INFO(name);
      const auto loaded =
          load_scenario({.cluster = shared + folder + "/" + name, .allow_partial = true}, files, catalog);
      REQUIRE(loaded.scenario.has_value() == loaded.errors.empty());
      if (!loaded.scenario) {
        ++refused;
        CHECK_FALSE(loaded.errors.front().file.empty());
        const bool holds_instances = name.find("DescribeContainerInstances") != std::string::npos ||
                                     name.starts_with("01") || name.starts_with("02");
        CHECK_FALSE(holds_instances);
      } else {
        ++read;
        CHECK(verify(*loaded.scenario, place(*loaded.scenario)).empty());
      }
    }
  }
  WARN(read << " described clusters read, " << refused << " other answers refused");
  CHECK(read >= 15);
}

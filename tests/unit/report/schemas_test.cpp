#include "report/schemas.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "catch.hpp"

TEST_CASE("schemas - every file of the folder is inside, under its own name") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(BAYPLAN_SOURCE_DIR "/schemas")) {
    files += entry.path().string().ends_with(".schema.json") ? 1 : 0;
  }
  const auto schemas = bayplan::report::schemas();
  CHECK(schemas.size() == files);
  for (const auto& schema : schemas) {
    CAPTURE(schema.name);
    const auto parsed = nlohmann::json::parse(schema.text);
    CHECK(parsed["$schema"] == "https://json-schema.org/draft/2020-12/schema");
    if (!schema.name.ends_with("-report")) continue;
    CHECK(parsed["properties"]["schema"]["const"] == "bayplan/" + std::string(schema.name) + "/1");
  }
}

#include "shape/schema_guide.hpp"

#include <stdexcept>

#include "catch.hpp"
#include "report/schemas.hpp"

namespace {

using namespace bayplan;
using namespace bayplan::shape;

SchemaGuide guide_named(std::string_view name) {
  for (const auto& schema : report::schemas()) {
    if (schema.name == name) return SchemaGuide(schema.text);
  }
  throw std::runtime_error("no such schema");
}

Path path(std::initializer_list<std::string> steps) {
  Path path;
  for (const auto& step : steps) path.push_back(step == "*" ? PathStep{{}, true} : PathStep{step, false});
  return path;
}

}  // namespace

TEST_CASE("report schema guide - says what a value is for and what it takes") {
  const auto guide = guide_named("task-definition");
  CHECK(limits_of(guide.at(path({"networkMode"})), guide) == "string, one of bridge, host, awsvpc, none");
  CHECK(limits_of(guide.at(path({"containerDefinitions"})), guide) == "list of objects, 1 element at least");
  CHECK(list_values(guide.at(path({"containerDefinitions", "*", "essential"}))) ==
        std::vector<std::string>{"true", "false"});
  CHECK_FALSE(description_of(guide.at(path({"containerDefinitions", "*", "portMappings", "*", "hostPort"}))).empty());
  CHECK(is_deprecated(guide.at(path({"inferenceAccelerators"}))));
  CHECK(guide.at(path({"no", "such"})).empty());
  CHECK(guide.at(path({"family", "*", "x"})).empty());
}

TEST_CASE("report schema guide - knows what is required, and every choice of a value") {
  const auto guide = guide_named("task-definition");
  std::vector<std::string> required;
  for (const auto& property : guide.properties(guide.root())) {
    if (property.is_required) required.push_back(property.name);
  }
  CHECK(required == std::vector<std::string>{"family", "containerDefinitions"});
  const auto scenario = guide_named("scenario");
  CHECK_FALSE(scenario.properties(scenario.at(path({"cluster"}))).empty());
  CHECK(takes(scenario.at(path({"cluster"})), "string"));
  CHECK_FALSE(scenario.properties(scenario.at(path({"needs", "web/app"}))).empty());
}

TEST_CASE("report schema guide - reads every schema to its depth") {
  for (const auto& schema : report::schemas()) {
    INFO(schema.name);
    const SchemaGuide guide(schema.text);
    CHECK_FALSE(guide.properties(guide.root()).empty());
  }
}

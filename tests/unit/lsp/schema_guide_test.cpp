#include "lsp/schema_guide.hpp"

#include <stdexcept>

#include "catch.hpp"
#include "lsp/catalog_words.hpp"
#include "report/schemas.hpp"

namespace {

using namespace bayplan;
using namespace bayplan::lsp;

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

using Wants = ExpressionPlace::Wants;

}  // namespace

TEST_CASE("lsp schema guide - says what a value is for and what it takes") {
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

TEST_CASE("lsp schema guide - knows what is required, and every choice of a value") {
  const auto guide = guide_named("task-definition");
  std::vector<std::string_view> required;
  for (const auto& property : guide.properties(guide.root())) {
    if (property.is_required) required.push_back(property.name);
  }
  CHECK(required == std::vector<std::string_view>{"family", "containerDefinitions"});
  const auto scenario = guide_named("scenario");
  CHECK_FALSE(scenario.properties(scenario.at(path({"cluster"}))).empty());
  CHECK(takes(scenario.at(path({"cluster"})), "string"));
  CHECK_FALSE(scenario.properties(scenario.at(path({"needs", "web/app"}))).empty());
}

TEST_CASE("lsp schema guide - reads every schema to its depth") {
  for (const auto& schema : report::schemas()) {
    INFO(schema.name);
    const SchemaGuide guide(schema.text);
    CHECK_FALSE(guide.properties(guide.root()).empty());
  }
}

TEST_CASE("lsp expressions - what may come next") {
  CHECK(place_in_expression("").wants == Wants::kSubject);
  CHECK(place_in_expression("attr").wants == Wants::kSubject);
  CHECK(place_in_expression("attr").word == 4);
  CHECK(place_in_expression("attribute:").wants == Wants::kAttribute);
  CHECK(place_in_expression("attribute:ecs.i").word == 5);
  CHECK(place_in_expression("attribute:ecs.instance-type ").wants == Wants::kNothing);
  CHECK(place_in_expression("attribute:ecs.instance-type == ").wants == Wants::kInstanceType);
  CHECK(place_in_expression("attribute:ecs.instance-type =~ g4dn").word == 4);
  CHECK(place_in_expression("attribute:ecs.instance-type in [p3.2xlarge, p").wants == Wants::kInstanceType);
  CHECK(place_in_expression("attribute:ecs.os-type == ").wants == Wants::kNothing);
  CHECK(place_in_expression("attribute:ecs.os-type == linux && ").wants == Wants::kSubject);
  CHECK(place_in_expression("attribute:a == b and attribute:ecs.instance-type != p").wants == Wants::kInstanceType);
}

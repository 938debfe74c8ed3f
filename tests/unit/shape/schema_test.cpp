#include "shape/schema.hpp"
#include "catch.hpp"
#include "shape/request_schemas.hpp"

using namespace bayplan;
using shape::Schema;

TEST_CASE("the task definition schema loads and follows its references") {
  const Schema schema = shape::task_definition_schema();
  const auto* containers = schema.root().find("containerDefinitions");
  REQUIRE(containers);
  const auto* container = containers->rule->elements;
  CHECK(container == schema.definition("ContainerDefinition"));
  CHECK(container->closed);
  CHECK(container->required == std::vector<std::string_view>{"name", "image"});
  CHECK(container->find("cpu")->rule == schema.definition("Int32"));
  CHECK(schema.definition("Int32")->maximum == 2147483647);
  CHECK(schema.definition("Ulimit")->find("name")->rule->fixed);
  CHECK(schema.definition("NvidiaMpsAllocation")->find("memory")->rule->minimum == 1);
  CHECK(schema.definition("NvidiaMpsAllocation")->find("memory")->rule->maximum == 2147483647);
  CHECK(schema.is_editor_note("$schema"));
  CHECK(schema.is_editor_note("_comment2"));
  CHECK_FALSE(schema.is_editor_note("command"));
}

TEST_CASE("a schema keyword that is not run is refused") {
  const auto refused = [](std::string_view text) {
    const auto schema = Schema::load(text);
    return schema.ok() ? std::string() : schema.error().message;
  };
  CHECK(refused(R"({"type": "object"})").empty());
  CHECK(refused(R"({"patternProperties": {}})") == "schema /patternProperties: unsupported keyword");
  CHECK(refused(R"({"properties": {"a": {"not": {}}}})") == "schema /properties/a/not: unsupported keyword");
  CHECK(refused(R"({"type": "text"})") == "schema /type: unknown type");
  CHECK(refused(R"({"properties": {"a": {"$ref": "#/$defs/B"}}})") ==
        "schema /properties/a/$ref: a $ref must name one of $defs");
  CHECK(refused(R"({"enum": ["a", 1]})") == "schema /enum/1: only strings are supported");
  CHECK(refused(R"({"x-own": 1})") == "schema /x-own: unknown annotation");
  CHECK(refused(R"({"minimum": "1"})") == "schema /minimum: must be an integer");
  CHECK(refused("[]") == "the schema is not a JSON object");
  CHECK(refused(R"({"$ref": "#/$defs/A", "$defs": {"A": {"minimum": 1, "$ref": "#/$defs/A"}}})") ==
        "schema /$defs/A/$ref: circular $ref");
}

#include "report/schemas.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.hpp"
#include "report/editor_schema.hpp"
#include "support/in_sources.hpp"

namespace {

using namespace bayplan::report;

nlohmann::json for_editors(std::string_view text) {
  std::ostringstream out;
  write_editor_schema(out, {"task-definition", text});
  return nlohmann::json::parse(out.str());
}

}  // namespace

TEST_CASE("schemas - every file of the folder is inside, under its own name") {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(in_sources("schemas"))) {
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

TEST_CASE("schemas - for editors a value may be a placeholder, and the words for bayplan alone are gone") {
  const auto schema = for_editors(R"({"title": "t", "type": "object", "x-aliases": {"a": "b"}, "properties": {
      "text": {"type": "string", "x-empty": "unused"}, "word": {"description": "D.", "type": "string", "enum": ["a"]},
      "tag": {"type": "string", "pattern": "^\\p{L}$", "maxLength": 9}, "number": {"$ref": "#/$defs/Int32"},
      "list": {"type": "array", "items": {"type": "string"}}}, "additionalProperties": false,
      "$defs": {"Int32": {"type": "integer", "minimum": -1}}})");
  const auto placeholder = nlohmann::json::parse(R"({"$ref": "#/$defs/Placeholder"})");
  CHECK_FALSE(schema.contains("x-aliases"));
  CHECK(schema["additionalProperties"] == false);
  const auto& members = schema["properties"];
  CHECK(members["text"] == nlohmann::json::parse(R"({"type": "string"})"));
  CHECK(members["word"]["description"] == "D.");
  CHECK(members["word"]["anyOf"][0] == nlohmann::json::parse(R"({"type": "string", "enum": ["a"]})"));
  CHECK(members["word"]["anyOf"][1] == placeholder);
  CHECK(members["tag"]["anyOf"][0] == nlohmann::json::parse(R"({"type": "string", "maxLength": 9})"));
  CHECK(members["number"]["anyOf"][0]["$ref"] == "#/$defs/Int32");
  CHECK(members["list"]["then"] == placeholder);
  CHECK(members["list"]["else"]["items"]["type"] == "string");
  CHECK(schema["$defs"]["Int32"] == nlohmann::json::parse(R"({"type": "integer", "minimum": -1})"));
  CHECK(schema["$defs"]["Placeholder"]["type"] == "string");
}

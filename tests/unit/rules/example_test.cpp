#include "rules/example.hpp"

#include "catch.hpp"
#include "text/read.hpp"

namespace {

using namespace bayplan;

std::string text_of(std::string_view notation) {
  return rules::ExampleFile{"task-definition.json", notation}.text();
}

rules::Example make_example(const std::string& json, std::unique_ptr<const text::Document>& document) {
  document = text::read_document(json);
  return rules::Example::read(document->root().find("bad"));
}

}  // namespace

TEST_CASE("example - a repeat is written out") {
  CHECK(text_of("'<<3x a>>'") == "'aaa'");
  CHECK(text_of("'<<3x, c#>>'") == "'c1, c2, c3'");
  CHECK(text_of("'<<2x [>>-<<2x ]>>'") == "'[[-]]'");
}

TEST_CASE("example - what only looks like a repeat stays") {
  for (const std::string_view text : {"<<: *base\nx: 1 >>\n", "'cat <<EOF >> out'", "'<<3y a>>'", "'<<3x a'"}) {
    CHECK(text_of(text) == text);
  }
}

TEST_CASE("example - JSON of one line is laid out, other text is not touched") {
  CHECK(text_of(R"({"family": "web"})") == "{\n  \"family\": \"web\"\n}\n");
  CHECK(text_of(R"({"a": [<<30x, 10#>>]})") == "{\n  \"a\": [\n" + [] {
    std::string lines;
    for (int i = 1; i <= 30; ++i) lines += "    10" + std::to_string(i) + (i < 30 ? ",\n" : "\n");
    return lines;
  }() + "  ]\n}\n");
  for (const std::string_view text : {"{'family': 'web'}", "{\n \"family\": \"web\"}", "{\"a\": 1,}"}) {
    CHECK(text_of(text) == text);
  }
}

TEST_CASE("example - the key counts where a value has to fit the line") {
  const std::string list = "[" + std::string(60, '1') + "]";
  CHECK(text_of("{\"a\": " + list + "}") == "{\n  \"a\": " + list + "\n}\n");
  CHECK(text_of("{\"a-long-key\": " + list + "}") ==
        "{\n  \"a-long-key\": [\n    " + std::string(60, '1') + "\n  ]\n}\n");
}

TEST_CASE("example - a text alone is named by what it is") {
  std::unique_ptr<const text::Document> document;
  CHECK(make_example(R"({"bad": " {}"})", document).files[0].name == "task-definition.json");
  CHECK(make_example(R"({"bad": "[]"})", document).files[0].name == "task-definition.json");
  CHECK(make_example(R"({"bad": "family: web"})", document).files[0].name == "task-definition.yaml");
}

TEST_CASE("example - files and arguments keep their order") {
  std::unique_ptr<const text::Document> document;
  const auto example = make_example(
      R"({"bad": {"files": {"web.json": "{}", "b.yaml": "a: 1"}, "arguments": ["--types", "g5.*"]}})", document);
  REQUIRE(example.files.size() == 2);
  CHECK(example.files[0].name == "web.json");
  CHECK(example.files[1].text() == "a: 1");
  CHECK(example.arguments == std::vector<std::string_view>{"--types", "g5.*"});
}

#include "text/removal.hpp"
#include "catch.hpp"
#include "text/read.hpp"

using namespace bayplan;

namespace {

/// The text without the members `keys` of the object at `key` (the root when empty); "no" when they cannot be taken
/// out.
std::string without(std::string text, const std::vector<std::string>& keys, text::Format format = text::Format::kJson) {
  const auto document = text::read_document(text, {.format = format});
  std::vector<text::Value> members;
  for (const auto& key : keys) members.push_back(document->root().find(key));
  const auto edits = text::removal(members);
  if (!edits) return "no";
  for (auto edit = edits->rbegin(); edit != edits->rend(); ++edit) {
    text.replace(edit->span.begin, edit->span.length(), edit->text);
  }
  return text;
}

}  // namespace

TEST_CASE("removal takes a json member with its comma") {
  CHECK(without(R"({"a": 1, "b": 2})", {"a"}) == R"({"b": 2})");
  CHECK(without(R"({"a": 1, "b": 2})", {"b"}) == R"({"a": 1})");
  CHECK(without(R"({"a": 1, "b": 2, "c": 3, "d": 4})", {"b", "c"}) == R"({"a": 1, "d": 4})");
  CHECK(without(R"({"a": 1, "b": 2, "c": 3, "d": 4})", {"b", "d"}) == R"({"a": 1, "c": 3})");
  CHECK(without(R"({ "a": 1 })", {"a"}) == "{}");
  CHECK(without("{\"a\": 1,\n \"b\": 2}", {"a", "b"}) == "{}");
}

TEST_CASE("removal takes whole lines where it can") {
  CHECK(without("{\n  \"a\": 1,\n  \"b\": [\n    2\n  ],\n  \"c\": 3\n}\n", {"b"}) ==
        "{\n  \"a\": 1,\n  \"c\": 3\n}\n");
  CHECK(without("{\n  \"a\": 1,\n  \"b\": 2\n}\n", {"b"}) == "{\n  \"a\": 1\n}\n");
  CHECK(without("{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}", {"a"}) == "{\r\n  \"b\": 2\r\n}");
  CHECK(without("{\n  \"a\": 1, \"b\": 2,\n  \"c\": 3\n}", {"b"}) == "{\n  \"a\": 1, \n  \"c\": 3\n}");
}

TEST_CASE("removal leaves a member alone where a comment is in the way") {
  CHECK(without("{\"a\": 1 /* why */, \"b\": 2}", {"a"}) == "no");
  CHECK(without("{\"a\": 1, // why\n \"b\": 2}", {"b"}) == "no");
}

TEST_CASE("removal takes lines of a yaml block") {
  CHECK(without("a: 1\nb:\n  - 2\n  - 3\nc: 4\n", {"b"}, text::Format::kYaml) == "a: 1\nc: 4\n");
  CHECK(without("a: 1\nb: null\n", {"b"}, text::Format::kYaml) == "a: 1\n");
  CHECK(without("a: 1\nb: 2 # why\nc: 3\n", {"b"}, text::Format::kYaml) == "no");
  CHECK(without("a: 1\n", {"a"}, text::Format::kYaml) == "no");
  CHECK(without("{a: 1, b: 2}\n", {"a"}, text::Format::kYaml) == "{b: 2}\n");
}

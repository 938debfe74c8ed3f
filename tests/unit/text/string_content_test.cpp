#include "text/string_content.hpp"

#include "catch.hpp"
#include "text/read.hpp"

using namespace bayplan;
using text::StringContent;

namespace {

/// Source of the bytes `part` of the text of the only string in `json`.
std::string find_source(const std::string& json, Span part) {
  const auto document = text::read_document(json, {.format = text::Format::kJson});
  const StringContent content(document->root());
  REQUIRE(content.text() == document->root().text());
  const Span span = content.original(part);
  return json.substr(span.begin, span.length());
}

}  // namespace

TEST_CASE("bytes of a string lead back to their escapes") {
  const std::string json = R"("a\"b\u00e9\ud83d\udea2\nz")";
  CHECK(find_source(json, {0, 1}) == "a");
  CHECK(find_source(json, {1, 2}) == R"(\")");
  CHECK(find_source(json, {2, 3}) == "b");
  CHECK(find_source(json, {3, 5}) == R"(\u00e9)");
  CHECK(find_source(json, {5, 9}) == R"(\ud83d\udea2)");
  CHECK(find_source(json, {9, 11}) == R"(\nz)");
  CHECK(find_source(json, {0, 11}) == R"(a\"b\u00e9\ud83d\udea2\nz)");
}

TEST_CASE("a string that was mended leads back to the whole of it") {
  const std::string json = R"({"a": 'x'})";
  const auto document = text::read_document(json, {.format = text::Format::kJson});
  const auto value = document->root().find("a");
  const StringContent content(value);
  CHECK(content.text() == "x");
  CHECK(content.original({0, 1}) == value.span());
}

TEST_CASE("an empty string has a place") {
  const auto document = text::read_document("\"\"", {.format = text::Format::kJson});
  CHECK(StringContent(document->root()).original({0, 0}) == Span{0, 2});
}

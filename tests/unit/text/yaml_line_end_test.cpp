#include "catch.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

using namespace bayplan;

TEST_CASE("yaml lines may end with a carriage return alone") {
  const auto document = text::read_document("a: 1\rb:\r  c: 2\r", {.format = text::Format::kYaml});
  CHECK(document->faults().empty());
  const auto value = document->root().find("b").find("c");
  REQUIRE(value);
  CHECK(value.integer() == 2);
  CHECK(value.span() == Span{13, 14});
  CHECK(text::LineIndex(document->source()).location(value.span().begin) == text::Location{3, 6});
}

TEST_CASE("yaml lines may end with carriage return and line feed") {
  const auto document = text::read_document("a: 1\r\nb: 2\r\n", {.format = text::Format::kYaml});
  CHECK(document->faults().empty());
  CHECK(document->root().find("b").integer() == 2);
}

TEST_CASE("yaml with a line end behind an anchor keeps its spans in order") {
  const std::string text = "family: web # note\nbase: &base\r" + std::string(40, '\0') + " {\n    }\n";
  const auto document = text::read_document(text, {.format = text::Format::kYaml});
  CHECK_FALSE(document->faults().empty());
}

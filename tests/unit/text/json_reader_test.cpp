#include "catch.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

using namespace bayplan;
using text::Kind;

TEST_CASE("json spans are exact") {
  const auto document = text::read_document(R"({"a": [1, -2.5e3, "x\ny", null], "b": {"c": true}})");
  const auto root = document->root();
  REQUIRE(root);
  const auto written = [&](text::Value value) {
    return document->source().substr(value.span().begin, value.span().length());
  };
  CHECK(root.size() == 2);
  const auto list = root.find("a");
  CHECK(written(list) == R"([1, -2.5e3, "x\ny", null])");
  CHECK(written(list.at(0)) == "1");
  CHECK(written(list.at(1)) == "-2.5e3");
  CHECK(written(list.at(2)) == R"("x\ny")");
  CHECK(list.at(2).text() == "x\ny");
  CHECK(list.at(3).is_null());
  CHECK(root.find("b").find("c").boolean() == true);
  CHECK(root.find("b").find("c").pointer() == "/b/c");
  CHECK(list.at(2).pointer() == "/a/2");
  CHECK(document->faults().empty());
}

TEST_CASE("json duplicate keys are noted and the last wins") {
  const auto document = text::read_document(R"({"cpu": 1, "cpu": 2})");
  REQUIRE(document->faults().size() == 1);
  CHECK(document->faults()[0].kind == text::FaultKind::kDuplicateKey);
  CHECK(document->faults()[0].span == Span{11, 16});
  CHECK(document->faults()[0].related.at(0).span == Span{1, 6});
  CHECK(document->root().find("cpu").integer() == 2);
}

TEST_CASE("json reader - the elements of a long list are reached without a walk") {
  std::string text = "{\"before\": [1, 2], \"list\": [";
  for (int i = 0; i < 500; ++i) {
    if (i > 0) text += ", ";
    text += i % 7 == 0 ? "{\"inner\": [" + std::to_string(i) + ", [3, 4]]}" : std::to_string(i);
  }
  text += "], \"after\": {\"a\": 1}}";
  const auto document = bayplan::text::read_document(text);
  const auto list = document->root().find("list");
  REQUIRE(list.size() == 500);
  std::size_t position = 0;
  for (const auto element : list.children()) {
    CHECK(element.position_in_parent() == position);
    CHECK(list.at(position) == element);
    CHECK(element.pointer() == "/list/" + std::to_string(position));
    ++position;
  }
  CHECK_FALSE(list.at(500));
  CHECK(list.at(497).find("inner").at(1).at(1).pointer() == "/list/497/inner/1/1");
  CHECK(document->root().find("after").find("a").pointer() == "/after/a");
  CHECK(document->root().size() == 3);
}

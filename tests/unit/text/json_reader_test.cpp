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

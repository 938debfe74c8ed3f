// Objects with more members than a walk should take.
#include <string>

#include "catch.hpp"
#include "text/read.hpp"

using namespace bayplan;

TEST_CASE("in an object of many members each is found, of equal keys the last") {
  for (const std::size_t members : {5u, 33u, 1000u}) {
    std::string text = "{";
    for (std::size_t i = 0; i < members; ++i) text += "\"k" + std::to_string(i) + "\": " + std::to_string(i) + ", ";
    text += "\"k1\": {\"inner\": 1}, \"\": 7}";
    const auto document = text::read_document(text, {.format = text::Format::kJson});
    const auto root = document->root();
    CAPTURE(members);
    REQUIRE(root.size() == members + 2);
    for (std::size_t i = 0; i < members; ++i) {
      if (i != 1) CHECK(root.find("k" + std::to_string(i)).integer() == static_cast<std::int64_t>(i));
    }
    CHECK(root.find("k1").find("inner").integer() == 1);
    CHECK(root.find("").integer() == 7);
    CHECK_FALSE(root.find("k"));
    CHECK_FALSE(root.find("z"));
    CHECK_FALSE(root.find("inner"));
  }
}

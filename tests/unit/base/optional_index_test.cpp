#include "base/optional_index.hpp"

#include <set>

#include "catch.hpp"

namespace bayplan {

TEST_CASE("an index that is none is not read") {
  const OptionalIndex none;
  CHECK_FALSE(none);
  CHECK(none == OptionalIndex(std::nullopt));
  CHECK(none.value_or(7) == 7);
  CHECK_THROWS_AS(*none, std::logic_error);
}

TEST_CASE("an index is compared with numbers and none comes last") {
  const OptionalIndex three = 3U;
  REQUIRE(three);
  CHECK(*three == 3);
  CHECK(three == 3U);
  CHECK(three != 4U);
  CHECK(three.value_or(7) == 3);
  CHECK(*std::set<OptionalIndex>{OptionalIndex(), 5U, three}.begin() == 3U);
  CHECK(OptionalIndex() > three);
}

}  // namespace bayplan

#include "catch.hpp"
#include "model/scenario_file.hpp"

using namespace bayplan::model;

TEST_CASE("quantities durations") {
  CHECK(parse_duration("30m") == 1800);
  CHECK(parse_duration("1h30m") == 5400);
  CHECK(parse_duration("2h3m4s") == 7384);
  CHECK(parse_duration("0s") == 0);
  CHECK(parse_duration("1d") == 86400);
  CHECK(parse_duration("1d12h") == 129600);
  CHECK(parse_duration("2w1d1s") == 1296001);
  for (const auto text :
       {"", "30", "m", "PT30M", "1h 30m", "30m1h", "1h1h", "1h1d", "1 d", "1y", "-1s", "1.5h", "9999999999999h"}) {
    INFO(text);
    CHECK_FALSE(parse_duration(text));
  }
}

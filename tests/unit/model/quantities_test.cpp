#include "catch.hpp"
#include "model/scenario.hpp"

using namespace bayplan::model;

TEST_CASE("quantities durations") {
  CHECK(parse_duration("30m") == 1800);
  CHECK(parse_duration("1h30m") == 5400);
  CHECK(parse_duration("2h3m4s") == 7384);
  CHECK(parse_duration("0s") == 0);
  for (const auto text : {"", "30", "m", "PT30M", "1h 30m", "30m1h", "1h1h", "-1s", "1.5h", "9999999999999h"}) {
    INFO(text);
    CHECK_FALSE(parse_duration(text));
  }
}

TEST_CASE("quantities sizes") {
  CHECK(parse_size("15000") == 15000);
  CHECK(parse_size("14GiB") == 14336);
  CHECK(parse_size("14 GiB") == 14336);
  CHECK(parse_size("512MiB") == 512);
  for (const auto text : {"", "GiB", "14GB", "1.5GiB", "-1", "14gib"}) {
    INFO(text);
    CHECK_FALSE(parse_size(text));
  }
}

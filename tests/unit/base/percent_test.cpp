#include "base/percent.hpp"

#include "catch.hpp"

using bayplan::parse_percent;
using bayplan::Percent;
using bayplan::percent_text;

TEST_CASE("percentages have up to two decimals, with or without the sign") {
  CHECK(parse_percent("10%") == Percent::of(10));
  CHECK(parse_percent(" 10 % ") == Percent::of(10));
  CHECK(parse_percent("12.5%") == Percent{1250});
  CHECK(parse_percent("0.05") == Percent{5});
  for (const auto* bad : {"", "%", "ten", "-1%", "1.", ".5", "1.234%", "1e2", "10%%", "9999999999"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_percent(bad));
  }
}

TEST_CASE("a percentage is written as it was read") {
  CHECK(percent_text(Percent::of(10)) == "10");
  CHECK(percent_text(Percent{1250}) == "12.5");
  CHECK(percent_text(Percent{1205}) == "12.05");
}

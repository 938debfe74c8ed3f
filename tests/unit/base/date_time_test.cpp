#include "base/date_time.hpp"
#include "catch.hpp"

using namespace bayplan;

TEST_CASE("date_time reads the forms of the guide") {
  CHECK(parse_date_time("1970-01-01") == 0);
  CHECK(parse_date_time("2018-06-18T22:28:28+00:00") == 1529360908);
  CHECK(parse_date_time("2018-06-18T22:28:28Z") == 1529360908);
  CHECK(parse_date_time("2018-06-18T22:28:28") == 1529360908);
  CHECK(parse_date_time("2018-06-18T22:28:28.123Z") == 1529360908);
  CHECK(parse_date_time("2018-06-19T00:28:28+02:00") == 1529360908);
  CHECK(parse_date_time("2018-06-18T22:28") == 1529360880);
  CHECK(parse_date_time("2024-02-29") == 1709164800);
  CHECK(parse_date_time("1969-12-31T23:59:59Z") == -1);
}

TEST_CASE("date_time refuses what is no date") {
  for (const auto text :
       {"", "2018", "2018-13-01", "2018-02-30", "2023-02-29", "2018-00-10", "2018-06-18T", "2018-06-18T25:00:00",
        "2018-06-18T22:28:28X", "2018-06-18T22:28:28.Z", "2018-06-18T22:28:28+2", "2018-06-18 22:28:28 UTC"}) {
    INFO(text);
    CHECK_FALSE(parse_date_time(text));
  }
}

TEST_CASE("date_time writes what it reads") {
  for (const auto text :
       {"1969-12-31T23:59:59Z", "1970-01-01T00:00:00Z", "2000-02-29T12:00:01Z", "2026-12-31T23:59:59Z"}) {
    CHECK(format_date_time(*parse_date_time(text)) == text);
  }
}

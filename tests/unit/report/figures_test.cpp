#include "report/document/figures.hpp"

#include <optional>

#include "catch.hpp"
#include "report/document/amounts.hpp"

using namespace bayplan;
using namespace bayplan::report;

TEST_CASE("shares are rounded down, and nothing is called 0% or 100% that is not") {
  CHECK(percent(std::int64_t{0}, std::int64_t{10}) == "0%");
  CHECK(percent(std::int64_t{1}, std::int64_t{1'000}) == "<1%");
  CHECK(percent(std::int64_t{419}, std::int64_t{1'000}) == "41%");
  CHECK(percent(std::int64_t{999}, std::int64_t{1'000}) == "99%");
  CHECK(percent(std::int64_t{10}, std::int64_t{10}) == "100%");
  CHECK(percent(std::int64_t{3}, std::int64_t{0}) == "-");
}

TEST_CASE("a share of two numbers with a point is rounded as that of two whole numbers") {
  for (std::int64_t whole = 1; whole < 300; ++whole) {
    for (std::int64_t part = 0; part <= whole; ++part) {
      CAPTURE(part, whole);
      CHECK(percent(static_cast<double>(part), static_cast<double>(whole)) == percent(part, whole));
      CHECK(percent(static_cast<double>(part) / static_cast<double>(whole), 1.0) == percent(part, whole));
    }
  }
}

TEST_CASE("a price has that of a month beside it") {
  CHECK(hourly_with_month(3'912'000) == "$3.912/h, $2,856/month");
  CHECK(added_cost(24'480'000) == "+$24.48/h, +$17,870/month");
  CHECK(signed_cost(-3'912'000) == "-$3.912/h, -$2,856/month");
  CHECK(usd(122'400'000'000) == "122,400.00");
  CHECK(usd(-1'234'500'000) == "-1,234.50");
  CHECK(usd(999'999'900) == "999.9999");
  CHECK(added_cost(0) == "+$0/h");
  CHECK(added_cost(std::nullopt) == "price unknown");
}

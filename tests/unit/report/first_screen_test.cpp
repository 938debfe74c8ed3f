#include "report/document/first_screen.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include "catch.hpp"
#include "report/document/amounts.hpp"

namespace bayplan::report {
namespace {

std::string lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 1; i <= count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

std::string shown(std::size_t count, std::string_view footer, bool everything = false) {
  std::ostringstream out;
  write_first_screen(out, lines(count), footer, everything);
  return out.str();
}

TEST_CASE("a first screen has at most 40 lines and ends with its footer") {
  CHECK(shown(38, "a\nb\n") == lines(38) + "a\nb\n");
  CHECK(shown(39, "a\nb\n") == lines(37) + "and 2 more lines (-v)\na\nb\n");
  CHECK(shown(5'000, "") == lines(39) + "and 4961 more lines (-v)\n");
  const auto most = shown(5'000, "a\nb\n");
  CHECK(std::count(most.begin(), most.end(), '\n') == 40);
  CHECK(shown(5'000, "a\n", true) == lines(5'000) + "a\n");
}

TEST_CASE("a price is shown an hour and a month") {
  CHECK(hourly_and_monthly(28'272'000) == "$28.272/h, about $20,639/month at 730 h");
  CHECK(hourly_and_monthly(5'200) == "$0.0052/h, about $3.80/month at 730 h");
  CHECK(hourly_and_monthly(0) == "$0.00/h, about $0.00/month at 730 h");
  CHECK(hourly_and_monthly(2'000'000'000) == "$2,000.00/h, about $1,460,000/month at 730 h");
  CHECK(with_separators(999) == "999");
  CHECK(with_separators(1'234'567) == "1,234,567");
}

}  // namespace
}  // namespace bayplan::report

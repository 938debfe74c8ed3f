#include "base/decimal.hpp"

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "catch.hpp"

using namespace bayplan;

namespace {

std::vector<double> numbers_of_all_kinds() {
  std::vector<double> numbers{0.0,
                              -0.0,
                              0.1,
                              0.72,
                              1,
                              -1.5,
                              100000,
                              1e6,
                              1e5,
                              123456,
                              1.2e21,
                              1e-5,
                              0.00012,
                              5e-324,
                              1e300,
                              1.0 / 3,
                              1e22,
                              1e23,
                              9007199254740993.0,
                              12e5,
                              12e6,
                              1234e5,
                              1234e6,
                              0.5e-4,
                              1.25e-3,
                              2.5e15,
                              1e17,
                              std::numeric_limits<double>::max()};
  std::mt19937_64 random(30);
  for (int i = 0; i < 20000; ++i) {
    const double any = std::bit_cast<double>(random());
    if (std::isfinite(any)) numbers.push_back(any);
    numbers.push_back(static_cast<double>(random() % 2000000) / 1000);
  }
  return numbers;
}

}  // namespace

TEST_CASE("decimals without <charconv> are those of <charconv>") {
  for (const double number : numbers_of_all_kinds()) {
    INFO(number);
    CHECK(without_charconv::shortest_decimal(number) == shortest_decimal(number));
    CHECK(without_charconv::plain_decimal(number) == plain_decimal(number));
    for (const auto& text : {shortest_decimal(number), plain_decimal(number)}) {
      double read = 0;
      const auto [end, error] = without_charconv::read_decimal(text, read);
      CHECK(error == std::errc{});
      CHECK(end == text.data() + text.size());
      CHECK(read == number);
    }
  }
}

TEST_CASE("as much of a text is read as is a number") {
  for (const std::string text :
       {"",    "-",     ".",  "-.", "e5",   "1",     "1.",  ".5",    "-.5",   "1e",     "1e+",
        "1e5", "1E-5x", "+1", " 1", "0x10", "1.5.2", "1,5", "00012", "1e400", "-1e400", "12345678901234567890123"}) {
    INFO(text);
    double own = 7;
    double original = 7;
    const auto mine = without_charconv::read_decimal(text, own);
    const auto theirs = read_decimal(text, original);
    CHECK(mine.ec == theirs.ec);
    CHECK(mine.ptr - text.data() == theirs.ptr - text.data());
    CHECK(own == original);
  }
}

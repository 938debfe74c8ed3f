#include "placement/engine/histogram.hpp"

#include "catch.hpp"

using bayplan::placement::Distribution;
using bayplan::placement::Histogram;

namespace {

Distribution distribution_of(std::initializer_list<std::int64_t> numbers) {
  Histogram histogram;
  for (const auto number : numbers) histogram.add(number);
  return histogram.distribution();
}

}  // namespace

TEST_CASE("histogram: the median is the lower of the two in the middle") {
  CHECK(distribution_of({}) == Distribution{0, 0, 0});
  CHECK(distribution_of({7}) == Distribution{7, 7, 7});
  CHECK(distribution_of({4, 1}) == Distribution{1, 1, 4});
  CHECK(distribution_of({4, 1, 3}) == Distribution{1, 3, 4});
  CHECK(distribution_of({5, 5, 5, -2}) == Distribution{-2, 5, 5});
  CHECK(distribution_of({5, 5, -2, -2}) == Distribution{-2, -2, 5});
}

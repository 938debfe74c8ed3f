#include "base/compute_aside.hpp"

#include <stdexcept>

#include "catch.hpp"

TEST_CASE("what is computed aside is got once, or what it throws") {
  int seen = 0;
  auto value = bayplan::compute_aside([&] { return seen = 7; });
  CHECK(value.get() == 7);
  CHECK(seen == 7);
  auto failing = bayplan::compute_aside([]() -> int { throw std::runtime_error("no"); });
  CHECK_THROWS_AS(failing.get(), std::runtime_error);
}

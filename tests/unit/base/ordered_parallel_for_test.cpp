#include "base/ordered_parallel_for.hpp"

#include <stdexcept>
#include <vector>

#include "catch.hpp"

TEST_CASE("in order - what several threads make is handed over by number") {
  std::vector<std::size_t> taken;
  bayplan::OrderedParallelFor<std::size_t>(
      500, [](std::size_t index) { return index * index; }, [&](std::size_t made) { taken.push_back(made); })
      .run(4);
  REQUIRE(taken.size() == 500);
  for (std::size_t i = 0; i < taken.size(); ++i) CHECK(taken[i] == i * i);
}

TEST_CASE("in order - what a thread throws comes out of the run") {
  for (const unsigned jobs : {1u, 4u}) {
    for (const std::size_t bad : {std::size_t{0}, std::size_t{77}, std::size_t{299}}) {
      std::size_t taken = 0;
      bayplan::OrderedParallelFor<std::size_t> work(
          300,
          [bad](std::size_t index) {
            if (index == bad) throw std::bad_alloc();
            return index;
          },
          [&](std::size_t) { ++taken; });
      CHECK_THROWS_AS(std::move(work).run(jobs), std::bad_alloc);
      CHECK(taken <= bad);
    }
    bayplan::OrderedParallelFor<std::size_t> full(
        300, [](std::size_t index) { return index; }, [](std::size_t) { throw std::runtime_error("full"); });
    CHECK_THROWS_AS(std::move(full).run(jobs), std::runtime_error);
  }
}

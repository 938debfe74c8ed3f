// Bytes as the choices of one who writes a packing problem: the packing is right, the bound is proven by the
// certificate and no more than the least cost of all packings, which an oracle finds by trying them.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>

#include "fuzz.hpp"
#include "packing/oracle.hpp"
#include "packing/random_problem.hpp"
#include "packing/solve.hpp"
#include "packing/verify_packing.hpp"

#include <fuzzer/FuzzedDataProvider.h>

using namespace bayplan::packing;

namespace {

class DrawnProblems : public test::TinyProblems {
 public:
  DrawnProblems(const std::uint8_t* data, std::size_t size) : TinyProblems(std::mt19937_64(1)), bytes_(data, size) {}

  std::int64_t draw(std::int64_t least, std::int64_t most) override {
    if (least >= most) return least;
    if (bytes_.remaining_bytes() == 0) return TinyProblems::draw(least, most);
    return bytes_.ConsumeIntegralInRange<std::int64_t>(least, most);
  }

 private:
  FuzzedDataProvider bytes_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  DrawnProblems problems(data + 1, size - 1);
  const auto problem = data[0] % 2 == 0 ? problems.next() : problems.next_limited();
  SolveLimits limits;
  limits.effort = 100'000;
  const auto solution = solve(problem, limits);
  auto packed = problem;
  for (std::size_t s = 0; s < problem.shapes.size(); ++s) packed.shapes[s].count -= solution.left_over[s];
  const auto fault = fault_of(packed, solution.packing);
  require(!fault, fault.value_or(""));
  require(solution.cost == compute_cost(problem, solution.packing), "another cost");
  require(check(problem, solution.certificate) == Verdict::kHolds, "a certificate that does not hold");
  const auto least = test::Oracle(problem).least();
  const auto left = std::accumulate(solution.left_over.begin(), solution.left_over.end(), std::int64_t{0});
  require(left >= least / test::Oracle::kLeftOver, "fewer tasks are left over than can be");
  if (left > 0) {
    require(!solution.is_infeasible || least >= test::Oracle::kLeftOver, "a packing that was said not to be");
    return 0;
  }
  require(solution.lower_bound <= least && least_cost(problem, solution.certificate) <= least,
          "a bound above the least");
  require(solution.cost >= least, "cheaper than the least");
  require(!solution.optimal || solution.cost == least, "not the least, and said to be");
  return 0;
}

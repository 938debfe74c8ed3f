#include "packing/linear_program.hpp"

#include "catch.hpp"

namespace bayplan::packing {

TEST_CASE("a column that is added after the program is solved has the value 0 until it is solved again") {
  LinearProgram program;
  program.add_row(4, LinearProgram::kInfinity);
  program.add_column(3, LinearProgram::kInfinity, std::vector<LinearProgram::Entry>{{0, 1}});
  REQUIRE(program.solve());
  CHECK(program.values() == std::vector<double>{4});
  program.add_column(1, LinearProgram::kInfinity, std::vector<LinearProgram::Entry>{{0, 2}});
  CHECK(program.values() == std::vector<double>{4, 0});
  CHECK(program.objective() == Approx(12));
  REQUIRE(program.solve());
  CHECK(program.values() == std::vector<double>{0, 2});
}

}  // namespace bayplan::packing

#include "capacity/fargate_size.hpp"

#include "catch.hpp"

namespace bayplan::capacity {
namespace {

// Pairs of the developer guide, task-cpu-memory-error.
TEST_CASE("the smallest Fargate size holds both the cpu and the memory") {
  CHECK(smallest_fargate_size(0, 0, false) == FargateSize{256, 512});
  CHECK(smallest_fargate_size(256, 512, false) == FargateSize{256, 512});
  CHECK(smallest_fargate_size(256, 513, false) == FargateSize{256, 1024});
  CHECK(smallest_fargate_size(256, 2048, false) == FargateSize{256, 2048});
  CHECK(smallest_fargate_size(256, 2049, false) == FargateSize{512, 3072});
  CHECK(smallest_fargate_size(257, 512, false) == FargateSize{512, 1024});
  CHECK(smallest_fargate_size(1024, 8192, false) == FargateSize{1024, 8192});
  CHECK(smallest_fargate_size(1024, 8193, false) == FargateSize{2048, 9216});
  CHECK(smallest_fargate_size(4096, 30721, false) == FargateSize{8192, 32768});
  CHECK(smallest_fargate_size(8192, 20481, false) == FargateSize{8192, 24576});
  CHECK(smallest_fargate_size(16384, 70000, false) == FargateSize{16384, 73728});
  CHECK(smallest_fargate_size(32768, 61441, false) == FargateSize{32768, 122880});
  CHECK(smallest_fargate_size(32768, 122881, false) == FargateSize{32768, 249856});
  CHECK_FALSE(smallest_fargate_size(32768, 249857, false));
  CHECK_FALSE(smallest_fargate_size(32769, 512, false));
}

TEST_CASE("Windows has only the Fargate sizes from 1 to 4 vCPU") {
  CHECK(smallest_fargate_size(256, 512, true) == FargateSize{1024, 2048});
  CHECK(smallest_fargate_size(4096, 30720, true) == FargateSize{4096, 30720});
  CHECK_FALSE(smallest_fargate_size(4096, 30721, true));
  CHECK_FALSE(smallest_fargate_size(4097, 512, true));
}

}  // namespace
}  // namespace bayplan::capacity

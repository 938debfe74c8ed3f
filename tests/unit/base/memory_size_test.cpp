#include "base/memory_size.hpp"

#include "catch.hpp"

using bayplan::has_memory_unit;
using bayplan::parse_gpu_memory_size;
using bayplan::parse_memory_size;

TEST_CASE("memory sizes") {
  CHECK(parse_memory_size("16384") == 16384);
  CHECK(parse_memory_size("16GiB") == 16384);
  CHECK(parse_memory_size("16Gi") == 16384);
  CHECK(parse_memory_size(" 1.5 gb ") == 1536);
  CHECK(parse_memory_size("512 MiB") == 512);
  CHECK(parse_memory_size("1TiB") == 1048576);
  for (const auto* bad : {"", "GiB", "-1", "0", "0GiB", "0.5MiB", "16 GiBs", "16 B", "16i", "1e3", "1 2", "1..5"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_memory_size(bad).has_value());
    CHECK_FALSE(parse_gpu_memory_size(bad).has_value());
  }
}

TEST_CASE("a memory size that is no whole number of MiB is rounded down") {
  CHECK(parse_memory_size("22.3GiB") == 22835);
  CHECK(parse_memory_size("1.1MiB") == 1);
  CHECK(parse_gpu_memory_size("22.3GiB") == 22835);
}

TEST_CASE("GB of GPU memory are 10^9 bytes, as vendors state them") {
  CHECK(parse_gpu_memory_size("24GB") == 22888);   // A10G and L4 in describe-instance-types
  CHECK(parse_gpu_memory_size("48 gb") == 45776);  // L40S
  CHECK(parse_gpu_memory_size("16G") == 15258);
  CHECK(parse_gpu_memory_size("24000MB") == 22888);
  CHECK(parse_gpu_memory_size("24GiB") == 24576);
  CHECK(parse_gpu_memory_size("16384") == 16384);
}

TEST_CASE("a memory size without a unit is recognized") {
  CHECK(has_memory_unit("64GiB"));
  CHECK(has_memory_unit(" 64 g"));
  CHECK_FALSE(has_memory_unit("64"));
  CHECK_FALSE(has_memory_unit(" 1.5 "));
}

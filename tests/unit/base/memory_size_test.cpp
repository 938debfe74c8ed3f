#include "base/memory_size.hpp"

#include "catch.hpp"

using bayplan::parse_memory_size;

TEST_CASE("memory sizes") {
  CHECK(parse_memory_size("16384") == 16384);
  CHECK(parse_memory_size("16GiB") == 16384);
  CHECK(parse_memory_size(" 1.5 gb ") == 1536);
  CHECK(parse_memory_size("512 MiB") == 512);
  CHECK(parse_memory_size("1TiB") == 1048576);
  for (const auto* bad : {"", "GiB", "-1", "1.1MiB", "16 GiBs", "1e3", "1 2", "1..5"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_memory_size(bad).has_value());
  }
}

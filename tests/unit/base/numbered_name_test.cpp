#include "base/numbered_name.hpp"

#include "catch.hpp"

using bayplan::numbered_name;

TEST_CASE("numbered name - any name and any number") {
  CHECK(numbered_name("web", 12) == "web#12");
  CHECK(numbered_name("", 0) == "#0");
  CHECK(numbered_name("a-name-longer-than-a-string-keeps-in-place", INT64_MIN) ==
        "a-name-longer-than-a-string-keeps-in-place#-9223372036854775808");
}

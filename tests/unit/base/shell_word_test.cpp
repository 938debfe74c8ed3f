#include "base/shell_word.hpp"

#include "catch.hpp"

using namespace bayplan;

TEST_CASE("a word for the shell holds nothing that the shell would obey") {
  CHECK(shell_word("g4dn.12xlarge#1") == "g4dn.12xlarge#1");
  CHECK(shell_word("arn:aws:ecs:us-east-2:1:cluster/prod") == "arn:aws:ecs:us-east-2:1:cluster/prod");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("#") == "'#'");
  CHECK(shell_word("prod; touch x") == "'prod; touch x'");
  CHECK(shell_word("`id`$(id)") == "'`id`$(id)'");
  CHECK(shell_word("x'; id; echo '") == R"('x'\''; id; echo '\''')");
  CHECK(shell_word("~") == "'~'");
  CHECK(shell_word("a=b") == "'a=b'");
}

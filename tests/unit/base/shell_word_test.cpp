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

TEST_CASE("the words of a line are those that a shell passes on") {
  using Words = std::vector<std::string>;
  CHECK(shell_words("aws  ecs\trun-task\n") == Words{"aws", "ecs", "run-task"});
  CHECK(shell_words(R"(--tags key=a,value="b c" 'it'\''s' "")") == Words{"--tags", "key=a,value=b c", "it's", ""});
  CHECK(shell_words("aws ecs \\\n  run-task a\\ b") == Words{"aws", "ecs", "run-task", "a b"});
  CHECK(shell_words(R"('{"a": "\n"}' "\"\\\$\n")") == Words{R"({"a": "\n"})", R"("\$\n)"});
  CHECK(shell_words("").value_or(Words{"x"}).empty());
  CHECK_FALSE(shell_words("aws 'ecs"));
  for (const std::string_view word : {"a b", "it's", "", "`id`$(id)", "x\\y"})
    CHECK(shell_words(shell_word(word)) == Words{std::string(word)});
}

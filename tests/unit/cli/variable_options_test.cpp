#include "cli/options/variable_options.hpp"

#include "catch.hpp"

using namespace bayplan;
using cli::parse_env_file;

TEST_CASE("an env file: names, values, comments, quotes, export") {
  const auto read = parse_env_file(
      "\xEF\xBB\xBF# images\r\nIMAGE=nginx:1.27\r\n\n export  TAG = 7 # the build\nA=\"x \\\"y\\\"\\n#z\" # c\nB='a "
      "\\n b'\nEMPTY=\nURL=http://a/#b\nIMAGE=last\n",
      "v.env");
  REQUIRE(read);
  CHECK(*read == model::Variables{{"IMAGE", "last"},
                                  {"TAG", "7"},
                                  {"A", "x \"y\"\n#z"},
                                  {"B", "a \\n b"},
                                  {"EMPTY", ""},
                                  {"URL", "http://a/#b"}});
}

TEST_CASE("a mistake in an env file is told with its line") {
  const auto error = [](std::string_view text) {
    const auto read = parse_env_file(text, "v.env");
    REQUIRE_FALSE(read);
    return read.error();
  };
  CHECK(error("A=1\nB\n").line == 2);
  CHECK(error("A=1\nB\n").message == "missing '='");
  CHECK(error("1A=1\n").message == "'1A' is not a variable name");
  CHECK(error("A=\"x\n").message == "missing closing quote");
  CHECK(error("A='x' y\n").message == "'y' follows the closing quote");
  CHECK(error("A=1\nB=\xFF\n").message == "not UTF-8 text");
  CHECK(error("A=1\nB=\xFF\n").line == 2);
  CHECK(error("A=1\nB=\xFF\n").column == 3);
  CHECK(error(std::string_view("A=\0", 3)).column == 3);
  CHECK(error("A=1\nB\n").file == "v.env");
}

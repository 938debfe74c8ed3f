#include "base/hexadecimal.hpp"

#include "catch.hpp"

namespace bayplan {

TEST_CASE("hexadecimal digits are read in either case, and nothing else is") {
  CHECK(parse_hex("0") == 0u);
  CHECK(parse_hex("e9") == 0xE9u);
  CHECK(parse_hex("dEaDbEeF") == 0xDEADBEEFu);
  for (const auto* text : {"", "g", "0x1", "1 ", " 1", "-1", "1\x10", "@", "`", "123456789"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_hex(text));
  }
}

TEST_CASE("an escape of JSON is a character, a pair, or half of one") {
  const auto of = [](std::string_view text) {
    const auto escape = unicode_escape(text);
    REQUIRE(escape);
    return std::pair(escape->length, escape->character);
  };
  CHECK(of("\\u00e9 and more") == std::pair(std::size_t{6}, std::optional<char32_t>(U'\u00e9')));
  CHECK(of("\\uD83D\\uDE80!") == std::pair(std::size_t{12}, std::optional<char32_t>(U'\U0001F680')));
  CHECK(of("\\ud83d") == std::pair(std::size_t{6}, std::optional<char32_t>()));
  CHECK(of("\\ud83d\\u0041") == std::pair(std::size_t{6}, std::optional<char32_t>()));
  CHECK(of("\\ude80\\ud83d") == std::pair(std::size_t{6}, std::optional<char32_t>()));
  for (const auto* text : {"", "\\", "\\u", "\\u00e", "\\n0000", "\\u00g0", "u00e9"}) {
    CAPTURE(text);
    CHECK_FALSE(unicode_escape(text));
  }
}

}  // namespace bayplan

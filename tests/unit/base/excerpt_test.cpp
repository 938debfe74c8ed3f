#include "base/excerpt.hpp"

#include "base/utf8.hpp"
#include "catch.hpp"

using namespace bayplan;

TEST_CASE("a long text is shortened between characters") {
  CHECK(shortened_to("abc", 3) == "abc");
  CHECK(shortened_to("abcd", 3) == "abc...");
  CHECK(shortened_to("a\u20ac\u20ac", 4) == "a\u20ac...");
  CHECK(shortened_to("a\u20ac\u20ac", 3) == "a...");
  CHECK(shortened_to("\x80\x80\x80", 2) == "...");
  CHECK(shortened_to("", 0).empty());
}

TEST_CASE("of a long text what stands around a place is quoted, between characters") {
  CHECK(quoted_around("a b", 1) == "'a b'");
  std::string text;
  for (int i = 0; i < 100; ++i) text += "\u20ac";
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const std::string quoted = quoted_around(text, at);
    CAPTURE(at, quoted);
    CHECK_FALSE(first_invalid_utf8(quoted));
    CHECK(quoted.size() <= 92);
    CHECK(quoted.ends_with("...'") == (at < 259));
    CHECK(quoted.starts_with("'...") == (at > 42));
  }
}

TEST_CASE("of a long text the middle is left out, between characters") {
  CHECK(without_middle("abcdef", 6, 2) == "abcdef");
  CHECK(without_middle("abcdefg", 6, 2) == "a...fg");
  CHECK(without_middle("abcdefg", 6, 2, "-") == "abc-fg");
  std::string text;
  for (int i = 0; i < 100; ++i) text += "a\u20ac";
  for (std::size_t most = 20; most < 60; ++most) {
    for (std::size_t end = 1; end < 12; ++end) {
      const std::string shortened = without_middle(text, most, end);
      CAPTURE(most, end, shortened);
      CHECK_FALSE(first_invalid_utf8(shortened));
      CHECK(shortened.size() <= most);
      CHECK(shortened.size() + 6 > most);
      CHECK(text.starts_with(shortened.substr(0, shortened.find("..."))));
      CHECK(text.ends_with(shortened.substr(shortened.find("...") + 3)));
    }
  }
}

TEST_CASE("characters begin and end where their bytes say so") {
  const std::string text = "a\u20acb";
  CHECK(beginning_of_character(text, 0) == 0);
  CHECK(beginning_of_character(text, 2) == 1);
  CHECK(beginning_of_character(text, 3) == 1);
  CHECK(beginning_of_character(text, 4) == 4);
  CHECK(beginning_of_character(text, 5) == 5);
  CHECK(beginning_of_character("\x80", 0) == 0);
  CHECK(end_of_character(text, 1) == 1);
  CHECK(end_of_character(text, 2) == 4);
  CHECK(end_of_character(text, 5) == 5);
}

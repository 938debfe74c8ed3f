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

// Texts are looked at eight bytes at a time where they are ASCII: what is said of them must not depend on where they
// are not.
#include "base/utf8.hpp"

#include "catch.hpp"

using namespace bayplan;

namespace {

struct Sample {
  std::string text;
  std::size_t width;
  std::string shown;
};

const std::vector<Sample> kSamples{
    {"\u00e9", 1, "\u00e9"}, {"\u4e16", 2, "\u4e16"}, {"\u0301", 0, "\u0301"}, {"\U0001F600", 2, "\U0001F600"},
    {"\xff", 1, "\uFFFD"},   {"\n", 1, "\uFFFD"},     {"\t", 1, " "},          {"\x7F", 1, "\uFFFD"},
    {"\u202e", 0, "\uFFFD"}, {"~", 1, "~"},           {" ", 1, " "},           {"\u0085", 1, "\uFFFD"}};

}  // namespace

TEST_CASE("a character counts the same wherever it stands among others") {
  for (const auto& sample : kSamples) {
    for (std::size_t before = 0; before < 20; ++before) {
      for (std::size_t after = 0; after < 20; ++after) {
        const std::string left(before, 'a');
        const std::string right(after, 'b');
        const std::string text = left + sample.text + right;
        CAPTURE(text);
        CHECK(code_points(text) == before + 1 + after);
        CHECK(display_width(text) == before + sample.width + after);
        CHECK(printable(text) == left + sample.shown + right);
        CHECK(first_invalid_utf8(text) == (sample.text == "\xff" ? std::optional<std::size_t>(before) : std::nullopt));
      }
    }
  }
}

TEST_CASE("a text that breaks off within a character is malformed there") {
  for (std::size_t before = 0; before < 20; ++before) {
    CHECK(first_invalid_utf8(std::string(before, 'a') + "\xe2\x82") == before);
    CHECK(code_points(std::string(before, 'a') + "\xe2\x82") == before + 2);
  }
  CHECK_FALSE(first_invalid_utf8(""));
  CHECK(code_points("") == 0);
}

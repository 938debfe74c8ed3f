#include "lsp/positions.hpp"

#include "catch.hpp"
#include "lsp/open_document.hpp"

namespace {

using namespace bayplan;
using namespace bayplan::lsp;

const std::string kRocket = "\xf0\x9f\x9a\x80";  // two code units of UTF-16
const std::string kAccent = "\xc3\xa9";          // one

}  // namespace

TEST_CASE("lsp positions - characters count code units of UTF-16 or bytes") {
  const std::string text = "a" + kRocket + kAccent + "b\n" + kRocket + "c";
  const Positions utf16(text, Encoding::kUtf16);
  CHECK(utf16.position(1) == Position{0, 1});
  CHECK(utf16.position(5) == Position{0, 3});
  CHECK(utf16.position(7) == Position{0, 4});
  CHECK(utf16.position(9) == Position{1, 0});
  CHECK(utf16.position(13) == Position{1, 2});
  CHECK(utf16.offset({1, 2}) == 13);
  const Positions utf8(text, Encoding::kUtf8);
  CHECK(utf8.position(7) == Position{0, 7});
  CHECK(utf8.offset({1, 4}) == 13);
}

TEST_CASE("lsp positions - there and back again at every character") {
  const std::string text = "\n" + kRocket + "\r\nx\r" + kAccent + kRocket + "\n\nend";
  for (const auto encoding : {Encoding::kUtf16, Encoding::kUtf8}) {
    const Positions positions(text, encoding);
    for (std::uint32_t offset = 0; offset <= text.size(); ++offset) {
      const bool is_inside_character =
          offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0U) == 0x80U;
      const bool is_inside_line_end = offset > 0 && text.substr(offset - 1, 2) == "\r\n";
      if (!is_inside_character && !is_inside_line_end) CHECK(positions.offset(positions.position(offset)) == offset);
    }
  }
}

TEST_CASE("lsp positions - what lies outside is the nearest place inside") {
  const std::string text = "ab\r\n" + kRocket + "\n";
  const Positions positions(text, Encoding::kUtf16);
  CHECK(positions.offset({0, 99}) == 2);
  CHECK(positions.offset({1, 1}) == 4);  // amid the pair
  CHECK(positions.offset({2, 0}) == 9);
  CHECK(positions.offset({99, 3}) == 9);
  CHECK(Positions(text, Encoding::kUtf8).offset({1, 2}) == 4);
  CHECK(Positions("", Encoding::kUtf16).offset({0, 0}) == 0);
  CHECK(positions.position(1000) == Position{2, 0});
}

TEST_CASE("lsp positions - changes count in what those before them left") {
  OpenDocument document{.text = "a" + kRocket + "c"};
  document.apply({{Range{{0, 1}, {0, 3}}, "xy"}, {Range{{0, 4}, {0, 4}}, "!"}, {Range{{0, 0}, {0, 1}}, ""}},
                 Encoding::kUtf16);
  CHECK(document.text == "xyc!");
  document.apply({{std::nullopt, "new"}, {Range{{0, 3}, {0, 1}}, "-"}}, Encoding::kUtf16);
  CHECK(document.text == "n-");
}

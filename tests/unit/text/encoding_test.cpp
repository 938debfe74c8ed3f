#include "text/encoding.hpp"

#include "catch.hpp"
#include "span_check.hpp"
#include "text/read.hpp"

using namespace bayplan;
using text::FaultKind;

namespace {

std::string utf16(std::u16string_view content, bool is_little, bool has_mark) {
  std::string bytes;
  const auto put = [&](char16_t unit) {
    const char low = static_cast<char>(unit & 0xFF);
    const char high = static_cast<char>(unit >> 8);
    bytes += is_little ? low : high;
    bytes += is_little ? high : low;
  };
  if (has_mark) put(0xFEFF);
  for (const char16_t unit : content) put(unit);
  return bytes;
}

}  // namespace

TEST_CASE("encoding - an archive is named, and nothing of it is read") {
  const std::string header("PK\x03\x04\x14\0\x08\0\x08\0\xb1\x76\x76\x5d\xcd\x6b\xd5\x1e\0\0\0\0\0\0\0\0\x06\0\0\0",
                           30);
  const std::pair<std::string, std::string> packed[] = {
      {header + "tfplan\x01{\"cpu\": 1}", "file is a binary Terraform plan"},
      {header + "task.json{\"cpu\": 1}", "file is a ZIP archive"},
      {"PK\x03\x04", "file is a ZIP archive"},
      {"\x1F\x8B\x08{\"cpu\": 1}", "file is compressed with gzip"}};
  for (const auto& [bytes, message] : packed) {
    for (const auto format : {text::Format::kJson, text::Format::kYaml}) {
      const auto document = text::read_document(bytes, {.format = format});
      REQUIRE(document->faults().size() == 1);
      CHECK(document->faults()[0].message == message);
      CHECK(document->faults()[0].kind ==
            (format == text::Format::kJson ? FaultKind::kJsonSyntax : FaultKind::kYamlSyntax));
      CHECK_FALSE(document->root());
      CHECK_FALSE(text::is_blank(*document));
    }
  }
  CHECK(text::is_blank(*text::read_document(" \n")));
  CHECK(text::read_document("PK: 1")->root().find("PK").integer() == 1);
}

TEST_CASE("encoding drops a BOM and decodes UTF-16") {
  const auto marked = text::read_document("\xEF\xBB\xBF{\"a\": 1}");
  CHECK(marked->source() == "{\"a\": 1}");
  REQUIRE(marked->faults().size() == 1);
  CHECK(marked->faults()[0].kind == FaultKind::kEncoding);
  CHECK(marked->faults()[0].span == Span{0, 0});
  CHECK(marked->root().find("a").span() == Span{6, 7});
  for (const bool is_little : {true, false}) {
    for (const bool has_mark : {true, false}) {
      const auto decoded = text::decode(utf16(u"{\"a\": \"\u00e9\U0001F600\"}", is_little, has_mark));
      CHECK(decoded.text == "{\"a\": \"\xC3\xA9\xF0\x9F\x98\x80\"}");
      REQUIRE(decoded.faults.size() == 1);
      CHECK(decoded.faults[0].message.find(is_little ? "little" : "big") != std::string::npos);
    }
  }
  CHECK(text::decode("{\"a\": \"\xC3\xA9\"}").faults.empty());
  CHECK(text::decode("").faults.empty());
}

TEST_CASE("encoding replaces what is no text") {
  const auto latin = text::decode("{\"a\": \"\xE9t\xE9\"}");
  REQUIRE(latin.faults.size() == 1);
  CHECK(latin.faults[0].span == Span{7, 10});
  CHECK(latin.faults[0].message == "byte 0xE9 is not UTF-8 (2 in all)");
  CHECK(latin.text == "{\"a\": \"\xEF\xBF\xBDt\xEF\xBF\xBD\"}");
  const auto nul = text::decode(std::string("{\"a\": 1}\0{\"b\": \xFF}", 17));
  REQUIRE(nul.faults.size() == 2);
  CHECK(nul.faults[1].span == Span{8, 11});
  const auto padded = text::decode(std::string("{\"a\": 1}\0\0\0", 11));
  REQUIRE(padded.faults.size() == 1);
  CHECK(padded.text == "{\"a\": 1}");
  CHECK(padded.faults[0].span == Span{8, 8});
  CHECK(text::decode(std::string("\xFF\xFE{\0x", 5)).text == "{\xEF\xBF\xBD");
  CHECK(text::decode(std::string("\xFF\xFE{\0\x00\xD8", 6)).text == "{\xEF\xBF\xBD");
  CHECK(text::decode(std::string(4, '\0')).text.empty());
}

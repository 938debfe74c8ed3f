#include "base/json_items.hpp"

#include <sstream>
#include <string>

#include "catch.hpp"

using bayplan::JsonWriter;
using bayplan::write_items;

namespace {

using Layout = JsonWriter::Layout;

std::string list_of(std::size_t count, Layout layout, unsigned threads) {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_object().key("list").begin_array(layout).value("first");
  write_items(
      json, count,
      [](JsonWriter& items, std::size_t i) {
        items.begin_object(i % 3 == 0 ? Layout::kBlock : Layout::kLine).member("index", i).end_object();
      },
      threads);
  json.value("last").end_array().member("after", true).end_object().finish();
  return out.str();
}

}  // namespace

TEST_CASE("json items - several threads write what one writes") {
  for (const std::size_t count : {0u, 1u, 512u, 513u, 5000u}) {
    for (const auto layout : {Layout::kBlock, Layout::kLine}) {
      CHECK(list_of(count, layout, 4) == list_of(count, layout, 1));
    }
  }
}

TEST_CASE("json items - the first items of a list need no separator") {
  const auto write = [](unsigned threads) {
    std::ostringstream out;
    JsonWriter json(out);
    json.begin_array();
    write_items(
        json, 2000, [](JsonWriter& items, std::size_t i) { items.value(i); }, threads);
    json.end_array();
    return out.str();
  };
  CHECK(write(2).starts_with("[\n  0,\n  1,\n"));
  CHECK(write(2) == write(1));
}

TEST_CASE("json writer - the stream has the text once its root is closed") {
  std::ostringstream out;
  JsonWriter json(out);
  json.begin_array(Layout::kLine).value("a").null().value(-1.5).value(INT64_MIN);
  CHECK(out.str().empty());
  json.end_array();
  CHECK(out.str() == R"(["a", null, -1.5, -9223372036854775808])");
}

TEST_CASE("json writer - texts of any length stay in order") {
  std::ostringstream out;
  std::string expected = "[";
  {
    JsonWriter json(out);
    json.begin_array(Layout::kLine);
    for (std::size_t length = 0; length < 40'000; length = length * 2 + 1) {
      const std::string text(length, 'x');
      json.value(text).value(length);
      expected += (length == 0 ? "\"" : ", \"") + text + "\", " + std::to_string(length);
    }
    json.end_array();
  }
  CHECK(out.str() == expected + "]");
}

TEST_CASE("json writer - a text is escaped wherever the byte that needs it stands") {
  for (const std::string byte :
       {"\"", "\\", "\n", "\x1F", "\x7F", "\xC2\x80", "\xE2\x80\xAE", "##vso[", "\xFF", "#", "[", "!", "~"}) {
    for (std::size_t before = 0; before < 40; ++before) {
      for (const std::size_t after : {0u, 1u, 7u, 9u, 17u}) {
        const std::string text = std::string(before, 'a') + byte + std::string(after, 'b');
        std::ostringstream out;
        JsonWriter(out).value(text);
        CHECK(out.str() == bayplan::json_quoted(text));
      }
    }
  }
}

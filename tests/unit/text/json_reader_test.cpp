#include <array>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

#include "catch.hpp"
#include "text/json_reader.hpp"
#include "text/location.hpp"
#include "text/read.hpp"

using namespace bayplan;
using text::Kind;

TEST_CASE("json spans are exact") {
  const auto document = text::read_document(R"({"a": [1, -2.5e3, "x\ny", null], "b": {"c": true}})");
  const auto root = document->root();
  REQUIRE(root);
  const auto written = [&](text::Value value) {
    return document->source().substr(value.span().begin, value.span().length());
  };
  CHECK(root.size() == 2);
  const auto list = root.find("a");
  CHECK(written(list) == R"([1, -2.5e3, "x\ny", null])");
  CHECK(written(list.at(0)) == "1");
  CHECK(written(list.at(1)) == "-2.5e3");
  CHECK(written(list.at(2)) == R"("x\ny")");
  CHECK(list.at(2).text() == "x\ny");
  CHECK(list.at(3).is_null());
  CHECK(root.find("b").find("c").boolean() == true);
  CHECK(root.find("b").find("c").pointer() == "/b/c");
  CHECK(list.at(2).pointer() == "/a/2");
  CHECK(document->faults().empty());
}

TEST_CASE("json duplicate keys are noted and the last wins") {
  const auto document = text::read_document(R"({"cpu": 1, "cpu": 2})");
  REQUIRE(document->faults().size() == 1);
  CHECK(document->faults()[0].kind == text::FaultKind::kDuplicateKey);
  CHECK(document->faults()[0].span == Span{11, 16});
  CHECK(document->faults()[0].related.at(0).span == Span{1, 6});
  CHECK(document->root().find("cpu").integer() == 2);
}

TEST_CASE("json reader - the elements of a long list are reached without a walk") {
  std::string text = "{\"before\": [1, 2], \"list\": [";
  for (int i = 0; i < 500; ++i) {
    if (i > 0) text += ", ";
    text += i % 7 == 0 ? "{\"inner\": [" + std::to_string(i) + ", [3, 4]]}" : std::to_string(i);
  }
  text += "], \"after\": {\"a\": 1}}";
  const auto document = bayplan::text::read_document(text);
  const auto list = document->root().find("list");
  REQUIRE(list.size() == 500);
  std::size_t position = 0;
  for (const auto element : list.children()) {
    CHECK(element.position_in_parent() == position);
    CHECK(list.at(position) == element);
    CHECK(element.pointer() == "/list/" + std::to_string(position));
    ++position;
  }
  CHECK_FALSE(list.at(500));
  CHECK(list.at(497).find("inner").at(1).at(1).pointer() == "/list/497/inner/1/1");
  CHECK(document->root().find("after").find("a").pointer() == "/after/a");
  CHECK(document->root().size() == 3);
}

namespace {

/// Texts that hold all that the grammar has, to be damaged.
constexpr std::array<std::string_view, 6> kWhole = {
    R"({"a": [1, -0, 0.5, -1.5e+3, 1E9, 9223372036854775807, 9223372036854775808, -9223372036854775809], "b": {}})",
    R"(["", "\"\\\/\b\f\n\r\t", "\u00e9\uD83D\uDE00", "Köln 東京 🚢", [], [[]]])",
    "\xEF\xBB\xBF\t{ \"x\" :\r\n true , \"y\" : [ false , null ] } \n",
    R"({"a": {"a": {"a": 1}, "a": 2}, "b": [{"c": "d"}, {"c": "e"}]})",
    R"([1e308, 1e309, 1e-400, 0.0000001e400, 123456789012345678901234567890])",
    R"("alone")",
};

std::string damaged(std::mt19937& dice) {
  constexpr char kBytes[] = "{}[]\",:\\/0123456789-+.eEtrufalsn \n\t\x1F\x7F\xC3\xA9\xED\xA0\x80\xF4\x90";  // and NUL
  std::string text(kWhole[dice() % kWhole.size()]);
  for (auto times = dice() % 4; times > 0 && !text.empty(); --times) {
    const auto at = dice() % text.size();
    const char byte = kBytes[dice() % sizeof kBytes];
    switch (dice() % 4) {
      case 0:
        text.erase(at, 1 + dice() % 3);
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      case 2:
        text[at] = byte;
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

/// Of a key that stands twice, both have the last value.
bool is_same(text::Value value, const nlohmann::json& library) {
  switch (value.kind()) {
    case Kind::kObject:
      for (const auto& [key, member] : library.items()) {
        if (!value.find(key) || !is_same(value.find(key), member)) return false;
      }
      return library.is_object();
    case Kind::kArray:
      for (std::size_t i = 0; i < library.size(); ++i) {
        if (!is_same(value.at(i), library[i])) return false;
      }
      return library.is_array() && value.size() == library.size();
    case Kind::kString:
      return library == std::string(value.text());
    case Kind::kInteger:
      return library.is_number_integer() && library == value.integer();
    default:
      return library == nlohmann::json::parse(value.text());
  }
}

}  // namespace

TEST_CASE("json reader - takes what the library takes, and reads the same from it") {
  std::mt19937 dice(1);
  std::size_t taken = 0;
  std::size_t refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = damaged(dice);
    text::Builder builder(text, text::Format::kJson);
    const auto fault = text::read_json(builder.source(), {}, builder);
    INFO(text);
    REQUIRE(!fault == nlohmann::json::accept(text));
    if (fault) {
      ++refused;
      CHECK(fault->kind == text::FaultKind::kJsonSyntax);
      continue;
    }
    ++taken;
    const auto document = std::move(builder).finish();
    CHECK(is_same(document->root(), nlohmann::json::parse(text)));
  }
  CHECK(taken > 1000);
  CHECK(refused > 1000);
}

TEST_CASE("json reader - objects with many keys, and then with few, know which they have had") {
  std::string text = "[{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\": 1, ";
  text += R"("k7": 2}, {"k7": 3, "x": {"k7": 4}}, {"x": 5, "x": 6}])";
  const auto document = text::read_document(text);
  REQUIRE(document->faults().size() == 2);
  CHECK(document->faults()[0].message == "duplicate key \"k7\"");
  CHECK(document->faults()[1].message == "duplicate key \"x\"");
}

TEST_CASE("json reader - a second byte order mark counts to the root") {
  const auto document = text::read_document("\xEF\xBB\xBF\xEF\xBB\xBF {\"a\": 1}", {.format = text::Format::kJson});
  CHECK(document->root().span() == Span{0, 12});
  CHECK(document->root().find("a").span() == Span{10, 11});
}

TEST_CASE("a value that is absent has a kind of its own and nothing else") {
  const text::Value nothing;
  CHECK_FALSE(nothing);
  CHECK(nothing.kind() == Kind::kAbsent);
  CHECK_FALSE((nothing.is_null() || nothing.is_object() || nothing.is_array() || nothing.is_string()));
  CHECK(nothing.text().empty());
  CHECK(nothing.tag().empty());
  CHECK(nothing.key().empty());
  CHECK_FALSE(nothing.integer());
  CHECK_FALSE(nothing.boolean());
  CHECK(nothing.span() == Span{});
  CHECK(nothing.key_span() == Span{});
  CHECK(nothing.opening() == Span{});
  CHECK(nothing.size() == 0);
  CHECK(nothing.children().begin() == nothing.children().end());
  CHECK_FALSE(nothing.parent());
  CHECK(nothing.position_in_parent() == 0);
  CHECK_FALSE(nothing.find("a"));
  CHECK_FALSE(nothing.at(0));
  CHECK(nothing.pointer().empty());
}

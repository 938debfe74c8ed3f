#include "rules/file/innermost.hpp"

#include "catch.hpp"
#include "text/read.hpp"

using namespace bayplan;

namespace {

std::unique_ptr<const text::Document> read(const std::string& text, text::Format format = text::Format::kJson) {
  return text::read_document(text, {.format = format});
}

/// By the book: every child is looked at.
text::Value plain_around(const text::Document& document, Span span) {
  text::Value at = document.root();
  for (text::Value inner = at; inner;) {
    at = inner;
    inner = {};
    for (const text::Value child : at.children()) {
      const auto begin = child.key_span().length() > 0 ? child.key_span().begin : child.span().begin;
      if (begin <= span.begin && span.end <= child.span().end) inner = child;
    }
  }
  return at;
}

}  // namespace

TEST_CASE("the innermost value around a place is the one that a look at all values finds") {
  const auto check = [](const text::Document& document) {
    const rules::InnermostValues values(document);
    const auto size = static_cast<std::uint32_t>(document.source().size());
    for (std::uint32_t begin = 0; begin <= size; ++begin) {
      for (std::uint32_t end = begin; end <= std::min(size, begin + 6); ++end) {
        CAPTURE(begin, end);
        REQUIRE(values.around({begin, end}) == plain_around(document, {begin, end}));
      }
    }
  };
  check(*read(R"({"a": [1, {"b": "c", "d": []}, [[], 2]], "e": {"f": {"g": null}}, "h": "i"})"));
  check(*read(R"([])"));
  check(*read(R"("a")"));
  check(*read("a:\n  - b: c\n    d: [e, f]\n  -\n  - g\nh: {i: j}\n", text::Format::kYaml));
  check(*read("a: &x {b: c}\nd: *x\ne: [*x, *x]\n", text::Format::kYaml));
}

TEST_CASE("without a root there is nothing around a place") {
  CHECK_FALSE(rules::InnermostValues(*read("")).around({0, 0}));
}

TEST_CASE("places in a list of a hundred thousand are found in it once for all") {
  std::string text = "[0";
  for (int i = 1; i < 100'000; ++i) text += ",0";
  const auto document = read(text + "]");
  const rules::InnermostValues values(*document);
  std::uint32_t found = 0;
  for (std::uint32_t at = 1; at + 1 < document->source().size(); at += 2) {
    if (values.around({at, at + 1}).index() == 1 + at / 2) ++found;
  }
  CHECK(found == 100'000);  // would take minutes if each place walked the list
}

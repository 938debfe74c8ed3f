#include "report/explain/assumption_texts.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace bayplan::report;

TEST_CASE("every assumption of the documentation can be explained") {
  const auto texts = assumption_texts();
  CHECK(texts.size() > 100);
  for (const auto& text : texts) {
    CAPTURE(text.id);
    CHECK_FALSE(text.section.empty());
    CHECK(text.meaning.size() > 20);
    CHECK(text.meaning.find("](") == std::string::npos);
    CHECK(std::all_of(text.id.begin(), text.id.end(),
                      [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }));
  }
}

TEST_CASE("an assumption of several commands has a text for each that says something else") {
  CHECK(find_assumption("tie-file-order").size() == 1);
  CHECK(find_assumption("architecture-not-stated").size() == 2);
  CHECK(find_assumption("network-interfaces-unknown").size() == 1);  // "see above" says nothing else
  CHECK(find_assumption("no-such-assumption").empty());
  CHECK(assumption_page(find_assumption("zone-new").front()) == "docs/assumptions.md#whatif-and-sweep");
}

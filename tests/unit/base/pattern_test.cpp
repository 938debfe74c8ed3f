#include "base/pattern.hpp"

#include <string>
#include <vector>

#include "catch.hpp"

using namespace bayplan;

TEST_CASE("a set of patterns matches where one of them does, however many they are") {
  const std::vector<std::string> expressions{"@@[A-Z]+@@", "^x", "y$", "(?i)upper", "[0-9]{3}", "a|b.c", "\\bword\\b"};
  const std::vector<std::string> texts{"",     "@@A@@", "z@@A@@z", "@@a@@", "xz", "zx",     "zy",      "yz",   "UPPER",
                                       "1234", "12",    "b-c",     "bc",    "a",  "a word", "awordof", "\xff", "b\nc"};
  std::vector<Pattern> patterns;
  for (const auto& expression : expressions) {
    patterns.push_back(*Pattern::compile(expression));
    const PatternSet set(patterns);
    for (const auto& text : texts) {
      bool any = false;
      for (const auto& pattern : patterns) any = any || pattern.matches_part(text);
      INFO(patterns.size() << " patterns, '" << text << "'");
      CHECK(set.any_matches_part(text) == any);
    }
  }
  CHECK_FALSE(PatternSet().any_matches_part("text"));
}

TEST_CASE("a set of patterns that takes too much memory together still matches") {
  std::vector<Pattern> patterns;
  for (int i = 0; i < 3'000; ++i) patterns.push_back(*Pattern::compile("[a-z]{40}" + std::to_string(i) + "[a-z]{40}$"));
  const PatternSet set(patterns);
  CHECK(set.any_matches_part(std::string(40, 'q') + "2999" + std::string(40, 'q')));
  CHECK_FALSE(set.any_matches_part(std::string(40, 'q') + "3000" + std::string(40, 'q')));
}

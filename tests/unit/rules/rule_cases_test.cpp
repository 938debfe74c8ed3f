// The cases themselves are tests of their own: rule.BAY113, tests/rules/rule_cases.cpp.
#include <filesystem>

#include "catch.hpp"
#include "rules/registry.hpp"
#include "support/in_sources.hpp"
#include "support/rule_cases.hpp"

TEST_CASE("rule cases - every folder of cases belongs to a rule") {
  const auto codes = bayplan::rules::codes_where([](const auto&) { return true; });
  for (const auto& folder : bayplan::rule_cases::folders()) {
    INFO(folder.string());
    CHECK(std::find(codes.begin(), codes.end(), folder.filename().string()) != codes.end());
  }
}

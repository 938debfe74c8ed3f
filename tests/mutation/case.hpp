#pragma once
#include <functional>
#include <string>
#include <vector>

namespace bayplan::mutation {

/// One thing to run against a mutant.
struct Case {
  std::string name;
  std::function<bool()> passes;
};

/// Every file of tests/rules, named "BAY113/bad-512-512.json"; none for a layer that they do not reach.
std::vector<Case> rule_cases();
/// Every unit test that is linked in, but for those that run the rule cases.
std::vector<Case> unit_cases();

}  // namespace bayplan::mutation

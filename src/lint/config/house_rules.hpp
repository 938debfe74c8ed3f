#pragma once
#include <memory>
#include <string>
#include <vector>

#include "rules/house/house_rule.hpp"
#include "shape/request_schemas.hpp"
#include "shape/sources.hpp"

namespace bayplan::lint {

using HouseRules = std::vector<std::shared_ptr<const rules::HouseRule>>;

/// Reads `rules` of one config into `rules`; a rule replaces one of the same id that an extended config has. What
/// cannot be a rule (unknown keys in paths, tests that contradict each other) is an error at its place.
void bind_house_rules(text::Value list, shape::Sources& sources, const shape::RequestSchemas& schemas,
                      HouseRules& rules);

/// Where the examples of a rule disagree with it.
struct ExampleTest {
  std::size_t good = 0;
  std::size_t bad = 0;
  std::vector<Error> failures;  ///< At the example, or at the rule that has none.
};

/// Checks the examples of a rule; `config` is how reports call the files of the examples.
ExampleTest check_examples(const rules::HouseRule& rule, const Lazy<rules::RuleData>& data,
                           const model::Placeholders& placeholders);

}  // namespace bayplan::lint

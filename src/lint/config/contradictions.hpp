#pragma once
#include <functional>
#include <optional>
#include <string>

#include "lint/config/house_rules.hpp"
#include "rules/house/house_rule.hpp"
#include "shape/schema.hpp"
#include "shape/sources.hpp"

namespace bayplan::lint {

/// The schema at the end of a path. `rule` is null where the schema says nothing.
struct Target {
  const shape::Rule* rule = nullptr;
  bool is_wrong = false;
};

/// Reports what of a test can never hold together, or not for a value of this schema. `object`: the test as written.
void check_test(const rules::ValueTest& test, text::Value object, Target target, shape::Sources& sources);

/// Reports an edit of a rule after which its value still does not meet the rule, or is none of the schema.
void check_fix(const rules::HouseRule& rule, text::Value fix, Target target, shape::Sources& sources);

/// Why the last condition of the rule can never hold together with the others, or with the rule's own path.
std::optional<std::string> never_holds(const rules::HouseRule& rule);

/// Reports rules that no definition can pass together: the same value, and tests without a common one. Rules with
/// different conditions may be for different definitions; so may rules that the config ignores, everywhere or in some
/// files (`is_ignored`).
void check_rules_agree(const HouseRules& rules, const std::function<bool(const rules::HouseRule&)>& is_ignored,
                       shape::Sources& sources);

}  // namespace bayplan::lint

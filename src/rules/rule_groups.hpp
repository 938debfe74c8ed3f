#pragma once
#include <array>
#include <string_view>

namespace bayplan::rules {

/// A group of rules, which --select and `bayplan rules` take.
struct RuleGroup {
  std::string_view name;   ///< RuleRow::group
  std::string_view about;  ///< What its rules find.
};

/// Every group, in the order of the documentation.
inline constexpr std::array<RuleGroup, 9> kRuleGroups{{
    {"shape", "syntax, spelling and types of the file"},
    {"correctness", "what ECS rejects, ignores or interprets differently than intended"},
    {"placement", "definitions that register but are never placed, or not as intended"},
    {"gpu", "GPUs and Neuron devices"},
    {"service", "input of create-service, update-service and run-task"},
    {"deployment", "deployments that cannot proceed, interrupt the service, or hide a failure"},
    {"security", "settings that weaken isolation or expose secrets"},
    {"practice", "settings that work but cause problems later"},
    {"house", "rules of a team, from its .bayplan.yaml"},
}};

}  // namespace bayplan::rules

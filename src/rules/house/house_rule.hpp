#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/finding.hpp"
#include "base/pattern.hpp"
#include "base/result.hpp"
#include "rules/context.hpp"
#include "rules/emitter.hpp"
#include "rules/house/value_path.hpp"
#include "rules/rule_data.hpp"

namespace bayplan::rules {

/// What a house rule reads.
enum class HouseScope : std::uint8_t { kTaskDefinition, kService, kRunTask, kCluster, kCapacityProvider, kTaskSet };

/// The text of a scalar that values are compared by: YAML writes booleans in several ways.
std::string scalar_text(text::Value value);

/// A pattern with its text, which messages show.
struct HousePattern {
  std::string text;
  Pattern pattern;
};

/// What a value must be. Every part that is set must hold.
struct ValueTest {
  std::optional<bool> is_present;  ///< `present: true`, `absent: true`.
  bool or_absent = false;          ///< A value that is absent passes, although the test compares values.
  std::optional<std::vector<std::string>> in;
  std::vector<std::string> not_in;
  std::optional<HousePattern> matches;
  std::optional<HousePattern> not_matches;
  std::optional<std::int64_t> min;
  std::optional<std::int64_t> max;
  std::optional<std::int64_t> min_count;  ///< Elements of a list, members of a map.
  std::optional<std::int64_t> max_count;

  /// Whether it compares a value, which must therefore exist.
  bool needs_value() const { return in || matches || min || max; }
  bool counts() const { return min_count || max_count; }
  std::string in_words(std::string_view verb = "must be") const;  ///< "must be 'a' or 'b'", "must not be 'a'"
};

/// A value in place of the one at fault, as the config writes it.
struct HouseFix {
  std::optional<text::Value> set;  ///< Absent: the member is removed.
  bool is_safe = false;
};

/// A rule of a team, from `rules` of its .bayplan.yaml.
struct HouseRule {
  std::string id;  ///< "team/ecr-only"
  HouseScope scope = HouseScope::kTaskDefinition;
  ValuePath path;
  std::vector<std::pair<ValuePath, ValueTest>> when;
  ValueTest require;
  std::string message;  ///< In it, `{value}` is replaced by the value of the file.
  std::string title;    ///< The message without what it says of the value.
  std::string help;     ///< What to write instead.
  std::string why;
  std::string applies_to;  ///< "task definitions, if $.family is 'web'"
  std::string docs;        ///< Address of the team's page; empty for none.
  Severity severity = Severity::kWarning;
  std::optional<HouseFix> fix;
  std::vector<text::Value> good;  ///< Definitions that the rule must accept.
  std::vector<text::Value> bad;   ///< Definitions that the rule must report.
  Error place;                    ///< Where it is written; no message.

  std::string origin;                     ///< "docs/house-rules.yaml:12"
  std::string written;                    ///< The whole rule, as JSON in one line.
  std::string good_text;                  ///< The first example, as JSON.
  std::string bad_text;                   ///< The first example, as JSON.
  std::shared_ptr<const void> documents;  ///< Keeps the text of the examples and of the fix.
};

/// What the rule reads and its conditions, in words.
std::string applies_to_in_words(const HouseRule& rule);

/// The row that reports show. It views the rule.
RuleRow house_row(const HouseRule& rule);

/// Reports the values below `root`, a definition in ECS's words, that do not meet the rule. `is_whole`: what is absent
/// there is absent; `client`: what sends the definition.
void check_house_rule(const HouseRule& rule, text::Value root, bool is_whole, DeployClient client, Emitter& emit);

/// Runs the rules of the options on a file or a part of it.
void check_house_rules(const Context& ctx, const Lazy<RuleData>& data, Findings& findings);

}  // namespace bayplan::rules

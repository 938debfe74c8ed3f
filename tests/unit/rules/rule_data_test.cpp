#include "rules/rule_data.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/strings.hpp"
#include "catch.hpp"
#include "rules/named_rules.hpp"
#include "rules/registry.hpp"

namespace {

using namespace bayplan;

const std::set<std::string_view> kSeenOrTyped{"live", "issue", "server-text", "model"};

/// "2026-11-23". No clock is asked: a test that depends on the day fails on a day when nothing was changed.
/// A day since ECS exists; reports may be older than the project.
bool is_day(std::string_view text) {
  const auto number = [&](std::size_t begin, std::size_t size) {
    return to_integer(text.substr(begin, size)).value_or(-1);
  };
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  return number(0, 4) >= 2014 && number(0, 4) < 2100 && number(5, 2) >= 1 && number(5, 2) <= 12 && number(8, 2) >= 1 &&
         number(8, 2) <= 31;
}

/// A day since the project exists.
bool is_date(std::string_view text) {
  return is_day(text) && text >= "2026";
}

/// Whether the rule, or one of its severities, is known from documentation alone, which may become outdated.
bool rests_on_documentation(const rules::RuleRow& row) {
  constexpr std::string_view kDocumented = "documented";
  return row.evidence == kDocumented || std::any_of(row.severity_when.begin(), row.severity_when.end(),
                                                    [&](const auto& item) { return item.evidence == kDocumented; });
}

}  // namespace

TEST_CASE("rule data - codes and ids are unique and in order") {
  const auto data = rules::RuleData::load();
  REQUIRE(data.rows().size() > 300);
  std::set<std::string_view> ids;
  std::int64_t last = 0;
  for (const auto& row : data.rows()) {
    INFO(row.code);
    const auto number = to_integer(row.code.substr(3)).value_or(0);
    CHECK(number > last);
    last = number;
    CHECK(ids.insert(row.id).second);
    CHECK(data.find(row.code) == &row);
    CHECK(data.find(row.id) == &row);
    CHECK_FALSE(row.summary.empty());
    CHECK_FALSE(row.why.empty());
    CHECK_FALSE(row.bad.files.empty());
    CHECK_FALSE(row.good.files.empty());
    CHECK_FALSE(row.source.empty());
    for (const auto text : {row.summary, row.why, row.fix, row.source}) CHECK_FALSE(text.starts_with("TODO"));
  }
  CHECK(data.find("bay113") == data.find("BAY113"));
  CHECK(data.find("BAY000") == nullptr);
}

TEST_CASE("rule data - a row read alone is the row of the whole") {
  const auto data = rules::RuleData::load();
  for (const auto& row : data.rows()) {
    INFO(row.code);
    const auto& alone = data.row(row.code);
    CHECK(&alone == &data.row(row.code));
    CHECK(alone.code == row.code);
    CHECK(alone.id == row.id);
    CHECK(alone.severity == row.severity);
    CHECK(alone.group == row.group);
    CHECK(alone.on_by_default == row.on_by_default);
    CHECK(alone.evidence == row.evidence);
    CHECK(alone.applies_to == row.applies_to);
    CHECK(alone.summary == row.summary);
    CHECK(alone.why == row.why);
    CHECK(alone.bad.files.front().text() == row.bad.files.front().text());
    CHECK(alone.good.files.front().text() == row.good.files.front().text());
    CHECK(alone.fix == row.fix);
    CHECK(alone.source == row.source);
    CHECK(alone.reviewed == row.reviewed);
    CHECK(alone.supersedes == row.supersedes);
    CHECK(alone.severity_when.size() == row.severity_when.size());
    CHECK(alone.implemented == row.implemented);
  }
}

TEST_CASE("rule data - every rule has a page of its own, never somebody else's") {
  const auto data = rules::RuleData::load();
  const std::string_view other = "https://docs.example.com/checks/{}.html";
  CHECK(rules::page_of_rule("docs/checks/{}.md", "BAY113") == "docs/checks/BAY113.md");
  CHECK(rules::page_of_rule(other, "BAY113") == "https://docs.example.com/checks/BAY113.html");
  CHECK(rules::is_web_address(other));
  CHECK(!rules::is_web_address("docs/checks/BAY113.md"));
  for (const auto& row : data.rows()) {
    INFO(row.code);
    const auto page = row.url();
    CHECK(page.find(row.code) != std::string::npos);
    CHECK(page.find_first_of(" {}") == std::string::npos);
    CHECK(row.web_url().has_value() == rules::is_web_address(page));
    if (row.documented_refusal) CHECK((row.evidence == "documented" && row.severity == Severity::kWarning));
  }
}

TEST_CASE("rule data - an error rests on a refusal that was seen or on the model") {
  const auto data = rules::RuleData::load();
  for (const auto& row : data.rows()) {
    INFO(row.code);
    if (row.severity == Severity::kError) CHECK(kSeenOrTyped.count(row.evidence) == 1);
    for (const auto& item : row.severity_when) {
      if (item.severity == Severity::kError) CHECK(kSeenOrTyped.count(item.evidence) == 1);
    }
  }
}

TEST_CASE("rule data - an error states the answer that was recorded, with its date and source, or rests on the model") {
  const auto data = rules::RuleData::load();
  for (const auto& row : data.rows()) {
    INFO(row.code);
    const bool is_recorded = row.evidence == "live" || row.evidence == "issue" || row.evidence == "server-text";
    if (row.severity == Severity::kError && is_recorded) CHECK_FALSE(row.answers.empty());
    for (const auto& answer : row.answers) {
      CHECK(answer.text.size() > 10);
      CHECK((is_day(answer.date) || (answer.date.size() == 7 && is_day(std::string(answer.date) + "-01"))));
      CHECK(answer.source.size() > 3);
    }
    // The record of a deployment was read on the day that it has.
    if (row.evidence == "live") {
      CHECK(
          std::all_of(row.answers.begin(), row.answers.end(), [](const auto& answer) { return is_day(answer.date); }));
    }
  }
  CHECK(data.row("BAY129").severity == Severity::kWarning);  // Its record is about the size.
  CHECK(data.row("BAY640").answers.front().text.find("executionRoleArn") != std::string_view::npos);
}

TEST_CASE("rule data - what rests on documentation says when it was last compared with newer pages") {
  const auto data = rules::RuleData::load();
  std::vector<std::string> undated;
  for (const auto& row : data.rows()) {
    INFO(row.code << " " << row.reviewed);
    if (!row.reviewed.empty()) CHECK(is_date(row.reviewed));
    if (rests_on_documentation(row) && row.reviewed.empty()) undated.emplace_back(row.code);
  }
  INFO("look these up as docs/refresh.md says, then write \"reviewed\": " << join(undated, " "));
  CHECK(undated.empty());
  CHECK_FALSE(rests_on_documentation(data.row("BAY117")));  // Its one severity was seen.
  CHECK(rests_on_documentation(data.row("BAY519")));        // Its warning was read.
}

TEST_CASE("rule data - every implemented row has a function and every function a row") {
  const auto data = rules::RuleData::load();
  std::set<std::string_view> built;
  for (const auto& rule : rules::registry()) {
    INFO(rule.code);
    CHECK(built.insert(rule.code).second);
    REQUIRE(data.find(rule.code) != nullptr);
    CHECK(data.find(rule.code)->implemented);
  }
  for (const auto& row : data.rows()) {
    INFO(row.code);
    if (row.implemented) CHECK(built.count(row.code) == 1);
  }
  CHECK(std::is_sorted(rules::registry().begin(), rules::registry().end(), [](const auto& a, const auto& b) {
    return to_integer(a.code.substr(3)) < to_integer(b.code.substr(3));
  }));
}

TEST_CASE("rule data - a rule knows what it reads") {
  using rules::Scope;
  CHECK(rules::rule_of("BAY001").scope == Scope::kText);
  CHECK(rules::rule_of("BAY015").scope == Scope::kShape);
  CHECK(rules::rule_of("BAY113").scope == Scope::kTaskDefinition);
  CHECK(rules::rule_of("BAY1101").scope == Scope::kService);
  CHECK(rules::rule_of("BAY1126").scope == Scope::kProvider);
  for (const auto& rule : rules::registry()) {
    INFO(rule.code);
    CHECK(&rules::rule_of(rule.code) == &rule);
    CHECK((rule.scope == Scope::kService) == (rule.check_service != nullptr));
    CHECK((rule.check == nullptr) == (rule.check_service != nullptr));
  }
}

TEST_CASE("rule data - a rule that an option selects is off by default") {
  const auto data = rules::RuleData::load();
  const auto asked = rules::codes_where([](const rules::Rule& rule) { return rule.traits.asked_by != nullptr; });
  CHECK(asked == std::vector<std::string>{"BAY008", "BAY028"});
  for (const auto& code : asked) CHECK_FALSE(data.row(code).on_by_default);
}

TEST_CASE("rule data - the rules that other layers name are those") {
  const auto data = rules::RuleData::load();
  CHECK(data.row(rules::kNeuronScope).id == "neuron-scope");
  CHECK(data.row(rules::kFargateNetworkMode).id == "fargate-network-mode");
  CHECK(data.row(rules::kManagedNetworkMode).id == "managed-network-mode");
  CHECK(data.row(rules::kManagedConstraintAttributes).id == "managed-constraint-attributes");
  CHECK(data.row(rules::kStrategyBinpackField).id == "strategy-binpack-field");
  CHECK(data.row(rules::kStrategySpreadField).id == "strategy-spread-field");
  CHECK(data.row(rules::kPlacementOnFargate).id == "placement-on-fargate");
  CHECK(data.row(rules::kDaemonFargate).id == "daemon-fargate");
}

TEST_CASE("rule data - a rule that was removed keeps its code and says when and why") {
  const auto data = rules::RuleData::load();
  const auto* removed = data.find_removed("bay747");
  REQUIRE(removed != nullptr);
  CHECK(removed == data.find_removed("tmpfs-fargate"));
  CHECK(removed->date == "2026-11-23");
  CHECK(removed->why.find("2026-01-06") != std::string_view::npos);
  CHECK(data.find("BAY747") == nullptr);
  CHECK(data.find_removed("BAY113") == nullptr);
}

TEST_CASE("rule data - what a rule supersedes exists") {
  const auto data = rules::RuleData::load();
  for (const auto& row : data.rows()) {
    for (const auto code : row.supersedes) {
      INFO(row.code << " " << code);
      CHECK((code == "root-shape" || code == "same-node" || code == "inside" || data.find(code) != nullptr));
    }
  }
}

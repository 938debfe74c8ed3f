// The examples of the rule book are input like any other: what they are said to show, bayplan must say.
#include "cli/commands/show_rule.hpp"

#include <algorithm>

#include "base/strings.hpp"
#include "catch.hpp"

namespace {

using namespace bayplan;

struct Heard {
  std::string severity;
  std::string code;
};

/// The headlines of a text report: "file:1:2 error BAY113 fargate-cpu-memory-pair: ...".
std::vector<Heard> heard_in(const std::string& output) {
  std::vector<Heard> result;
  for (const auto line : split(output, '\n')) {
    const auto words = split(line, ' ');
    if (words.size() > 3 && words[2].starts_with("BAY"))
      result.push_back({std::string(words[1]), std::string(words[2])});
  }
  return result;
}

bool has_code(const std::vector<Heard>& heard, std::string_view code) {
  return std::any_of(heard.begin(), heard.end(), [&](const Heard& one) { return one.code == code; });
}

/// Codes of the errors that are not this rule's.
std::vector<std::string> other_errors(const std::vector<Heard>& heard, std::string_view code) {
  std::vector<std::string> result;
  for (const auto& one : heard) {
    if (one.severity == "error" && one.code != code) result.push_back(one.code);
  }
  return result;
}

}  // namespace

TEST_CASE("rule examples - bad gives the rule and no other error, good neither") {
  const auto data = rules::RuleData::load();
  for (const auto& row : data.rows()) {
    if (!row.implemented) continue;
    const auto shown = cli::show_rule(row, false);
    INFO(row.code << "\n" << shown.bad.command << "\n" << shown.bad.output << "\n" << shown.good.output);
    const auto bad = heard_in(shown.bad.output);
    const auto good = heard_in(shown.good.output);
    CHECK(has_code(bad, row.code));
    CHECK(other_errors(bad, row.code).empty());
    CHECK_FALSE(has_code(good, row.code));
    CHECK(other_errors(good, row.code).empty());
    CHECK(shown.good.exit_code == 0);
    CHECK(shown.bad.output.find("bayplan: ") == std::string::npos);
  }
}

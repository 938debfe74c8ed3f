#include <set>
#include <sstream>
#include <string>

#include "catch.hpp"
#include "lint/lint.hpp"
#include "rules/rule_data.hpp"
#include "support/rule_cases.hpp"

namespace wording_test {

namespace {

using namespace bayplan;

lint::FileReport report_of(std::string text, std::string name) {
  return lint::lint_document(std::move(text), std::move(name), lint::Options(), lint::Tools());
}

const std::string kOnlyFamily = R"({"family": "web", "networkMode": ")";
const std::string kContainers = R"(", "containerDefinitions": [{"name": "a", "image": "nginx:1.27", "memory": 100}]})";

}  // namespace

TEST_CASE("wording - a help is written in the form of its file") {
  const auto json = report_of(R"({"family": "web", "containerDefinitions": [{"name": "a", "memory": 100}]})", "a.json");
  const auto yaml = report_of("family: web\ncontainerDefinitions:\n  - {name: a, memory: 100}\n", "a.yaml");
  REQUIRE(json.findings.size() == 1);
  REQUIRE(yaml.findings.size() == 1);
  CHECK(json.findings[0].help == "add \"image\": \"repository:tag\"");
  CHECK(yaml.findings[0].help == "add image: \"repository:tag\"");
}

TEST_CASE("wording - a very long value is cut in its middle") {
  std::string value;
  for (int i = 0; i < 10000; ++i) value += "é";
  const auto report = report_of(kOnlyFamily + value + kContainers, "a.json");
  REQUIRE(report.findings.size() == 1);
  const std::string& message = report.findings[0].message;
  CHECK(message.size() < 1010);
  CHECK(message.starts_with("invalid networkMode \"éé"));
  CHECK(message.find("é...é") != std::string::npos);
  CHECK(message.ends_with("é\""));
}

TEST_CASE("wording - titles are short, unique and no sentences") {
  const auto data = rules::RuleData::load();
  std::set<std::string_view> titles;
  for (const auto& row : data.rows()) {
    INFO(row.code << " " << row.summary);
    CHECK(titles.insert(row.summary).second);
    CHECK(row.summary.size() <= 80);
    for (const auto text : {row.summary, row.fix}) {
      CHECK(text.find('\n') == std::string_view::npos);
      CHECK(text.find("  ") == std::string_view::npos);
      CHECK(text.back() != '.');
    }
  }
}

// tests/glossary checks the words of the same files.
TEST_CASE("wording - messages and help are one line without a period, and have a fix") {
  std::size_t messages = 0;
  for (const auto& folder : rule_cases::folders()) {
    for (const auto& file : rule_cases::inputs_of(folder)) {
      if (!rule_cases::is_bad(file)) continue;
      std::istringstream lines(rule_cases::content_of(rule_cases::output_file_of(file)));
      for (std::string line; std::getline(lines, line);) {
        INFO(file.string() << ": " << line);
        const bool is_help = line.starts_with("  help: ");
        if (!is_help && line.starts_with("  ")) continue;
        messages += is_help ? 0 : 1;
        CHECK(line.back() != '.');
        CHECK(line.size() < 600);
      }
    }
  }
  CHECK(messages > 1000);
}

}  // namespace wording_test

#include <algorithm>
#include <map>

#include "catch.hpp"
#include "cli/options/command.hpp"
#include "cli/ran.hpp"
#include "support/in_sources.hpp"

using namespace bayplan;
using namespace bayplan::cli;

namespace {

using Words = std::vector<std::string>;

/// Formats of a command, the default first, and lines that make a report of each kind that it has.
struct Expected {
  std::vector<std::string_view> formats;
  std::vector<Words> lines;
};

/// Names that exist below examples are those files, the others are words.
Words at_home(const Words& line) {
  DiskFiles files;
  Words words;
  for (const auto& word : line) {
    const auto path = in_sources("examples/" + word);
    words.push_back(word.find('/') != std::string::npos && files.exists(path) ? path : word);
  }
  return words;
}

const std::map<std::string_view, Expected>& expected_formats() {
  static const std::map<std::string_view, Expected> all{
      {"lint",
       {{"text", "oneline", "json", "sarif", "github", "gitlab", "junit", "html", "markdown", "csv"},
        {{"lint", "broken-gpu/train.json"}}}},
      {"fit", {{"text", "json", "html", "markdown", "csv"}, {{"fit", "pull-request/train.json"}}}},
      {"place",
       {{"text", "json", "html", "markdown", "csv", "svg"},
        {{"place", "two-p3-16xlarge/scenario.yaml"}, {"place", "lost-zone/scenario.yaml", "--until", "2h"}}}},
      {"why", {{"text", "json", "html", "markdown", "csv"}, {{"why", "big", "why-not/scenario.yaml"}}}},
      {"whatif",
       {{"text", "json", "html", "markdown", "csv"},
        {{"whatif", "lose-a-zone/scenario.yaml", "--lose-az", "us-east-2a"},
         {"whatif", "lost-zone/scenario.yaml", "--lose-az", "us-east-1a", "--at", "1h"}}}},
      {"repack", {{"text", "json", "html", "markdown", "csv"}, {{"repack", "give-back/cluster"}}}},
      {"replay", {{"text", "json", "html", "markdown", "csv"}, {{"replay", "replay/snapshot", "replay/events.jsonl"}}}},
      {"diff",
       {{"text", "json", "html", "markdown", "csv"},
        {{"diff", "pull-request/train-main.json", "pull-request/train.json"}}}},
      {"sweep", {{"text", "jsonl", "json", "html", "markdown"}, {{"sweep", "night-fleet/grid.yaml"}}}},
      {"fleet",
       {{"text", "json", "html", "markdown", "csv", "svg"},
        {{"fleet", "cheapest-fleet/scenario.yaml", "--types", "g4dn.12xlarge"}}}},
      {"dry-run",
       {{"text", "json", "aws"},
        {{"dry-run", "--", "aws", "ecs", "register-task-definition", "--family", "web", "--container-definitions",
          R"([{"name": "web", "image": "web", "memory": 64}])"}}}},
      {"collect", {{"text"}, {{"collect"}}}},
      {"explain", {{"text", "json", "html", "markdown"}, {{"explain", "BAY113"}, {"explain", "RESOURCE:GPU"}}}},
      {"rules", {{"text", "json", "html", "markdown", "csv"}, {{"rules", "gpu"}}}},
      {"catalog", {{"text", "json", "html", "markdown", "csv"}, {{"catalog", "p3.*"}}}},
      {"schema", {{"json"}, {{"schema", "service"}}}},
      {"completion", {{"text"}, {{"completion", "bash"}}}},
      {"lsp", {{}, {}}},  // it talks with an editor, and has no report
      {"mcp", {{}, {}}},  // it talks with a client of tools
      {"man", {{"text"}, {{"man"}}}},
      {"list-options", {{"json"}, {{"list-options"}}}},
  };
  return all;
}

}  // namespace

TEST_CASE("every command has the formats that make sense for it") {
  for (const auto& command : all_commands()) {
    CAPTURE(command->name());
    const auto found = expected_formats().find(command->name());
    REQUIRE(found != expected_formats().end());
    CHECK(command->formats() == found->second.formats);
  }
  CHECK(all_commands().size() == expected_formats().size());
}

TEST_CASE("every format of every command writes a report of its own, and pages and comments begin with the answer") {
  DiskFiles files;
  for (const auto& [name, expected] : expected_formats()) {
    for (const auto& line : expected.lines) {
      std::vector<std::string> reports;
      for (const auto format : expected.formats) {
        CAPTURE(name, format);
        auto words = at_home(line);
        words.insert(words.begin() + 1, {"--output", std::string(format)});
        const auto ran = run_with(files, words);
        CAPTURE(ran.err);
        CHECK((ran.code == kClean || ran.code == kFindings));
        CHECK_FALSE(ran.out.empty());
        CHECK(std::find(reports.begin(), reports.end(), ran.out) == reports.end());
        reports.push_back(ran.out);
        if (format == "html") {
          CHECK(ran.out.starts_with("<!doctype html>"));
          CHECK(says(ran.out, "<h1 id=\"answer\""));
          CHECK(ran.out.ends_with("</html>\n"));
        } else if (format == "markdown" && name != "explain") {  // its answer is the text of the rule
          CHECK(says(ran.out.substr(0, ran.out.find('\n', 30)), "### "));
        }
      }
    }
  }
}

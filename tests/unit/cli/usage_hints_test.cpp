#include "cli/options/usage_hints.hpp"

#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "catch.hpp"
#include "cli/options/command_rows.hpp"
#include "cli/ran.hpp"

using namespace bayplan;
using namespace bayplan::cli;

namespace {

std::string answer_to(const std::vector<std::string>& words) {
  MemoryFiles files;
  files.content["web.json"] = "{}";
  const auto ran = run_with(files, words);
  CHECK(ran.code == kUnusable);
  return ran.err;
}

}  // namespace

TEST_CASE("an option of another tool leads to the own one, with the value that was given") {
  CHECK(says(answer_to({"lint", "--output-format", "json", "web.json"}), "did you mean '--output json'?"));
  CHECK(says(answer_to({"lint", "--output-format=sarif"}), "did you mean '--output sarif'?"));
  CHECK(says(answer_to({"lint", "--formatter", "stylish"}), "did you mean '--output FORMAT'?"));
  CHECK(says(answer_to({"lint", "-f", "stylish"}), "unknown output format 'stylish'"));
  CHECK(says(answer_to({"lint", "-f", "web.json"}), "Name a file to read without an option"));
  CHECK(says(answer_to({"lint", "-o", "json"}), "did you mean '--output json'?"));
  CHECK(says(answer_to({"lint", "-o", "out.json"}), "did you mean '--output-file out.json'?"));
  CHECK(says(answer_to({"lint", "--disable", "BAY113"}), "did you mean '--ignore BAY113'?"));
  CHECK(says(answer_to({"lint", "--disable", "web.json"}), "did you mean '--ignore RULE'?"));
  CHECK(says(answer_to({"lint", "--list-rules"}), "did you mean 'bayplan rules'?"));
  CHECK(says(answer_to({"fit", "--watch"}), "bayplan runs once"));  // not that TASKDEF is missing
}

TEST_CASE("an option with one dash is taken for the one with two") {
  CHECK(says(answer_to({"lint", "-fix", "web.json"}), "unknown option '-fix'; did you mean '--fix'?"));
  CHECK(says(answer_to({"lint", "-var", "A=1"}), "did you mean '--var'?"));
  CHECK(says(answer_to({"lint", "-no-color"}), "did you mean '--color never'?"));
  MemoryFiles files;
  files.content["web.json"] = R"({"family": "web", "containerDefinitions": []})";
  CHECK(run_with(files, {"lint", "-qv", "-j2", "web.json"}).code != kUnusable);  // letters of their own
}

TEST_CASE("an option that a command has under another name is suggested only there") {
  CHECK(says(answer_to({"fleet", "--threads", "4"}), "did you mean '--jobs 4'?"));
  CHECK_FALSE(says(answer_to({"why", "--threads", "4"}), "--jobs"));
  CHECK(says(answer_to({"fleet", "--zone", "3"}), "did you mean '--zones 3'?"));
  CHECK(says(answer_to({"whatif", "--zone", "us-east-1a"}), "did you mean '--lose-az us-east-1a'?"));
}

TEST_CASE("every command that a hint names exists") {
  std::vector<std::string> names{"help", "version"};
  for (const auto& command : make_rows(all_commands())) names.push_back(command.name);
  for (const auto word : {"check", "init", "apply", "rule", "config", "doctor", "completions", "scale", "history"}) {
    CAPTURE(word);
    const auto hint = hint_for_command(word);
    REQUIRE(hint);
    if (!hint->instead.empty()) CHECK(is_among(hint->instead.substr(0, hint->instead.find(' ')), names));
  }
}

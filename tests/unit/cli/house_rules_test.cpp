#include <map>

#include "base/memory_files.hpp"
#include "base/strings.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"

namespace house_rules_test {

using namespace bayplan;
using namespace bayplan::cli;

namespace {

const std::string kDefinition = R"({
  "family": "web",
  "tags": [{"key": "owner", "value": "me"}],
  "containerDefinitions": [
    {"name": "a", "image": "x:1", "memory": 128,
     "environment": [{"name": "TZ", "value": "UTC"}],
     "portMappings": [{"containerPort": 80}, {"containerPort": 81}],
     "dockerLabels": {"com.example/team": "shop"}},
    {"name": "b", "image": "y:1", "memory": 128}
  ]
})";

/// A config with the rule team/none, which reports every value at the path.
std::string config(const std::string& path, const std::string& more = "") {
  return "rules:\n  - id: team/none\n    path: '" + path +
         "'\n    require: {absent: true}\n    message: '<none> of ${THESE}, please'\n    severity: error\n" + more;
}

MemoryFiles project(const std::string& path, const std::string& more = "") {
  MemoryFiles files;
  files.content = {{".bayplan.yaml", config(path, more)}, {"web.json", kDefinition}, {"old/web.json", kDefinition}};
  return files;
}

/// The lines of web.json on which the rule reports something.
std::string lines(const std::string& path) {
  auto files = project(path);
  const auto ran = run_with(files, {"lint", "--select", "house", "-f", "oneline", "web.json"});
  INFO(path << ran.err);
  CHECK(ran.code != kUnusable);
  std::string lines;
  for (const auto row : split(ran.out, '\n')) {
    if (row.empty()) continue;
    CHECK(row.find("team/none") != std::string::npos);
    lines += (lines.empty() ? "" : " ") + std::string(split(row, ':').at(1));
  }
  return lines;
}

}  // namespace

TEST_CASE("a house rule checks the values that its path names") {
  CHECK(lines("family") == "2");
  CHECK(lines("tags[owner].value") == "3");
  CHECK(lines("containerDefinitions[*].image") == "5 9");
  CHECK(lines("containerDefinitions[b].image") == "9");
  CHECK(lines("containerDefinitions[c].image").empty());
  CHECK(lines("containerDefinitions[*].environment[TZ].value") == "6");
  CHECK(lines("containerDefinitions[*].portMappings[*].containerPort") == "7 7");
  CHECK(lines("containerDefinitions[*].dockerLabels[\"com.example/team\"]") == "8");
  CHECK(lines("containerDefinitions[*].dockerLabels[*]") == "8");
}

TEST_CASE("a house rule appears in every format, with its text escaped as that of built-in rules") {
  for (const std::string_view format :
       {"text", "json", "sarif", "junit", "github", "gitlab", "markdown", "csv", "html"}) {
    CAPTURE(format);
    auto files = project("family");
    const auto ran = run_with(files, {"lint", "-f", std::string(format), "web.json"});
    CHECK(ran.code == kFindings);
    CHECK(says(ran.out, "team/none"));
    const bool is_markup = format == "junit" || format == "html" || format == "markdown";
    if (is_markup) CHECK_FALSE(says(ran.out, "<none> of"));
  }
}

TEST_CASE("a baseline, perFileIgnores and a selector suppress a house rule") {
  auto files = project("family");
  CHECK(run_with(files, {"lint", "--create-baseline", "known.json", "web.json", "old"}).code == kClean);
  CHECK(says(files.content.at("known.json"), "team/none"));
  CHECK(run_with(files, {"lint", "--baseline", "known.json", "web.json", "old"}).code == kClean);
  files.content["web.json"].replace(files.content["web.json"].find("\"web\""), 5, "\"api\"");
  CHECK(run_with(files, {"lint", "--baseline", "known.json", "web.json"}).code == kFindings);

  auto ignoring = project("family", "perFileIgnores: [{files: [old/], rules: [team/none]}]\n");
  CHECK(run_with(ignoring, {"lint", "old/web.json"}).code == kClean);
  CHECK(run_with(ignoring, {"lint", "web.json"}).code == kFindings);
  CHECK(run_with(ignoring, {"lint", "--ignore", "team/", "web.json"}).code == kClean);
  CHECK(run_with(ignoring, {"lint", "--show-files", "old"}).out == "old/web.json\n");
}

TEST_CASE("explain names house rules one by one, by team and by group, with their conditions") {
  MemoryFiles files;
  files.content = {{".bayplan.yaml",
                    "rules:\n  - id: team/health\n    path: containerDefinitions[*].image\n"
                    "    when: {essential: {equals: true}, $.family: {matches: ^web}}\n    require: {matches: ecr}\n"
                    "  - {id: other/tags, kind: service, path: tags, require: {present: true}}\n"}};
  const auto explained = [&](const std::string& word) { return run_with(files, {"explain", word}); };
  const auto one = explained("team/health");
  CHECK(one.code == kClean);
  CHECK(says(one.out, "containerDefinitions[*].image must be text that matches 'ecr'"));
  CHECK(says(one.out, "applies to  task definitions, if essential is 'true' and $.family is text"));
  CHECK(says(explained("other/tags").out, "applies to  services\n"));
  const auto team = explained("team/");
  CHECK(team.code == kClean);
  CHECK(says(team.out, "team/health"));
  CHECK_FALSE(says(team.out, "other/tags"));
  const auto all = explained("house");
  CHECK(says(all.out, "team/health"));
  CHECK(says(all.out, "other/tags"));
}

TEST_CASE("a house rule in a wrong form is an error that shows the right one") {
  const auto error = [](const std::string& rule) {
    MemoryFiles files;
    files.content = {{".bayplan.yaml", "rules:\n  - {" + rule + "}\n"}, {"web.json", kDefinition}};
    const auto ran = run_with(files, {"lint", "web.json"});
    CHECK(ran.code == kUnusable);
    return ran.err;
  };
  const std::string rest = ", path: family, require: {present: true}";
  CHECK(says(error("id: TEAM" + rest), "id cannot be 'TEAM'\n  Use TEAM/NAME in lowercase letters"));
  for (const std::string when : {"{path: $.family, equals: web}", "[{$.family: {equals: web}}]", "web"}) {
    CAPTURE(when);
    CHECK(says(error("id: team/a, when: " + when + rest), "the keys of when are paths: {$.family:"));
  }
  CHECK(says(error("id: team/a, path: family, require: web"), "A test is an object: {equals: web}"));
}

TEST_CASE("a house rule may ask for a placeholder") {
  MemoryFiles files;
  files.content = {{".bayplan.yaml",
                    "rules:\n  - id: team/tag\n    path: family\n    require: {equals: '${NAME}'}\n"
                    "    message: must be ${NAME}\n    good: [{family: '${NAME}'}]\n"
                    "    bad: [{family: web}]\n"},
                   {"web.json", kDefinition}};
  const auto ran = run_with(files, {"lint", "-f", "oneline", "web.json"});
  CHECK(says(ran.out, "must be ${NAME}"));
  CHECK(ran.err.empty());
}

}  // namespace house_rules_test

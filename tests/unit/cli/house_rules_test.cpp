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
  const auto unknown = explained("team/healht");
  CHECK(unknown.code == kUnusable);
  CHECK(says(unknown.err, "unknown rule 'team/healht'; did you mean 'team/health'?"));
  CHECK(says(explained("shop/image").err, "'bayplan rules house' lists those"));
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

TEST_CASE("house rules that no definition passes together are an error at the later one") {
  const auto read = [](const std::string& rules, const std::string& more = "") {
    MemoryFiles files;
    files.content = {{".bayplan.yaml", "rules:\n" + rules + more}, {"web.json", kDefinition}};
    return run_with(files, {"lint", "--select", "house", "web.json"});
  };
  const auto rule = [](const std::string& id, const std::string& path, const std::string& require,
                       const std::string& more = "") {
    return "  - {id: team/" + id + ", path: '" + path + "', require: {" + require + "}" + more + "}\n";
  };
  const auto error = [&](const std::string& path, const std::string& a, const std::string& b) {
    const auto ran = read(rule("a", path, a) + rule("b", path, b));
    CHECK(ran.code == kUnusable);
    CHECK(says(ran.err, ".bayplan.yaml:3:6: team/b contradicts team/a (.bayplan.yaml:2): "));
    return ran.err;
  };
  const std::string image = "containerDefinitions[*].image";
  CHECK(says(error(image, "present: true", "absent: true"), "one requires a value and the other one none"));
  CHECK(says(error(image, "equals: a", "equals: b"), "'a' passes only one of them"));
  CHECK(says(error(image, "in: [a, b]", "matches: '^c'"), "'a' or 'b' passes only one of them"));
  CHECK(says(error("containerDefinitions[*].stopTimeout", "min: 60", "max: 30"), "at least 60 and at most 30"));
  CHECK(says(error("containerDefinitions", "minCount: 3", "maxCount: 2"), "at least 3 and at most 2 entries"));
  CHECK(says(error(image, "matches: ecr", "notMatches: ecr"), "the pattern that the other one forbids"));
  CHECK(says(
      read(rule("a", "runtimePlatform", "absent: true") + rule("b", "runtimePlatform.cpuArchitecture", "equals: ARM64"))
          .err,
      "without runtimePlatform there is no runtimePlatform.cpuArchitecture"));
  CHECK(says(read(rule("a", image, "equals: a") + rule("b", "containerDefinitions[b].image", "equals: b")).err,
             "team/b contradicts team/a"));

  const auto agree = [&](const std::string& rules, const std::string& more = "") {
    const auto ran = read(rules, more);
    INFO(ran.err);
    return ran.code != kUnusable;
  };
  const auto a = rule("a", image, "equals: a");
  const auto b = rule("b", image, "equals: b");
  CHECK(agree(rule("a", image, "equals: a, orAbsent: true") + rule("b", image, "equals: b, orAbsent: true")));
  CHECK(agree(a + rule("b", image, "in: [a, b]")));
  CHECK(agree(rule("a", image, "matches: '^a'") + rule("b", image, "matches: '^b'")));  // not certain
  CHECK(agree(rule("a", image, "equals: a", ", when: {name: {equals: a}}") +
              rule("b", image, "equals: b", ", when: {name: {equals: b}}")));
  CHECK_FALSE(agree(a + rule("b", image, "equals: b", ", when: {name: {equals: b}}")));
  CHECK(agree(rule("a", "containerDefinitions[a].image", "equals: a") +
              rule("b", "containerDefinitions[b].image", "equals: b")));
  CHECK(agree(a + b, "ignore: [team/a]\n"));
  CHECK(agree(a + b, "select: [team/a]\n"));
  CHECK(agree(a + b, "perFileIgnores: [{files: [dev/], rules: [team/b]}]\n"));
}

TEST_CASE("a condition that can never hold, and a value that ECS does not have, are errors") {
  const auto error = [](const std::string& rule) {
    MemoryFiles files;
    files.content = {{".bayplan.yaml", "rules:\n  - {id: team/a, " + rule + "}\n"}, {"web.json", kDefinition}};
    const auto ran = run_with(files, {"lint", "web.json"});
    CHECK((ran.code == kUnusable) == says(ran.err, ".bayplan.yaml:2:"));
    return ran.err;
  };
  const std::string rest = "}, path: networkMode, require: {present: true}";
  CHECK(says(error("when: {family: {equals: a}, $.family: {equals: b}" + rest),
             "when can never hold: family and $.family: 'a' passes only one of them"));
  CHECK(error("when: {family: {in: [a, b]}, $.family: {equals: b}" + rest).empty());
  CHECK(says(error("when: {$.volumes: {absent: true}}, path: 'volumes[*].name', require: {equals: a}"),
             "when can never hold: $.volumes has elements where the rule finds any"));
  // The memory of a container is not that of the task.
  for (const std::string element : {"[*]", "[a]"})
    CHECK(error("when: {memory: {equals: 1}, $.memory: {equals: 2}}, path: 'containerDefinitions" + element +
                ".image', require: {equals: a}")
              .empty());
  // Other elements of the list may pass the other condition.
  CHECK(error("when: {'requiresCompatibilities[*]': {equals: EC2}, '$.requiresCompatibilities[*]': {equals: FARGATE}" +
              rest)
            .empty());
  CHECK(says(error("path: 'requiresCompatibilities[*]', require: {equals: fargate}"),
             "ECS has no value 'fargate' here\n  Use FARGATE"));
  CHECK(says(error("path: networkMode, require: {notIn: [host, Bridge]}"), "ECS has no value 'Bridge' here"));
  CHECK(says(error("path: tags, require: {minCount: 51}"), "ECS allows at most 50 entries here"));
  CHECK(says(error("path: family, require: {minCount: 2, matches: a}"), "a value with entries has no text to compare"));
  CHECK(says(error("path: family, require: {in: [a, b], min: 2}"), "none of the values passes the rest of the test"));
}

TEST_CASE("a fix that does not meet its rule is an error in the config") {
  const auto error = [](const std::string& rule) {
    MemoryFiles files;
    files.content = {{".bayplan.yaml", "rules:\n  - {id: team/a, " + rule + "}\n"}, {"web.json", kDefinition}};
    return run_with(files, {"lint", "web.json"}).err;
  };
  CHECK(says(error("path: cpu, require: {equals: 256}, fix: {set: 512}"),
             "'512' does not pass the rule\n  Require says: cpu must be '256'"));
  CHECK(says(error("path: cpu, require: {absent: true}, fix: {set: 512}"), "'512' does not pass the rule"));
  CHECK(says(error("path: pidMode, require: {notEquals: host}, fix: {set: TASK}"), "ECS has no value 'TASK' here"));
  CHECK(says(error("path: cpu, require: {present: true}, fix: {remove: true}"),
             "a value that is removed does not pass the rule\n  Require says: cpu must be present"));
  CHECK(error("path: pidMode, require: {notEquals: host}, fix: {remove: true}").empty());
  CHECK(error("path: 'containerDefinitions[*].command[*]', require: {matches: a}, fix: {remove: true}").empty());
  CHECK(says(error("path: cpu, require: {absent: true, orAbsent: true}"), "absent and orAbsent say the same"));
}

TEST_CASE("the advice of a house rule is its test in words, or its edit") {
  const auto found = [](const std::string& rule) {
    MemoryFiles files;
    files.content = {{".bayplan.yaml", "rules:\n  - {id: team/a, " + rule + "}\n"}, {"web.json", kDefinition}};
    return run_with(files, {"lint", "--select", "house", "web.json"}).out;
  };
  CHECK(says(found("path: family, require: {notEquals: web}"), "family must not be 'web'; it is 'web'"));
  CHECK(says(found("path: tags, require: {minCount: 2}"), "tags must be of at least 2 entries"));
  CHECK(says(found("path: family, require: {equals: api}, fix: {set: api}"), "use \"api\""));
  CHECK(says(found("path: family, require: {absent: true}, fix: {remove: true}"), "delete it"));
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

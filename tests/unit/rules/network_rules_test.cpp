// What the golden cases of BAY301 to BAY332 cannot say: help, related places, edits, and files that always hold another
// finding.
#include <algorithm>

#include "catch.hpp"
#include "lint/lint.hpp"

namespace network_rules_test {

namespace {

using namespace bayplan;
using Findings = std::vector<lint::LintFinding>;

Findings findings_in(const std::string& text, const std::vector<std::string>& extra = {}) {
  const lint::Tools tools;
  lint::Options options;
  options.selection.extend_select = extra;
  return lint::lint_document(text, "task.json", options, tools).findings;
}

bool speaks(const Findings& findings, std::string_view code) {
  return std::any_of(findings.begin(), findings.end(), [&](const auto& one) { return one.code == code; });
}

std::string container(const std::string& name, const std::string& members) {
  return R"({"name": ")" + name + R"(", "image": "nginx:1.27", "memory": 256, )" + members + "}";
}

std::string ports(const std::string& mappings, const std::string& name = "app") {
  return container(name, R"("portMappings": [)" + mappings + "]");
}

std::string task(const std::string& mode, const std::string& containers) {
  return R"({"family": "web", "networkMode": ")" + mode + R"(", "containerDefinitions": [)" + containers + "]}";
}

std::vector<std::string> related_of(const lint::LintFinding& finding) {
  std::vector<std::string> messages;
  for (const auto& one : finding.related) messages.push_back(one.message);
  return messages;
}

using Messages = std::vector<std::string>;

}  // namespace

TEST_CASE("network rules - a port taken twice names both places") {
  const auto two = findings_in(
      task("awsvpc", ports(R"({"containerPort": 80})", "web") + "," + ports(R"({"containerPort": 80})", "api")));
  REQUIRE(two.size() == 1);
  CHECK(related_of(two[0]) == Messages{"container web uses port 80 here", "networkMode is awsvpc here"});
  CHECK(two[0].help == "use another port in one container; in awsvpc mode they share one network interface");

  const auto one = findings_in(task("awsvpc", ports(R"({"containerPort": 80}, {"containerPortRange": "70-90"})")));
  REQUIRE(one.size() == 1);
  CHECK(related_of(one[0])[0] == "this container uses port 80 here");
  CHECK(one[0].help == "keep one of the mappings");

  const auto nameless = findings_in(R"({"family": "web", "networkMode": "host", "containerDefinitions": [
    {"name": "${NAME}", "image": "nginx:1.27", "memory": 256, "portMappings": [{"containerPort": 80}]},)" +
                                    ports(R"({"containerPort": 80})") + "]}");
  REQUIRE(nameless.size() == 1);
  CHECK(related_of(nameless[0]) == Messages{"another container uses port 80 here"});
}

TEST_CASE("network rules - the pieces of a torn mapping are told once, with their beginning") {
  const auto torn =
      findings_in(task("awsvpc", ports(R"({"containerPort": 3000}, {"hostPort": 3000}, {"protocol": "tcp"})")));
  REQUIRE(torn.size() == 1);
  CHECK(related_of(torn[0]) == Messages{"the mapping may start here"});
  CHECK(torn[0].help == "put these keys into the object with containerPort; a mapping is one object");

  for (const auto* mappings : {R"({"containerPort": 80, "hostPort": 80}, {"hostPort": 81})", R"({"hostPort": 80})",
                               R"({"containerPort": 80}, {"name": "web"})"}) {
    const auto missing = findings_in(task("awsvpc", ports(mappings)));
    INFO(mappings);
    REQUIRE(missing.size() == 1);
    CHECK(missing[0].related.empty());
    CHECK(missing[0].help == "add \"containerPort\", or delete the mapping");
  }
}

TEST_CASE("network rules - only a number 0 is replaced by the container port") {
  const auto fixed = [](const std::string& port) {
    const auto found = findings_in(task("awsvpc", ports(R"({"containerPort": 8080, "hostPort": )" + port + "}")));
    return std::any_of(found.begin(), found.end(),
                       [](const auto& one) { return one.code == "BAY301" && one.fix.has_value(); });
  };
  CHECK(fixed("0"));
  CHECK_FALSE(fixed("\"0\""));
  CHECK_FALSE(fixed("80"));
}

TEST_CASE("network rules - Fargate has no instance whose ports are taken") {
  const std::string text = R"({"family": "web", "requiresCompatibilities": ["FARGATE"], "networkMode": "bridge",
    "cpu": "256", "memory": "512", "containerDefinitions": [)" +
                           ports(R"({"containerPort": 80, "hostPort": 22}, {"containerPort": 81, "hostPort": 40000})") +
                           "]}";
  const auto found = findings_in(text);
  for (const auto* code : {"BAY309", "BAY310", "BAY311", "BAY312"}) CHECK_FALSE(speaks(found, code));
}

TEST_CASE("network rules - a mode that is not in the file is missing only where it could be") {
  const std::vector<std::string> on{"BAY331"};
  const std::string list = "[" + container("app", R"("essential": true)") + "]";
  CHECK(speaks(findings_in(R"({"family": "web", "containerDefinitions": )" + list + "}", on), "BAY331"));
  CHECK(speaks(findings_in(R"({"family": "web", "networkMode": null, "containerDefinitions": )" + list + "}", on),
               "BAY331"));
  CHECK_FALSE(speaks(findings_in(list, on), "BAY331"));
  CHECK_FALSE(speaks(findings_in(R"({"taskDefinition": {"family": "web", "containerDefinitions": )" + list + "}}", on),
                     "BAY331"));
  CHECK_FALSE(speaks(
      findings_in(R"({"family": "web", "network_mode": "host", "containerDefinitions": )" + list + "}", on), "BAY331"));
  CHECK_FALSE(speaks(findings_in(R"({"family": "web", "containerDefinitions": )" + list, on), "BAY331"));
}

TEST_CASE("network rules - a circle shows each link of it") {
  const std::string text =
      task("bridge", container("web", R"("links": ["api"])") + "," + container("api", R"("links": ["db:store"])") +
                         "," + container("db", R"("links": ["web"])"));
  const auto found = findings_in(text);
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].related.size() == 2);
  CHECK(text.substr(found[0].related[0].span.begin, 5) == "\"api\"");
  CHECK(text.substr(found[0].related[1].span.begin, 10) == "\"db:store\"");
}

TEST_CASE("network rules - a near name is proposed for a link") {
  const auto help = [](const std::string& link) {
    return findings_in(task("bridge", container("app", R"("links": [")" + link + "\"]") + "," +
                                          container("database", R"("essential": true)")))
        .at(0)
        .help;
  };
  CHECK(help("databse:db") == R"(did you mean "database"?)");
  CHECK(help("redis") == "use \"name\" or \"name:alias\" with the name of another container of this task");
}

TEST_CASE("network rules - what a mapping alone can tell is told of a bare list too") {
  const std::string list = "[" + ports(R"({"containerPort": 80, "hostPort": 8080})") + "]";
  for (const auto& one : findings_in(list)) CHECK(one.code == "BAY009");
  CHECK(speaks(findings_in("[" + ports(R"({"containerPort": 0})") + "]"), "BAY304"));
}

}  // namespace network_rules_test

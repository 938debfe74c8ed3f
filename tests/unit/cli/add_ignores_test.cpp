#include <map>

#include "base/memory_files.hpp"
#include "catch.hpp"
#include "cli/ran.hpp"

namespace add_ignores_test {

using namespace bayplan;
using namespace bayplan::cli;

namespace {

using Texts = std::map<std::string, std::string>;

/// The file after `lint --add-ignores`, which must leave nothing to report.
std::string commented(const std::string& name, const std::string& text) {
  MemoryFiles files(Texts{{name, text}});
  const auto added = run_with(files, {"lint", "--add-ignores", name});
  CHECK(added.code == kClean);
  CHECK(added.out.empty());
  const auto checked = run_with(files, {"lint", "--fail-on", "warning", name});
  INFO(checked.out << checked.err);
  CHECK(checked.code == kClean);
  CHECK_FALSE(says(checked.err, "unused"));
  const auto once = files.content.at(name);
  const auto again = run_with(files, {"lint", "--add-ignores", name});
  // In .jsonc the comment itself is an info.
  CHECK((name.ends_with(".jsonc") || says(again.err, "nothing to suppress")));
  CHECK(files.content.at(name) == once);
  return once;
}

}  // namespace

TEST_CASE("lint --add-ignores comments each line of YAML with a finding, the first one at its end") {
  CHECK(commented("a.yaml", R"(family: my web
containerDefinitions:
  - name: app
    image: nginx
    memory: "5"
    environment: # of the app
      - {name: A, value: "1"}
      - {name: A, value: "2"}
)") == R"(family: my web  # bayplan: ignore=BAY102
containerDefinitions:
  - name: app
    image: nginx
    # bayplan: ignore=BAY017,BAY208
    memory: "5"
    environment: # of the app
      - {name: A, value: "1"}
      # bayplan: ignore=BAY215
      - {name: A, value: "2"}
)");
}

TEST_CASE("lint --add-ignores comments Terraform code above a heredoc, and inside of a call") {
  CHECK(commented("main.tf", R"(resource "aws_ecs_task_definition" "web" {
  family                = "web"
  container_definitions = <<EOT
[{"name": "app", "image": "nginx:1", "memory": "5"}]
EOT
}

resource "aws_ecs_task_definition" "api" {
  family = "api" // # bayplan
  container_definitions = jsonencode([
    {
      name   = "app"
      image  = "nginx:1"
      memory = "5" /* MiB */
    }
  ])
}
)") == R"(resource "aws_ecs_task_definition" "web" {
  family                = "web"
  # bayplan: ignore=BAY017,BAY208
  container_definitions = <<EOT
[{"name": "app", "image": "nginx:1", "memory": "5"}]
EOT
}

resource "aws_ecs_task_definition" "api" {
  family = "api" // # bayplan
  container_definitions = jsonencode([
    {
      name   = "app"
      image  = "nginx:1"
      # bayplan: ignore=BAY017,BAY208
      memory = "5" /* MiB */
    }
  ])
}
)");
}

TEST_CASE("lint --add-ignores keeps line ends, and writes comments of .jsonc with slashes") {
  CHECK(commented("a.yaml", "family: web\r\ncontainerDefinitions:\r\n- {name: a, image: 'a:1', memory: 5}\r\n") ==
        "family: web\r\ncontainerDefinitions:\r\n# bayplan: ignore=BAY208\r\n- {name: a, image: 'a:1', memory: 5}\r\n");
  const auto jsonc = commented("a.jsonc",
                               "{\n  \"family\": \"web\",\n  \"containerDefinitions\": [\n"
                               "    {\"name\": \"a\", \"image\": \"a:1\", \"memory\": 5}\n  ]\n}\n");
  CHECK(says(jsonc, "\n    // bayplan: ignore=BAY208\n    {"));
}

TEST_CASE("lint --add-ignores says what to add to the config for JSON, which suppresses all of it there") {
  MemoryFiles files(
      Texts{{"deploy/a[1].json", R"({"family": "web", "containerDefinitions": [{"name": "a", "image": "a:1",
      "memory": 5}]})"}});
  const auto before = files.content;
  const auto added = run_with(files, {"lint", "--add-ignores", "deploy"});
  CHECK(added.code == kClean);
  CHECK(says(added.out, "Add to .bayplan.yaml:\nperFileIgnores:\n  - {files: "));
  CHECK(files.content == before);
  files.content[".bayplan.yaml"] = added.out;
  CHECK(run_with(files, {"lint", "--fail-on", "warning", "deploy"}).code == kClean);
}

TEST_CASE("lint --add-ignores prints the commented standard input") {
  std::istringstream in("family: my web\ncontainerDefinitions: [{name: a, image: 'a:1', memory: 128}]\n");
  std::ostringstream out, err;
  MemoryFiles files;
  CHECK(run({"lint", "--add-ignores", "--stdin-filename", "a.yaml", "-"}, {in, out, err, files}) == kClean);
  CHECK(out.str() ==
        "family: my web  # bayplan: ignore=BAY102\ncontainerDefinitions: [{name: a, image: 'a:1', memory: 128}]\n");
}

TEST_CASE("lint --add-ignores does not go with what else writes") {
  MemoryFiles files(Texts{{"a.yaml", "family: web\n"}});
  for (const std::string_view other : {"--fix", "--diff", "--init", "--no-ignores", "--create-baseline=b.json"}) {
    CAPTURE(other);
    const auto ran = run_with(files, {"lint", "--add-ignores", std::string(other), "a.yaml"});
    CHECK(ran.code == kUnusable);
    CHECK(says(ran.err, "cannot be combined"));
  }
}

}  // namespace add_ignores_test

// Fixes in Terraform code: the spelling of the code, and nothing but what the resource itself writes.
#include <algorithm>
#include <string>

#include "catch.hpp"
#include "lint/fix/fixes.hpp"
#include "lint/lint.hpp"
#include "text/read.hpp"

namespace code_fixes_test {

using namespace bayplan;

namespace {

lint::FileReport linted(std::string code) {
  static const lint::Tools tools;
  return lint::lint_document(std::move(code), "main.tf", {}, tools);
}

lint::FixedText fixed(const std::string& code, bool with_unsafe = false) {
  return lint::fix_text(
      code, [](std::string bytes) { return linted(std::move(bytes)); }, with_unsafe);
}

std::string definition(const std::string& containers) {
  return "resource \"aws_ecs_task_definition\" \"web\" {\n  family = \"web\"\n  container_definitions = " + containers +
         "\n}\n";
}

/// The container definitions of every bad example that is a task definition in JSON.
std::vector<std::string> bad_containers() {
  static const lint::Tools tools;
  std::vector<std::string> found;
  for (const auto& row : tools.rule_data.get().rows()) {
    if (row.bad.files.empty()) continue;
    const auto document = text::read_document(row.bad.files.front().text(), {});
    const auto root = document->root();
    if (!root || !root.is_object() || document->format() != text::Format::kJson) continue;
    const auto containers = root.find("containerDefinitions");
    if (!containers || !containers.is_array()) continue;
    const auto span = containers.span();
    const auto text = document->source().substr(span.begin, span.length());
    if (text.find("${") == std::string::npos && text.find("%{") == std::string::npos) found.push_back(text);
  }
  return found;
}

}  // namespace

TEST_CASE("fixes of Terraform code keep its spelling, comments and alignment") {
  const auto result = fixed(definition(R"(jsonencode([
    {
      name      = "app" # kept
      image     = "nginx:1.27"
      memory    = "512"   // kept, too
      essential = "true"
      environment = [{ name = "PORT", value = 8080 }]
      "portMappings" = [{ containerPort = "80" }]
    },
  ]))"));
  CHECK(result.bytes == definition(R"(jsonencode([
    {
      name      = "app" # kept
      image     = "nginx:1.27"
      memory    = 512   // kept, too
      essential = true
      environment = [{ name = "PORT", value = "8080" }]
      "portMappings" = [{ containerPort = 80 }]
    },
  ]))"));
  CHECK(result.left.empty());
}

TEST_CASE("a bare key of Terraform code stays bare") {
  // Terraform drops unknown keys, so the fix is not safe.
  const auto bare = definition(R"(jsonencode([{ name = "a", image = "nginx:1.27", memroy = 512 }]))");
  CHECK(fixed(bare).bytes == bare);
  CHECK(fixed(bare, true).bytes == definition(R"(jsonencode([{ name = "a", image = "nginx:1.27", memory = 512 }]))"));
  const auto quoted = definition(R"(jsonencode([{ name = "a", image = "nginx:1.27", "memroy" : 512 }]))");
  CHECK(fixed(quoted, true).bytes ==
        definition(R"(jsonencode([{ name = "a", image = "nginx:1.27", "memory" : 512 }]))"));
}

TEST_CASE("fixes of JSON in a heredoc stay JSON") {
  const auto result =
      fixed(definition("<<EOT\n[{\"name\": \"a\", \"image\": \"nginx:1.27\", \"memory\": \"512\"}]\nEOT"));
  CHECK(result.bytes == definition("<<EOT\n[{\"name\": \"a\", \"image\": \"nginx:1.27\", \"memory\": 512}]\nEOT"));
}

TEST_CASE("what the code refers to is not fixed") {
  for (
      const auto& code :
      {"locals {\n  port = 8080\n}\n" +
           definition(
               R"(jsonencode([{ name = "a", image = "nginx:1.27", memory = 512, environment = [{ name = "P", value = local.port }] }]))"),
       "locals {\n  all = [{ name = \"a\", image = \"nginx:1.27\", memory = \"512\" }]\n}\n" +
           definition("jsonencode(local.all)"),
       definition(R"(jsonencode([{ name = "a", image = "nginx:1.27", memory = tostring(512) }]))")}) {
    INFO(code);
    REQUIRE_FALSE(linted(code).findings.empty());
    CHECK(fixed(code).bytes == code);
  }
}

TEST_CASE("every fix in the code of a bad example leaves code without it") {
  std::size_t fixes = 0;
  const auto all = bad_containers();
  REQUIRE(all.size() > 100);
  for (const auto& containers : all) {
    for (const auto& code :
         {definition("jsonencode(" + containers + ")"), definition("<<EOT\n" + containers + "\nEOT")}) {
      const auto before = linted(code);
      const auto result = fixed(code);
      if (result.bytes == code) continue;
      fixes += result.fixed;
      INFO(code << result.bytes);
      const auto after = linted(result.bytes);
      CHECK(after.document->faults().size() <= before.document->faults().size());
      CHECK(result.fixed > 0);
      CHECK(after.findings.size() < before.findings.size() + result.fixed);
      for (const auto& finding : after.findings) {
        const bool is_left = finding.fix && finding.fix->safe;
        CHECK((!is_left || !result.left.empty()));
      }
    }
  }
  CHECK(fixes > 20);
}

}  // namespace code_fixes_test

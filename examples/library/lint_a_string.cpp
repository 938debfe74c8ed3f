// Checks a task definition in memory, prints its findings, and then the text with the safe fixes applied: what a
// service that accepts definitions would do before it calls ECS.
#include <bayplan/lint.hpp>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

constexpr std::string_view kDefinition = R"({
  "family": "web",
  "requiresCompatibilities": ["FARGATE"],
  "networkMode": "awsvpc",
  "cpu": "256",
  "memory": "4096",
  "containerDefinitions": [
    {"name": "web", "image": "registry.example/web:1.4.2", "essential": "true"}
  ]
}
)";

void print(const bayplan::Finding& finding) {
  const std::string severity(to_string(finding.severity));
  std::printf("%s:%u:%u: %s %s: %s\n", finding.file.c_str(), finding.line, finding.column, severity.c_str(),
              finding.code.c_str(), finding.message.c_str());
  if (!finding.help.empty()) std::printf("    %s\n", finding.help.c_str());
  if (!finding.fix) return;
  for (const auto& edit : finding.fix->edits)
    std::printf("    %s fix: at byte %zu replace %zu by %s\n", finding.fix->safe ? "safe" : "unsafe", edit.offset,
                edit.length, edit.text.c_str());
}

}  // namespace

int main() {
  // Made once, used for every text and from every thread.
  const auto linter = bayplan::Linter::create({.ignore = {"practice"}});
  if (!linter) {
    for (const auto& error : linter.errors()) std::fprintf(stderr, "%s\n", to_string(error).c_str());
    return 2;
  }
  const auto report = linter->lint("web.json", kDefinition);
  for (const auto& finding : report.findings) print(finding);
  std::printf("%zu errors\n", report.count_from(bayplan::Severity::kError));

  const auto fixed = linter->fix("web.json", kDefinition);
  std::printf("\n%zu fixed:\n%s", fixed.fixed, fixed.text.c_str());
}

// A template whose placeholders ask for more text than is filled in.
#include "catch.hpp"
#include "lint/lint.hpp"

using namespace bayplan;

TEST_CASE("a template that variables would blow up is refused at a placeholder, and not read") {
  const lint::Tools tools;
  lint::Options options;
  options.variables["LONG"] = std::string(model::kMaxFilledIn / 2, 'x');
  const std::string text = "{\"family\": \"${LONG}\",\n \"taskRoleArn\": \"${LONG}\",\n \"b\": \"${LONG}\", \"c\": }";
  for (const char* name : {"web.json", "web.yaml"}) {
    CAPTURE(name);
    const auto report = lint::lint_document(text, name, options, tools);
    REQUIRE(report.findings.size() == 1);
    const auto& finding = report.findings.front();
    CHECK(finding.code == "BAY029");
    CHECK(finding.message == "values of variables exceed 4 MiB here; the rest are not filled in");
    CHECK(finding.span.begin == text.find("${LONG}", text.find("\"b\"")));
    CHECK(report.used_variables.contains("LONG"));
  }
}

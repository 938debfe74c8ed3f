// A fault of the text is told at the innermost value that holds it, key and all.
#include "catch.hpp"
#include "lint/lint.hpp"

namespace {

using namespace bayplan;

std::string pointer_of_first(const std::string& member) {
  const lint::Tools tools;
  const std::string text =
      R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "a:1", )" + member + "}]}";
  const auto report = lint::lint_document(text, "task.json", {}, tools);
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings[0].code <= "BAY006");
  return report.findings[0].pointer;
}

}  // namespace

TEST_CASE("fault place - the value at fault or the member whose key is") {
  CHECK(pointer_of_first(R"("memory": 256, "user": root)") == "/containerDefinitions/0/user");
  CHECK(pointer_of_first(R"('memory': 256)") == "/containerDefinitions/0/memory");
  CHECK(pointer_of_first(R"("memory": 256,)") == "/containerDefinitions/0");
}

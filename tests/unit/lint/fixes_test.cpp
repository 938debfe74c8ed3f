#include "lint/fix/fixes.hpp"

#include "catch.hpp"
#include "text/encoding.hpp"

namespace fixes_test {

namespace {

using namespace bayplan;
using lint::FileReport;

const std::string kCase = R"({
  "family": "web", // kept
  "containerDefinitions": [
    {"name": "app",   "image": "nginx:1.27", "memory": "256", "essential": "true"},
  ]
}
)";
const std::string kFixedCase = R"({
  "family": "web", // kept
  "containerDefinitions": [
    {"name": "app",   "image": "nginx:1.27", "memory": 256, "essential": true}
  ]
}
)";

struct Linter {
  std::string name = "web.jsonc";
  lint::Options options;
  lint::Tools tools;

  FileReport operator()(std::string bytes) const { return lint::lint_document(std::move(bytes), name, options, tools); }
};

lint::FixedText fixed(const std::string& text, const std::string& name = "web.jsonc") {
  const Linter linter{.name = name};
  return lint::fix_text(text, [&](std::string bytes) { return linter(std::move(bytes)); });
}

/// A report with one finding for each edit, as if a rule had found it.
FileReport report_of(std::string text, const std::vector<std::pair<std::string_view, Edit>>& edits) {
  const Linter linter;
  lint::Options options;
  FileReport report{lint::read_file(std::move(text), "x.json", lint::Search::kNamed, options, linter.tools)};
  for (const auto& [code, edit] : edits) {
    lint::LintFinding finding;
    finding.code = code;
    finding.span = edit.span;
    finding.fingerprint = std::string(code) + edit.text;
    finding.fix = Fix{true, {edit}};
    report.findings.push_back(finding);
  }
  return report;
}

std::string with_crlf(std::string text) {
  for (std::size_t i = text.find('\n'); i != std::string::npos; i = text.find('\n', i + 2)) text.insert(i, 1, '\r');
  return text;
}

}  // namespace

TEST_CASE("fixes - every byte but the edits stays") {
  const auto result = fixed(kCase);
  CHECK(result.bytes == kFixedCase);
  CHECK(result.fixed == 3);
  CHECK(result.left.empty());
  CHECK(fixed(with_crlf(kCase)).bytes == with_crlf(kFixedCase));
  CHECK(fixed(kCase.substr(0, kCase.size() - 1)).bytes == kFixedCase.substr(0, kFixedCase.size() - 1));
}

TEST_CASE("fixes - a text that was fixed is left alone") {
  const auto again = fixed(kFixedCase);
  CHECK(again.bytes == kFixedCase);
  CHECK(again.fixed == 0);
}

TEST_CASE("fixes - the encoding stays") {
  using Form = text::Encoding::Form;
  const std::string wide = R"({"family": "web", "containerDefinitions": [{"name": "app", "image": "nginx:1.27",
    "memory": "256", "environment": [{"name": "A", "value": "ä🚢"}]}]})";
  std::string done = wide;
  done.replace(done.find("\"256\""), 5, "256");
  for (const text::Encoding encoding :
       {text::Encoding{Form::kUtf8, false}, text::Encoding{Form::kUtf8, true}, text::Encoding{Form::kUtf16Little, true},
        text::Encoding{Form::kUtf16Big, true}, text::Encoding{Form::kUtf16Little, false},
        text::Encoding{Form::kUtf16Big, false}}) {
    CAPTURE(static_cast<int>(encoding.form), encoding.has_mark);
    const auto result = fixed(text::encode(wide, encoding));
    CHECK(result.fixed == 1);
    CHECK((result.bytes == text::encode(done, encoding)));
  }
}

TEST_CASE("fixes - a text with stray bytes is refused whole") {
  std::string broken = kCase;
  broken.insert(broken.find("kept"), "\xFF");
  const auto result = fixed(broken);
  CHECK(result.bytes == broken);
  CHECK(result.fixed == 0);
  REQUIRE(result.left.size() == 1);
  CHECK(result.left[0].message == "not fixed: the file contains bytes that are invalid in its encoding");
  CHECK(result.left[0].help == "save it as UTF-8 first");
}

TEST_CASE("fixes - lone carriage returns in YAML stay") {
  const std::string text = "family: web\rcontainerDefinitions:\r- {name: app, image: 'nginx:1.27', memory: \"256\"}\r";
  const auto result = fixed(text, "web.yaml");
  CHECK(result.fixed == 1);
  CHECK(result.bytes == "family: web\rcontainerDefinitions:\r- {name: app, image: 'nginx:1.27', memory: 256}\r");
}

TEST_CASE("fixes - what is inserted takes the line ends of the text") {
  const std::string wrapped = with_crlf(R"({
  "taskDefinition": {
    "family": "web",
    "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]
  },
  "tags": [{"key": "team", "value": "a"}]
}
)");
  const auto result = fixed(wrapped, "web.json");
  CHECK(result.fixed > 0);
  CHECK(result.bytes.find("\"tags\"") != std::string::npos);
  for (std::size_t i = 0; i < result.bytes.size(); ++i) {
    if (result.bytes[i] == '\n') CHECK(result.bytes[i - 1] == '\r');
  }
}

TEST_CASE("fixes - one that overlaps waits for the next pass") {
  std::vector<std::string> seen;
  const auto result = lint::fix_text("[12, 34]", [&](std::string bytes) {
    seen.push_back(bytes);
    if (bytes == "[12, 34]") {
      return report_of(bytes, {{"BAY007", {{1, 3}, "1"}}, {"BAY008", {{2, 4}, "x"}}, {"BAY009", {{5, 7}, "5"}}});
    }
    if (bytes == "[1, 5]") return report_of(bytes, {{"BAY008", {{2, 3}, " ,"}}});
    return report_of(bytes, {});
  });
  CHECK(seen == std::vector<std::string>{"[12, 34]", "[1, 5]", "[1 , 5]"});
  CHECK(result.bytes == "[1 , 5]");
  CHECK(result.fixed == 3);
  CHECK(result.left.empty());
}

TEST_CASE("fixes - two that touch are not applied at once") {
  std::vector<std::string> seen;
  const auto result = lint::fix_text("[12]", [&](std::string bytes) {
    seen.push_back(bytes);
    if (bytes == "[12]") return report_of(bytes, {{"BAY007", {{1, 2}, "7"}}, {"BAY008", {{2, 2}, ", "}}});
    if (bytes == "[72]") return report_of(bytes, {{"BAY008", {{2, 2}, ", "}}});
    return report_of(bytes, {});
  });
  CHECK(seen == std::vector<std::string>{"[12]", "[72]", "[7, 2]"});
  CHECK(result.fixed == 2);
}

TEST_CASE("fixes - one that would bring an error is left and said, the others are applied") {
  const auto result = lint::fix_text("[1, 2, 3]", [&](std::string bytes) {
    std::vector<std::pair<std::string_view, Edit>> edits;
    if (bytes.find('1') != std::string::npos) edits.push_back({"BAY007", {{1, 2}, "4"}});
    if (bytes.find('2') != std::string::npos) edits.push_back({"BAY008", {{4, 5}, "5"}});
    if (bytes.find('3') != std::string::npos) edits.push_back({"BAY009", {{7, 8}, "6"}});
    auto report = report_of(bytes, edits);
    if (bytes.find('5') != std::string::npos) {
      lint::LintFinding error;
      error.code = "BAY113";
      error.message = "no size";
      report.findings.push_back(error);
    }
    return report;
  });
  CHECK(result.bytes == "[4, 2, 6]");
  CHECK(result.fixed == 2);
  REQUIRE(result.left.size() == 1);
  CHECK(result.left[0].message == "BAY008 not fixed: the result would have a new error, BAY113: no size");
  CHECK(result.left[0].file == "x.json");
  CHECK(result.left[0].line == 1);
  CHECK(result.left[0].column == 5);
}

TEST_CASE("fixes - a file that comes out worse after all is left as it was") {
  const auto result = lint::fix_text("[1]", [&](std::string bytes) {
    if (bytes == "[1]") return report_of(bytes, {{"BAY007", {{1, 2}, "2"}}});
    auto report = report_of(bytes, {{"BAY113", {{1, 2}, "3"}}});  // fixable, so that the pass goes on
    if (bytes == "[3]") report.findings[0].fix.reset();
    return report;
  });
  CHECK(result.bytes == "[1]");
  CHECK(result.fixed == 0);
  REQUIRE(result.left.size() == 1);
  CHECK(result.left[0].message.find("a new error, BAY113") != std::string::npos);
}

TEST_CASE("fixes - what never comes to rest ends, and is said") {
  int passes = 0;
  const auto result = lint::fix_text("[1]", [&](std::string bytes) {
    ++passes;
    return report_of(bytes, {{"BAY007", {{1, 2}, bytes == "[1]" ? "2" : "1"}}});
  });
  CHECK(passes < 50);
  CHECK(result.bytes == "[1]");
  CHECK(result.fixed == 0);
  REQUIRE(result.left.size() == 1);
  CHECK(result.left[0].message == "not fixed: the fixes do not converge");
}

TEST_CASE("fixes - a text that would not read better is left alone") {
  const std::string text =
      "{\n  \"family\": \"web\",\n  \"containerDefinitions: [\n    {\n      \"name\": \"app\",\n      \"memory\":";
  const auto result = fixed(text, "web.json");
  CHECK(result.bytes == text);
  CHECK(result.fixed == 0);
  REQUIRE(result.left.size() == 1);
  CHECK(result.left[0].message == "BAY001 not fixed: the result would have as many errors");
}

TEST_CASE("fixes - neither suppressed nor unsafe ones are applied") {
  for (const bool is_silenced : {true, false}) {
    const auto result = lint::fix_text("[1]", [&](std::string bytes) {
      auto report = report_of(bytes, {{"BAY007", {{1, 2}, "2"}}});
      if (is_silenced) {
        report.findings[0].suppression = lint::Suppression{};
      } else {
        report.findings[0].fix->safe = false;
      }
      return report;
    });
    CHECK(result.bytes == "[1]");
    CHECK(result.fixed == 0);
    CHECK(result.left.empty());
  }
}

TEST_CASE("fixes - describe output becomes what register-task-definition takes") {
  const auto result = fixed(R"({"taskDefinition": {
  "taskDefinitionArn": "arn:aws:ecs:us-east-1:123456789012:task-definition/web:3",
  "family": "web", "revision": 3, "status": "ACTIVE", "registeredAt": "2026-01-01T00:00:00Z",
  "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256, "links": null}]
}, "tags": []})",
                            "web.json");
  CHECK(result.bytes.find("taskDefinitionArn") == std::string::npos);
  CHECK(result.bytes.find("tags") == std::string::npos);
  const auto after = Linter{}(result.bytes);
  CHECK(after.kind == rules::FileKind::kTaskDefinition);
  for (const auto& finding : after.findings) CHECK(finding.severity != Severity::kError);
}

TEST_CASE("fixes - two findings that one edit mends are both counted") {
  const auto result = lint::fix_text("[1]", [&](std::string bytes) {
    if (bytes == "[1]") return report_of(bytes, {{"BAY007", {{1, 2}, "2"}}, {"BAY008", {{1, 2}, "2"}}});
    return report_of(bytes, {});
  });
  CHECK(result.bytes == "[2]");
  CHECK(result.fixed == 2);
}

TEST_CASE("fixes - what a fix brought to light is mended, and nobody was told of it") {
  const auto result = lint::fix_text("[1]", [&](std::string bytes) {
    if (bytes == "[1]") return report_of(bytes, {{"BAY007", {{1, 2}, "2"}}});
    if (bytes == "[2]") return report_of(bytes, {{"BAY008", {{1, 2}, "3"}}});
    return report_of(bytes, {});
  });
  CHECK(result.bytes == "[3]");
  CHECK(result.fixed == 1);
}

TEST_CASE("fixes - a list that becomes a map or an object is indented as by hand") {
  const std::string head =
      "family: web\ncontainerDefinitions:\n  - name: app\n    image: nginx:1.27\n    memory: 256\n";
  CHECK(fixed(head + R"(    dockerLabels:
      # of the team
      - name: team
        value: shop  # ours
      - {name: tier, value: front}
    logConfiguration:
      - logDriver: awslogs
        options:
          awslogs-group: web
          # where we are
          awslogs-region: us-east-1

          awslogs-stream-prefix: |-
            web
)",
              "web.yaml")
            .bytes == head + R"(    dockerLabels:
      # of the team
      team: shop  # ours
      tier: front
    logConfiguration:
      logDriver: awslogs
      options:
        awslogs-group: web
        # where we are
        awslogs-region: us-east-1

        awslogs-stream-prefix: |-
          web
)");
  CHECK(fixed(head + R"(    dockerLabels:
    - name: team
      value: shop
    logConfiguration:
    - logDriver: json-file
      options: {max-size: 10m}
)",
              "web.yaml")
            .bytes == head + R"(    dockerLabels:
      team: shop
    logConfiguration:
      logDriver: json-file
      options: {max-size: 10m}
)");
  CHECK(fixed(R"({
  "family": "web",
  "containerDefinitions": [
    {
      "name": "app",
      "image": "nginx:1.27",
      "memory": 256,
      "dockerLabels": [
        {
          "name": "team",
          "value": "shop"
        }
      ],
      "logConfiguration": [
        {
          "logDriver": "json-file",
          "options": {
            "max-size": "10m"
          }
        }
      ]
    }
  ]
})",
              "web.json")
            .bytes == R"({
  "family": "web",
  "containerDefinitions": [
    {
      "name": "app",
      "image": "nginx:1.27",
      "memory": 256,
      "dockerLabels": {
        "team": "shop"
      },
      "logConfiguration": {
        "logDriver": "json-file",
        "options": {
          "max-size": "10m"
        }
      }
    }
  ]
})");
}

}  // namespace fixes_test

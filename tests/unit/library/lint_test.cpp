// The library's lint as others call it: public headers alone.
#include <bayplan/lint.hpp>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "temporary_folder.hpp"

namespace {

using bayplan::Linter;
using bayplan::LintOptions;
using bayplan::Severity;

constexpr std::string_view kBad =
    "{\"family\": \"we b\", \"requiresCompatibilities\": [\"EC2\"],\n"
    "  \"containerDefinitions\": [{\"name\": \"ä\", \"image\": \"nginx:1.27\",\n"
    "    \"memory\": 256, \"essential\": \"true\"}]}";

std::vector<std::string> codes(const bayplan::LintReport& report) {
  std::vector<std::string> list;
  for (const auto& finding : report.findings) list.push_back(finding.code);
  return list;
}

Linter linter(const LintOptions& options = {}) {
  auto made = Linter::create(options);
  REQUIRE(made.has_value());
  return *made;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("library lint - a finding says where, what and what instead") {
  const auto report = linter({.select = {"BAY016"}}).lint("we b.json", kBad);
  CHECK(report.kind == bayplan::FileKind::kTaskDefinition);
  CHECK(report.checked);
  REQUIRE(report.findings.size() == 1);
  const auto& one = report.findings.front();
  CHECK(one.file == "we b.json");
  CHECK(one.severity == Severity::kError);
  CHECK(one.pointer == "/containerDefinitions/0/essential");
  CHECK(one.container == "ä");
  CHECK(one.line == 3);
  CHECK(one.column == 33);
  CHECK(one.end_column == 39);
  CHECK(kBad.substr(one.offset, one.length) == "\"true\"");
  CHECK(!one.help.empty());
  REQUIRE(one.fix);
  CHECK(one.fix->safe);
  CHECK(one.fix->edits == std::vector<bayplan::Edit>{{one.offset, one.length, "true"}});
}

TEST_CASE("library lint - any bytes have a report") {
  for (const std::string_view bytes : {"", "{", "\xff\xfe\x01", "[[[[", "\0\0"}) {
    const auto report = linter().lint("x.json", bytes);
    CHECK(report.file == "x.json");
    for (const auto& finding : report.findings) CHECK(finding.line >= 1);
  }
  CHECK(linter({.max_bytes = 10}).lint("x.json", kBad).findings.front().code == "BAY029");
}

TEST_CASE("library lint - options that name nothing are errors") {
  const auto selector = Linter::create({.select = {"BAY9999"}});
  REQUIRE(!selector);
  CHECK(selector.errors().front().message == "unknown rule, group or code prefix 'BAY9999'");
  CHECK(!Linter::create({.severities = {{"nonsense", Severity::kInfo}}}));
  CHECK(!Linter::create({.types = {"g1zz.*"}}));
  CHECK(!Linter::create({.from = bayplan::FileKind::kCompose}));
  const auto config = Linter::create({.config = "/nowhere/.bayplan.yaml"});
  REQUIRE(!config);
  CHECK(to_string(config.errors().front()).rfind("/nowhere/.bayplan.yaml: ", 0) == 0);
}

TEST_CASE("library lint - every option has its effect") {
  const auto plain = codes(linter().lint("a.json", kBad));
  CHECK(codes(linter({.ignore = {"ALL"}}).lint("a.json", kBad)).empty());
  CHECK(codes(linter({.select = {"BAY016"}}).lint("a.json", kBad)) == Codes{"BAY016"});
  CHECK(codes(linter({.extend_select = {"ALL"}}).lint("a.json", kBad)).size() > plain.size());
  const auto milder = linter({.select = {"BAY016"}, .severities = {{"BAY016", Severity::kInfo}}});
  CHECK(milder.lint("a.json", kBad).findings.front().severity == Severity::kInfo);
  CHECK(milder.lint("a.json", kBad).count_from(Severity::kWarning) == 0);

  const std::string templated = R"({"family": "web", "requiresCompatibilities": ["EC2"], "containerDefinitions":
    [{"name": "web", "image": "nginx:1.27", "memory": "${MEMORY}"}]})";
  CHECK(!linter().lint("a.json", templated).skipped.empty());
  CHECK(codes(linter({.strict_unknown = true}).lint("a.json", templated)).front() == "BAY008");
  CHECK(linter({.variables = {{"MEMORY", "256"}}}).lint("a.json", templated).skipped.empty());

  const std::string untold = R"({"family": "web", "containerDefinitions": [{"name": "web", "image": "nginx:1.27",
    "memory": 256, "privileged": true}]})";
  CHECK(codes(linter({.launch_type = bayplan::LaunchType::kFargate}).lint("a.json", untold)) !=
        codes(linter({.launch_type = bayplan::LaunchType::kEc2}).lint("a.json", untold)));
  const std::string large = R"({"family": "web", "requiresCompatibilities": ["EC2"], "containerDefinitions":
    [{"name": "web", "image": "nginx:1.27", "memory": 999999}]})";
  CHECK(codes(linter({.select = {"BAY464"}, .types = {"t3.*"}}).lint("a.json", large)) == Codes{"BAY464"});
  CHECK(codes(linter({.select = {"BAY464"}}).lint("a.json", large)).empty());
}

TEST_CASE("library lint - comments silence, until their day") {
  const std::string text = "# bayplan: ignore=BAY016 until=2030-01-31 taken over\n" + std::string(kBad) + "\n";
  const LintOptions options{.select = {"BAY016"}};
  const auto suppressed = linter(options).lint("a.yaml", text);
  REQUIRE(suppressed.findings.size() == 1);
  CHECK(suppressed.findings.front().suppressed);
  CHECK(suppressed.findings.front().suppressed_because == "taken over");
  CHECK(suppressed.count_from(Severity::kStyle) == 0);

  LintOptions later = options;
  later.now = std::chrono::sys_days(std::chrono::year(2031) / 1 / 1);
  const auto ended = linter(later).lint("a.yaml", text);
  CHECK(!ended.findings.front().suppressed);
  CHECK(ended.notes.size() == 1);
  LintOptions all = options;
  all.ignores = false;
  CHECK(linter(all).lint("a.yaml", text).count_from(Severity::kError) == 1);
}

TEST_CASE("library lint - a config is read where it is named") {
  const bayplan::TemporaryFolder folder;
  folder.put(".bayplan.yaml",
             "select: [BAY016]\nperFileIgnores:\n  - {files: [legacy.json], rules: [BAY016], reason: old}\n");
  const auto made = linter({.config = folder.file(".bayplan.yaml")});
  CHECK(codes(made.lint("a.json", kBad)) == Codes{"BAY016"});
  folder.put("legacy.json", std::string(kBad));
  CHECK(made.lint(folder.file("legacy.json"), kBad).findings.front().suppressed);
  CHECK(!made.lint(folder.file("other.json"), kBad).findings.front().suppressed);
  CHECK(codes(linter({.config = folder.file(".bayplan.yaml"), .select = {"BAY113"}}).lint("a.json", kBad)) !=
        Codes{"BAY016"});
}

TEST_CASE("library lint - services are held against the definitions among the texts") {
  const std::vector<bayplan::SourceText> texts{
      {"service.json", R"({"serviceName": "web", "taskDefinition": "web", "desiredCount": 1})"},
      {"web.json", R"({"family": "web", "networkMode": "awsvpc",
         "containerDefinitions": [{"name": "app", "image": "nginx:1.27", "memory": 256}]})"}};
  const auto reports = linter().lint(texts);
  REQUIRE(reports.size() == 2);
  CHECK(reports[0].file == "service.json");
  CHECK(codes(reports[0]) == Codes{"BAY1116"});
  CHECK(linter().lint(std::vector<bayplan::SourceText>{texts[0]}).front().findings.empty());
}

TEST_CASE("library lint - fix applies what is safe and nobody has suppressed") {
  const auto fixed = linter({.select = {"BAY016"}}).fix("a.json", kBad);
  CHECK(fixed.fixed == 1);
  CHECK(fixed.text.find("\"essential\": true}") != std::string::npos);
  CHECK(fixed.left.empty());
  CHECK(linter({.ignore = {"ALL"}}).fix("a.json", kBad).text == kBad);
}

TEST_CASE("library lint - one linter, many threads") {
  const auto shared = linter();
  const auto expected = codes(shared.lint("a.json", kBad));
  std::vector<Codes> seen(8);
  std::vector<std::thread> threads;
  for (auto& list : seen) {
    threads.emplace_back([&list, &shared] {
      for (int i = 0; i < 20; ++i) list = codes(shared.lint("a.json", kBad));
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& list : seen) CHECK(list == expected);
}

TEST_CASE("library lint - the rules are the rule book's") {
  const auto rules = linter().rules();
  CHECK(rules.size() > 250);
  CHECK(rules.front().code == "BAY001");
  for (const auto& rule : rules) {
    CHECK(!rule.summary.empty());
    CHECK(rule.url == "docs/checks/" + rule.code + ".md");
  }
}

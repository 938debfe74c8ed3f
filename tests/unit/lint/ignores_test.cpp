#include "lint/config/ignores.hpp"

#include "base/date_time.hpp"
#include "base/memory_files.hpp"
#include "catch.hpp"
#include "lint/config/config.hpp"

using namespace bayplan;

namespace {

using Texts = std::vector<std::string>;
using FileTexts = std::map<std::string, std::string>;

const std::string kDefinition = R"(family: my app
containerDefinitions:
  - name: web
    image: nginx:1.27
    memory: 5
  - name: side car
    image: nginx:1.27
    memory: 5
)";

/// Files linted one after the other under one config.
class Run {
 public:
  explicit Run(const std::string& config, const lint::Selection& selection = {}, const std::string& day = "2026-11-21")
      : files_(FileTexts{{".bayplan.yaml", config}}),
        config_(lint::read_config(".bayplan.yaml", files_, tools_.rule_data)) {
    REQUIRE(config_.errors.empty());
    options_.selection = selection;
    ignores_ = std::make_unique<lint::Ignores>(config_.config.file_ignores, options_.selection, tools_, files_,
                                               parse_date_time(day).value());
  }

  lint::FileReport lint(const std::string& text, const std::string& name = "a.yaml") {
    auto report = lint::lint_document(text, name, options_, tools_);
    ignores_->apply(report);
    return report;
  }

  Texts notes(const Texts& folders = {"."}) const { return list_texts(ignores_->notes(folders)); }

  static Texts list_texts(const std::vector<Error>& errors) {
    Texts texts;
    for (const auto& one : errors) {
      texts.push_back(one.file + ":" + std::to_string(one.line) + ":" + std::to_string(one.column) + " " + one.message);
    }
    return texts;
  }

 private:
  lint::Tools tools_;
  MemoryFiles files_;
  lint::ConfigFile config_;
  lint::Options options_;
  std::unique_ptr<lint::Ignores> ignores_;
};

/// "BAY208 containerDefinitions[web].memory" of what still counts.
Texts told(const lint::FileReport& report) {
  Texts texts;
  for (const auto& finding : report.findings) {
    if (!finding.suppression) texts.push_back(std::string(finding.code) + " " + finding.named_path);
  }
  return texts;
}

const Texts kAll{"BAY102 family", "BAY208 containerDefinitions[web].memory",
                 "BAY202 containerDefinitions[side car].name", "BAY208 containerDefinitions[side car].memory"};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("ignores - the file that the tests silence") {
  Run run("");
  CHECK(told(run.lint(kDefinition)) == kAll);
  CHECK(run.notes().empty());
}

TEST_CASE("ignores - of the config by file, rule and place") {
  Run files("perFileIgnores: [{files: legacy/, rules: [BAY2, family-pattern], reason: old}]");
  const auto old = files.lint(kDefinition, "legacy/a.yaml");
  CHECK(told(old).empty());
  CHECK(old.findings.front().suppression->by == lint::Suppression::By::kConfig);
  CHECK(old.findings.front().suppression->reason == "old");
  CHECK(told(files.lint(kDefinition, "new/a.yaml")) == kAll);

  Run place("perFileIgnores: [{rules: ALL, path: \"containerDefinitions[side car]\"}]");
  CHECK(told(place.lint(kDefinition)) == Texts{"BAY102 family", "BAY208 containerDefinitions[web].memory"});
  Run value("perFileIgnores: [{rules: ALL, path: \"containerDefinitions[side car].memory\"}]");
  CHECK(told(value.lint(kDefinition)).size() == 3);
  Run part("perFileIgnores: [{rules: ALL, path: fam}]");
  CHECK(told(part.lint(kDefinition)) == kAll);
  Run group("perFileIgnores: [{rules: correctness}]");
  CHECK(told(group.lint(kDefinition)).empty());
}

TEST_CASE("ignores - a place may begin at the definition inside an answer") {
  const std::string answer =
      "{\"taskDefinition\": {\"family\": \"my app\", \"containerDefinitions\": [{\"name\": "
      "\"web\", \"image\": \"a\", \"memory\": 5}]}}";
  Run bare("perFileIgnores: [{rules: ALL, path: \"containerDefinitions[web]\"}]");
  for (const auto& finding : bare.lint(answer, "a.json").findings) {
    CHECK(finding.suppression.has_value() == (finding.named_path.find("[web]") != std::string::npos));
  }
  Run whole("perFileIgnores: [{rules: ALL, path: \"taskDefinition.containerDefinitions[web]\"}]");
  const auto report = whole.lint(answer, "a.json");
  REQUIRE_FALSE(report.findings.empty());
  CHECK(std::any_of(report.findings.begin(), report.findings.end(), [](const auto& one) { return one.suppression; }));
}

TEST_CASE("ignores - comments") {
  Run run("");
  const auto report =
      run.lint(replaced(kDefinition, "family: my app", "family: my app  # bayplan: ignore=BAY102 old name"));
  CHECK(told(report) == Texts(kAll.begin() + 1, kAll.end()));
  CHECK(report.findings.front().suppression->by == lint::Suppression::By::kComment);
  CHECK(report.findings.front().suppression->reason == "old name");
  CHECK(report.notes.empty());
  CHECK(told(run.lint("# bayplan: ignore=correctness\n" + kDefinition)).empty());
  CHECK(told(run.lint(replaced(kDefinition, "- name: side", "# bayplan: ignore=BAY2\n  - name: side"))) ==
        Texts(kAll.begin(), kAll.begin() + 2));
}

TEST_CASE("ignores - comments that do nothing are told") {
  Run run("");
  const auto notes = [&](const std::string& comment, const std::string& rest = {}) {
    return Run::list_texts(
        run.lint(replaced(kDefinition, "family: my app", "family: my app # " + comment) + rest).notes);
  };
  CHECK(notes("bayplan: ignore=BAY102,BAY208") == Texts{"a.yaml:1:41 unused ignore: BAY208"});
  CHECK(notes("bayplan: ignore=BAY102,BAY9999") == Texts{"a.yaml:1:41 unknown rule, group or code prefix 'BAY9999'"});
  CHECK(notes("bayplan: ignore=BAY102 until=2026-11-20") == Texts{"a.yaml:1:41 ignore expired on 2026-11-20"});
  CHECK(notes("bayplan: ignore=BAY102 until=2026-11-21").empty());
  CHECK(notes("bayplan: ignore=BAY102,BAY107").empty());  // off by default
  CHECK(notes("bayplan: ignore=BAY102,BAY113", "cpu: ${CPU}\nrequiresCompatibilities: [FARGATE]\nmemory: \"512\"\n")
            .empty());                                                // may be needed when the value is known
  CHECK(notes("bayplan: ignore=BAY102,BAY113", "cpu: [\n").empty());  // part of the file was not read
}

TEST_CASE("ignores - entries that do nothing are told when all their files were seen") {
  const std::string config = "perFileIgnores:\n  - files: [\"*.yaml\"]\n    rules: [BAY102, BAY113]\n";
  Run whole(config);
  CHECK(whole.notes().empty());  // no file
  whole.lint(kDefinition);
  CHECK(whole.notes() == Texts{".bayplan.yaml:3:21 unused ignore: BAY113"});
  CHECK(whole.notes({}).empty());
  CHECK(whole.notes({"deploy"}).empty());
  Run other(config);
  other.lint(kDefinition, "a.json");
  CHECK(other.notes().empty());
  Run named("perFileIgnores: [{files: a.yaml, rules: [BAY113]}]");
  named.lint(kDefinition);
  CHECK(named.notes({}).size() == 1);
  Run off("perFileIgnores: [{rules: [BAY113]}]", {.ignore = {"BAY1"}});
  off.lint(kDefinition);
  CHECK(off.notes().empty());
}

TEST_CASE("ignores - an entry ends with its day") {
  const std::string config = "perFileIgnores: [{rules: ALL, until: 2026-11-20}]";
  Run during(config, {}, "2026-11-20T23:59:59");
  CHECK(told(during.lint(kDefinition)).empty());
  CHECK(during.notes().empty());
  Run after(config);
  CHECK(told(after.lint(kDefinition)) == kAll);
  CHECK(after.notes({}) == Texts{".bayplan.yaml:1:38 ignore expired on 2026-11-20"});
}

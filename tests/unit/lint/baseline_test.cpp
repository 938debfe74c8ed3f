#include "lint/config/baseline.hpp"

#include <nlohmann/json.hpp>

#include "base/memory_files.hpp"
#include "catch.hpp"

namespace baseline_test {

using namespace bayplan;
using Json = nlohmann::json;

namespace {

using FileTexts = std::map<std::string, std::string>;

const std::string kDefinition = R"(family: my app
containerDefinitions:
  - name: web
    image: nginx:1.27
    memory: 5
  - name: web
    image: nginx:1.27
    memory: 5
)";

lint::FileReport linted(const std::string& text, const std::string& name) {
  static const lint::Tools tools;
  return lint::lint_document(text, name, {}, tools);
}

/// The baseline of one file, written at `path`.
std::string written(const std::string& path, const std::string& text, const std::string& name) {
  MemoryFiles files(FileTexts{});
  lint::NewBaseline baseline(path, files);
  auto report = linted(text, name);
  lint::silence_all(report);
  baseline.add(report);
  REQUIRE(baseline.write().ok());
  return *files.read(path, 1u << 20);
}

struct Applied {
  std::size_t told = 0;
  std::size_t fixed = 0;
};

Applied applied(const std::string& baseline, const std::string& text, const std::string& name,
                const lint::Selection& selection = {}) {
  const MemoryFiles files(FileTexts{{"known.json", baseline}});
  const auto read = lint::read_baseline("known.json", files);
  REQUIRE(read.errors.empty());
  const lint::Tools tools;
  auto report = lint::lint_document(text, name, {.selection = selection}, tools);
  read.baseline->apply(report, selection, tools);
  const auto told = std::count_if(report.findings.begin(), report.findings.end(),
                                  [](const auto& finding) { return !finding.suppression; });
  return {static_cast<std::size_t>(told), read.baseline->count_fixed()};
}

std::vector<std::string> errors(const std::string& text) {
  std::vector<std::string> texts;
  for (const auto& one : lint::read_baseline("b.json", MemoryFiles(FileTexts{{"b.json", text}})).errors) {
    texts.push_back(std::to_string(one.line) + ":" + std::to_string(one.column) + " " + one.message);
  }
  return texts;
}

}  // namespace

TEST_CASE("baseline - what is written") {
  const auto baseline = Json::parse(written("known.json", kDefinition, "./deploy/a.yaml"));
  CHECK(baseline["schema"] == "bayplan/baseline/1");
  const auto report = linted(kDefinition, "deploy/a.yaml");
  REQUIRE(baseline["findings"].size() == report.findings.size());
  REQUIRE(report.findings.size() == 4);
  for (std::size_t i = 1; i < 4; ++i) {
    const auto key = [&](std::size_t at) {
      const auto& one = baseline["findings"][at];
      return std::tuple(one["file"].get<std::string>(), one["path"].get<std::string>(), one["code"].get<std::string>());
    };
    CHECK(key(i - 1) <= key(i));
  }
  // Beside the working folder's baseline the fingerprints are those of the reports.
  for (const auto& finding : report.findings) {
    CHECK(std::any_of(baseline["findings"].begin(), baseline["findings"].end(),
                      [&](const auto& one) { return one["fingerprint"] == finding.fingerprint; }));
  }
}

TEST_CASE("baseline - silences what it holds, and nothing else") {
  const auto baseline = written("known.json", kDefinition, "a.yaml");
  CHECK(applied(baseline, kDefinition, "a.yaml").told == 0);
  CHECK(applied(baseline, kDefinition, "./a.yaml").told == 0);
  CHECK(applied(baseline, kDefinition, "b.yaml").told == 4);
  CHECK(applied(baseline, "# moved\n\n" + kDefinition + "cpu: \"256\"\n", "a.yaml").told == 0);
  auto changed = kDefinition;
  changed.replace(changed.find("my app"), 6, "my new app");
  CHECK(applied(baseline, changed, "a.yaml").told == 1);
  CHECK(applied(baseline, kDefinition + "  - {name: c, image: a, memory: 5}\n", "a.yaml").told == 1);
}

TEST_CASE("baseline - what is fixed, where the rule had its say") {
  const auto baseline = written("known.json", kDefinition, "a.yaml");
  CHECK(applied(baseline, kDefinition, "a.yaml").fixed == 0);
  auto changed = kDefinition;
  changed.replace(changed.find("my app"), 6, "my-app");
  CHECK(applied(baseline, changed, "a.yaml").fixed == 1);
  CHECK(applied(baseline, changed, "b.yaml").fixed == 0);
  CHECK(applied(baseline, changed, "a.yaml", {.ignore = {"BAY102"}}).fixed == 0);
  CHECK(applied(baseline, changed + "cpu: [\n", "a.yaml").fixed == 0);
}

TEST_CASE("baseline - the folder that the program runs in does not matter") {
  class Rooted : public MemoryFiles {
   public:
    Rooted(FileTexts texts, std::string here) : MemoryFiles(std::move(texts)), here_(std::move(here)) {}
    std::string absolute(const std::string& path) const override {
      if (path == ".") return here_;
      if (path == "..") return "/repo";
      return path.starts_with("../") ? "/repo/" + path.substr(3) : here_ + "/" + path;
    }

   private:
    std::string here_;
  };
  Rooted above(FileTexts{}, "/repo");
  lint::NewBaseline baseline("known.json", above);
  auto report = linted(kDefinition, "deploy/a.yaml");
  lint::silence_all(report);
  baseline.add(report);
  REQUIRE(baseline.write().ok());
  const std::string text = *above.read("known.json", 1u << 20);
  CHECK(text.find("\"file\": \"deploy/a.yaml\"") != std::string::npos);

  const Rooted inside(FileTexts{{"../known.json", text}}, "/repo/deploy");
  const auto read = lint::read_baseline("../known.json", inside);
  REQUIRE(read.errors.empty());
  const lint::Tools tools;
  auto again = linted(kDefinition, "a.yaml");
  read.baseline->apply(again, {}, tools);
  CHECK(std::all_of(again.findings.begin(), again.findings.end(), [](const auto& one) { return one.suppression; }));
}

TEST_CASE("baseline - faults have their place") {
  CHECK(errors("{\"schema\": \"bayplan/baseline/1\", \"findings\": []}").empty());
  CHECK(errors("{\"schema\": \"bayplan/baseline/2\", \"findings\": []}") ==
        std::vector<std::string>{"1:12 schema cannot be 'bayplan/baseline/2'"});
  CHECK(errors("{\"schema\": \"bayplan/baseline/1\"}") == std::vector<std::string>{"1:1 findings is missing"});
  CHECK(errors("{\"schema\": \"bayplan/baseline/1\", \"findings\": [").size() == 1);
  CHECK(errors("") == std::vector<std::string>{"1:1 file is empty"});
}

}  // namespace baseline_test

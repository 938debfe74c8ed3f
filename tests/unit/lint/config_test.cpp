#include "lint/config/config.hpp"

#include "base/files.hpp"
#include "base/memory_files.hpp"
#include "catch.hpp"
#include "lint/config/config_options.hpp"
#include "lint/files/find_files.hpp"
#include "lint/lint.hpp"
#include "model/variables.hpp"

namespace config_test {

using namespace bayplan;

namespace {

lint::ConfigFile read(std::map<std::string, std::string> texts, const std::string& path = ".bayplan.yaml") {
  const lint::Tools tools;
  return lint::read_config(path, MemoryFiles(std::move(texts)), tools.rule_data);
}

/// "file:line:column message" of every error.
std::vector<std::string> errors(const lint::ConfigFile& read) {
  std::vector<std::string> texts;
  for (const auto& error : read.errors) {
    texts.push_back(error.file + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) + " " +
                    error.message);
  }
  return texts;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("config - every key arrives") {
  const auto file = read({{".bayplan.yaml", R"(
exclude: [gen/, "*.bak.json"]
launchType: FARGATE
deployWith: aws-cli
types: ["g4dn.*"]
needs:
  train: {gpuMemory: 14GiB}
  train/app: {gpuMemory: 20000, minComputeCapability: 7.5, interconnect: nvlink}
select: [BAY1]
extendSelect: [security]
ignore: [BAY113]
severity: {gpu: info}
placeholders: ["@@[A-Z]+@@"]
include: "*.taskdef"
cluster: {reservedMemory: 256, trunking: on, daemons: agent.yaml}
variables: {TAG: "1.27", MEMORY: "512"}
perFileIgnores:
  - {files: [legacy/, "*.old"], rules: BAY1, path: "containerDefinitions[web]", until: 2027-01-31, reason: see <ticket>}
)"},
                          {"agent.yaml", "family: agent\ncontainerDefinitions: [{name: a, image: a, memory: 128}]\n"}});
  REQUIRE(errors(file) == Texts{});
  const auto& config = file.config;
  CHECK(config.launch_type == model::Compatibility::kFargate);
  CHECK(config.deploy_with == rules::DeployClient::kAwsCli);
  CHECK(config.types == Texts{"g4dn.*"});
  CHECK(config.select == Texts{"BAY1"});
  CHECK(config.extend_select == Texts{"security"});
  CHECK(config.ignore == Texts{"BAY113"});
  REQUIRE(config.severities.size() == 1);
  CHECK(config.severities.front().severity == Severity::kInfo);
  CHECK(config.needs.at("train").gpu_memory == 14 * 1024);
  CHECK(config.needs.at("train/app").gpu_memory == 20000);
  CHECK(config.needs.at("train/app").min_compute_capability == 75);
  CHECK(config.needs.at("train/app").interconnect == capacity::Interconnect::kNvlink);
  REQUIRE(config.placeholders.size() == 1);
  CHECK(config.placeholders.front().matches_part("x@@IMAGE@@"));
  CHECK(config.include->hold("a/web.taskdef"));
  CHECK(config.cluster.reserved_memory == 256);
  CHECK(config.cluster.trunking == true);
  CHECK(config.variables == std::map<std::string, std::string, std::less<>>{{"TAG", "1.27"}, {"MEMORY", "512"}});
  REQUIRE(config.cluster.daemons.size() == 1);
  CHECK(config.cluster.daemons.front().memory == 128);
  REQUIRE(config.file_ignores.size() == 1);
  const auto& entry = config.file_ignores.front();
  CHECK(entry.files->texts == Texts{"legacy/", "*.old"});
  CHECK(entry.ignore.rules.front().selector == "BAY1");
  CHECK(entry.path == "containerDefinitions[web]");
  CHECK(entry.ignore.until->text == "2027-01-31");
  CHECK(entry.ignore.reason == "see <ticket>");
  CHECK(config.places.at("launchType").line == 3);
  CHECK(config.places.at("needs.train/app").line == 8);
}

TEST_CASE("config - what extends replaces what it names and keeps the rest") {
  const auto file =
      read({{"a/.bayplan.yaml", "extends: ../base.yaml\nignore: [BAY113]\nneeds: {b: {gpuMemory: 2GiB}}\n"},
            {"a/../base.yaml", "ignore: [BAY1]\nlaunchType: EC2\nneeds: {a: {gpuMemory: 1GiB}}\n"}},
           "a/.bayplan.yaml");
  REQUIRE(errors(file) == Texts{});
  CHECK(file.config.ignore == Texts{"BAY113"});
  CHECK(file.config.launch_type == model::Compatibility::kEc2);
  CHECK(file.config.needs.size() == 2);
}

TEST_CASE("config - variables are filled in, and those of an extended config stay") {
  const auto file = read({{".bayplan.yaml", "extends: base.yaml\nvariables: {TAG: \"2\"}\n"},
                          {"base.yaml", "variables: {TAG: \"1\", MEMORY: \"512\"}\n"}});
  REQUIRE(errors(file) == Texts{});
  CHECK(lint::options_of(file.config).variables == model::Variables{{"TAG", "2"}, {"MEMORY", "512"}});
}

TEST_CASE("config - faults have their place") {
  CHECK(errors(read({{".bayplan.yaml", "selct: [BAY1]\n"}})) == Texts{".bayplan.yaml:1:1 unknown key 'selct'"});
  CHECK(errors(read({{".bayplan.yaml", "ignore: [BAY9999]\n"}})) ==
        Texts{".bayplan.yaml:1:10 unknown rule, group or code prefix 'BAY9999'"});
  CHECK(errors(read({{".bayplan.yaml", "severity: {gpu: loud}\n"}})) ==
        Texts{".bayplan.yaml:1:17 gpu cannot be 'loud'"});
  CHECK(errors(read({{".bayplan.yaml", "needs: {train: {gpuMemory: much}}\n"}})) ==
        Texts{".bayplan.yaml:1:28 gpuMemory cannot be 'much'"});
  CHECK(errors(read({{".bayplan.yaml", "placeholders: [\"([\"]\n"}})).size() == 1);
  std::string many = "placeholders: [";
  for (int i = 0; i <= 10'000; ++i) many += "x,";  // more take minutes to compare with each value
  CHECK(errors(read({{".bayplan.yaml", many + "]\n"}})).size() == 1);
  CHECK(errors(read({{".bayplan.yaml", "extends: other.yaml\n"}})).size() == 1);
  CHECK(errors(read({{".bayplan.yaml", "perFileIgnores: [{files: a}]\n"}})) ==
        Texts{".bayplan.yaml:1:18 rules is missing"});
  CHECK(errors(read({{".bayplan.yaml", "perFileIgnores: [{rules: [BAY1, BAX1]}]\n"}})) ==
        Texts{".bayplan.yaml:1:33 unknown rule, group or code prefix 'BAX1'"});
  CHECK(errors(read({{".bayplan.yaml", "perFileIgnores: [{rules: ALL, until: 2027-02-30}]\n"}})) ==
        Texts{".bayplan.yaml:1:38 '2027-02-30' is not a date"});
  CHECK(errors(read({{".bayplan.yaml", "perFileIgnores: [{rules: ALL, path: /memory}]\n"}})) ==
        Texts{".bayplan.yaml:1:37 '/memory' uses list indexes"});
  CHECK(errors(read({{".bayplan.yaml", "cluster: {daemons: [gone.json]}\n"}})).size() == 1);
  CHECK(errors(read({{".bayplan.yaml", "cluster: {daemons: [a.json]}\n"}, {"a.json", "{\"a\": 1}"}})) ==
        Texts{".bayplan.yaml:1:21 a.json contains no task definition"});
  CHECK(errors(read({{".bayplan.yaml", "cluster: {trunking: maybe}\n"}})) ==
        Texts{".bayplan.yaml:1:21 trunking cannot be 'maybe'"});
  CHECK(errors(read({{".bayplan.yaml", "launchType: ${TYPE}\n"}})) ==
        Texts{".bayplan.yaml:1:13 launchType is a placeholder: ${TYPE}"});
  CHECK(errors(read({{".bayplan.yaml", "variables: {'${TAG}': x}\n"}})) ==
        Texts{".bayplan.yaml:1:13 '${TAG}' is not a variable name"});
  CHECK(errors(read({{".bayplan.yaml", "# nothing yet\n"}})) == Texts{});
  CHECK(errors(read({{".bayplan.yaml", ""}})) == Texts{});
  CHECK(errors(read({{".bayplan.yaml", "extends: .bayplan.yaml\n"}})) ==
        Texts{".bayplan.yaml:1:10 circular extends: .bayplan.yaml"});
}

TEST_CASE("config - exclusion holds for files in excluded folders and for named files") {
  const MemoryFiles files({{"gen/a.json", "{}"}, {"src/a.json", "{}"}, {"src/gen/b.json", "{}"}, {"gen.json", "{}"}});
  const auto exclusion = lint::FilePatterns::of(".", {"gen/"});
  lint::SearchOptions options;
  options.exclude = &exclusion;
  const auto found = lint::find_files({".", "gen/a.json"}, files, options);
  CHECK(found.excluded == 3);
  Texts paths;
  for (const auto& candidate : found.candidates) paths.push_back(candidate.path);
  CHECK(paths == Texts{"gen.json", "src/a.json"});
}

TEST_CASE("config - a search looks at what is included") {
  const MemoryFiles files({{"a.json", "{}"}, {"deploy/web.taskdef", "{}"}, {"deploy/web.txt", "{}"}});
  const auto inclusion = lint::FilePatterns::of(".", {"*.taskdef"});
  lint::SearchOptions options;
  options.include = &inclusion;
  Texts paths;
  for (const auto& candidate : lint::find_files({"."}, files, options).candidates) paths.push_back(candidate.path);
  CHECK(paths == Texts{"a.json", "deploy/web.taskdef"});
}

TEST_CASE("config - the nearest file upwards") {
  using Files = std::map<std::string, std::string>;
  CHECK(lint::find_config(MemoryFiles(Files{{".bayplan.yaml", ""}})) == ".bayplan.yaml");
  CHECK_FALSE(lint::find_config(MemoryFiles(Files{{"a.json", ""}})));
  CHECK(lint::find_config(MemoryFiles(Files{{".bayplan.yml", ""}})) == ".bayplan.yml");
  CHECK(lint::find_config(MemoryFiles(Files{{".bayplan.yaml", ""}, {".bayplan.yml", ""}})) == ".bayplan.yaml");
}

TEST_CASE("config - a file with a similar name is reported with the name that is read") {
  const auto ignored = [](std::map<std::string, std::string> files) {
    return errors({{}, lint::ignored_configs(MemoryFiles(std::move(files)))});
  };
  const std::string settings = "ignore: [BAY210]\n";
  CHECK(ignored({{".bayplan.yaml", settings}, {"a.json", "{}"}}) == Texts{});
  CHECK(ignored({{"bayplan.yaml", settings}}) ==
        Texts{"bayplan.yaml:0:0 ignored; settings are read from .bayplan.yaml"});
  CHECK(ignored({{"bayplan.yml", settings}, {".bayplan.yml", ""}}) ==
        Texts{"bayplan.yml:0:0 ignored; settings are read from .bayplan.yml"});
  CHECK(ignored({{".bayplan.yaml", ""}, {".bayplan.yml", ""}}) ==
        Texts{".bayplan.yml:0:0 ignored; settings are read from .bayplan.yaml"});
  CHECK(ignored({{".bayplan.json", "{}"}, {".bayplanrc", ""}}).size() == 2);
  // These are a scenario, a task definition, an empty file and a folder.
  CHECK(ignored({{"bayplan.yaml", "cluster: cluster.yaml\ntasks: [{taskDefinition: web}]\n"}}) == Texts{});
  CHECK(ignored({{"bayplan.json", R"({"family": "bayplan", "containerDefinitions": []})"}}) == Texts{});
  CHECK(ignored({{"bayplan.yml", "# ignore: [BAY210]\n"}, {"bayplan.toml/a", ""}}) == Texts{});
}

TEST_CASE("config - one that is there and cannot be read is not passed over") {
  using Files = std::map<std::string, std::string>;
  CHECK(lint::find_config(MemoryFiles(Files{{".bayplan.yaml/x", ""}})) == ".bayplan.yaml");
  struct Linked : MemoryFiles {
    Result<std::string> read(const std::string& path, std::size_t) const override {
      Error error{"No such file or directory", path};
      if (path == ".bayplan.yaml") error.id = kBrokenLink;
      return error;
    }
  };
  CHECK(lint::find_config(Linked()) == ".bayplan.yaml");
  CHECK(errors(read({{"a.json", ""}})) == Texts{".bayplan.yaml:0:0 No such file or directory"});
  CHECK(errors(read({{".bayplan.yaml", "\x1F\x8B\x08"}})) == Texts{".bayplan.yaml:1:1 file is compressed with gzip"});
}

TEST_CASE("config - what would be passed over is refused where it stands") {
  CHECK(errors(read({{".bayplan.yaml", "placeholders: ['__[A-Z]+__', '']\n"}})) ==
        Texts{".bayplan.yaml:1:30 placeholder pattern '' matches empty text, so every value would be a placeholder"});
  CHECK(errors(read({{".bayplan.yaml", "placeholders: [x*]\n"}})) ==
        Texts{".bayplan.yaml:1:16 placeholder pattern 'x*' matches empty text, so every value would be a placeholder"});
  CHECK(errors(read({{".bayplan.yaml", "needs: {web: {gpuMemory: 99999999999999999999GiB}}\n"}})) ==
        Texts{".bayplan.yaml:1:26 gpuMemory cannot be '99999999999999999999GiB'"});
  CHECK(errors(read({{".bayplan.yaml", "needs: {web: {gpuMemory: 0GiB}}\n"}})) ==
        Texts{".bayplan.yaml:1:26 gpuMemory cannot be '0GiB'"});
  CHECK(errors(read({{".bayplan.yaml", "needs: {web: {minComputeCapability: 7.55}}\n"}})) ==
        Texts{".bayplan.yaml:1:37 minComputeCapability cannot be '7.55'"});
  CHECK(errors(read({{".bayplan.yaml", "cluster: {daemons: [agent.json]}\n"},
                     {"agent.json", R"({"containerDefinitions": [{"name": "a", "image": "a:1", "memory": -1}]})"}})) ==
        Texts{".bayplan.yaml:1:21 agent.json: containerDefinitions[a].memory cannot be '-1'"});
}

TEST_CASE("config - a glob that names no instance type is told at itself") {
  const lint::Tools tools;
  const auto fault_of = [&](std::map<std::string, std::string> texts) {
    const auto fault = lint::fault_of_types(read(std::move(texts)).config, tools.catalog.get());
    return fault ? fault->file + ":" + std::to_string(fault->column) + " " + fault->message : std::string();
  };
  CHECK(fault_of({{".bayplan.yaml", "types: [m5.large, NOSUCH]\n"}}) ==
        ".bayplan.yaml:19 no instance type matches 'NOSUCH'");
  CHECK(fault_of({{".bayplan.yaml", "extends: a.yaml\ntypes: [m5.large]\n"}, {"a.yaml", "types: [NOSUCH]\n"}}).empty());
  CHECK(fault_of({{".bayplan.yaml", "extends: a.yaml\n"}, {"a.yaml", "types: [NOSUCH]\n"}}) ==
        "a.yaml:9 no instance type matches 'NOSUCH'");
}

}  // namespace config_test

// Every real definition against itself, and against itself in other words.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "catch.hpp"
#include "study/diff/diff.hpp"
#include "support/in_sources.hpp"

namespace {

namespace fs = std::filesystem;
using namespace bayplan;
using nlohmann::json;

const fs::path kFiles = in_sources("../shared/corpus/files");

std::vector<std::string> corpus_files() {
  std::vector<std::string> files;
  if (!fs::exists(kFiles)) {
    std::cout << "SKIPPED: no corpus beside the project\n";
    return files;
  }
  for (const auto& entry : fs::directory_iterator(kFiles)) files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

/// Nothing where the file holds no definition, or is broken.
std::optional<study::DiffSide> side_of(const std::string& name, const std::string& text, const lint::Tools& tools) {
  auto read = study::read_side({name, text}, {}, tools, DiskFiles());
  if (!read.errors.empty() || read.side.definitions.empty()) return std::nullopt;
  return std::move(read.side);
}

std::string told(const study::DefinitionDiff& diff) {
  std::string text;
  for (const auto& change : diff.fields) {
    text += change.path + ": " + (change.before ? change.before->text : "absent") + " -> " +
            (change.after ? change.after->text : "absent") + "\n";
  }
  return text;
}

/// Of two elements with one name the order may count.
bool has_doubles(const json& list) {
  std::set<std::string> names;
  for (const auto& element : list) {
    if (!element.is_object() || !element.contains("name")) continue;
    if (!names.insert(element["name"].dump()).second) return true;
  }
  return false;
}

void reverse(json& holder, const char* member) {
  if (!holder.is_object() || !holder.contains(member)) return;
  auto& list = holder[member];
  if (list.is_array() && !has_doubles(list)) std::reverse(list.begin(), list.end());
}

void fill_in(json& holder, const char* member, const json& value) {
  if (holder.is_object() && (!holder.contains(member) || holder[member].is_null())) holder[member] = value;
}

void reword(json& container) {
  if (!container.is_object()) return;
  for (const auto* list : {"environment", "secrets", "portMappings", "mountPoints", "volumesFrom", "ulimits", "links",
                           "dependsOn", "resourceRequirements", "extraHosts", "systemControls"})
    reverse(container, list);
  fill_in(container, "essential", true);
  fill_in(container, "cpu", 0);
  for (const auto* list : {"environment", "mountPoints", "volumesFrom", "systemControls", "portMappings"})
    fill_in(container, list, json::array());
  for (const auto& [list, member, value] :
       {std::tuple("portMappings", "protocol", json("tcp")), std::tuple("mountPoints", "readOnly", json(false))}) {
    if (!container[list].is_array()) continue;
    for (auto& element : container[list]) fill_in(element, member, value);
  }
  if (!container.contains("healthCheck") || !container["healthCheck"].is_object()) return;
  if (container["healthCheck"].empty()) return;
  fill_in(container["healthCheck"], "interval", 30);
  fill_in(container["healthCheck"], "timeout", 5);
  fill_in(container["healthCheck"], "retries", 3);
}

/// The same definition as describe-task-definition might answer; its keys sorted, its lists turned round.
void reword_definition(json& definition) {
  for (const auto* list : {"volumes", "placementConstraints", "requiresCompatibilities", "containerDefinitions"})
    reverse(definition, list);
  fill_in(definition, "volumes", json::array());
  fill_in(definition, "placementConstraints", json::array());
  fill_in(definition, "enableFaultInjection", false);
  for (auto& container : definition["containerDefinitions"]) reword(container);
}

}  // namespace

TEST_CASE("a definition against itself gives no difference") {
  const auto files = corpus_files();
  if (files.empty()) return;
  const lint::Tools tools;
  int count = 0;
  for (const auto& file : files) {
    const auto text = DiskFiles().read(file, 1u << 26);
    if (!text) continue;
    auto side = side_of(file, *text, tools);
    if (!side) continue;
    ++count;
    INFO(file);
    const auto report = study::compare(*side, *side, {});
    for (const auto& diff : report.definitions) {
      INFO(told(diff));
      CHECK_FALSE(diff.differs());
    }
    CHECK_FALSE(report.differs());
  }
  CHECK(count > 500);
}

TEST_CASE("a definition in other words gives no difference") {
  const auto files = corpus_files();
  if (files.empty()) return;
  const lint::Tools tools;
  int count = 0;
  for (const auto& file : files) {
    const auto text = DiskFiles().read(file, 1u << 26);
    auto root = text ? json::parse(*text, nullptr, false) : json();
    if (!root.is_object()) continue;
    auto& definition =
        root.contains("taskDefinition") && root["taskDefinition"].is_object() ? root["taskDefinition"] : root;
    if (!definition.contains("containerDefinitions") || !definition["containerDefinitions"].is_array()) continue;
    const auto original = side_of(file, *text, tools);
    reword_definition(definition);
    const auto other = side_of(file, root.dump(2), tools);
    if (!original || !other) continue;
    ++count;
    INFO(file);
    const auto report = study::compare(*original, *other, {});
    REQUIRE(report.definitions.size() == 1);
    INFO(told(report.definitions[0]));
    CHECK(report.definitions[0].fields.empty());
  }
  CHECK(count > 400);
}
